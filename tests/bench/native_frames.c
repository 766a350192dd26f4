/* native_frames.c - frames over functions that do nothing: what remains is the cost of whoever stands in between.
 * usage: native_frames FRAMES inputs_set|zero_copy   prints microseconds a frame */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rknn_api.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    int frames = argc > 1 ? atoi(argv[1]) : 1000, zero = argc > 2 && !strcmp(argv[2], "zero_copy");
    uint32_t size = 640 * 640 * 3;
    rknn_context ctx = 0;
    rknn_tensor_attr attr;
    rknn_tensor_mem *mem;
    rknn_input in;
    rknn_output out;
    unsigned char *pixels = malloc(size);
    double from, spent = 0;
    memset(&attr, 0, sizeof attr);
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    memset(pixels, 7, size);
    if (rknn_init(&ctx, pixels, 64, 0, NULL) || rknn_query(ctx, RKNN_QUERY_INPUT_ATTR, &attr, sizeof attr)) return 1;
    mem = rknn_create_mem(ctx, size);
    if (zero && rknn_set_io_mem(ctx, mem, &attr)) return 1;
    in.buf = pixels, in.size = size, in.type = RKNN_TENSOR_UINT8, in.fmt = RKNN_TENSOR_NHWC;
    for (int i = 0; i < frames; i++) {
        memset(zero ? mem->virt_addr : pixels, i, size); /* a new frame: the recorder finds cold and changed memory */
        from = now();
        if (!zero) rknn_inputs_set(ctx, 1, &in);
        rknn_run(ctx, NULL);
        rknn_outputs_get(ctx, 1, &out, NULL);
        rknn_outputs_release(ctx, 1, &out);
        spent += now() - from;
    }
    printf("%.3f\n", spent / frames);
    return 0;
}
