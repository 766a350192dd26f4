/* demo.c - small programs in one: each scenario is how somebody feeds a model, rightly or with one fault.
 *
 *     ./demo list            names, one a line
 *     ./demo NAME            run it; nothing here knows that it may be recorded
 */
#include "demo.h"

static const char *rk3588 = "chip rk3588\nruntime 2.3.2\ninput image int8 0.00392157 -128 1 64 96 3\noutput scores int8 0.1 0 1 10\n";
static const char *rk3588_odd = "chip rk3588\nruntime 2.3.2\ninput image int8 0.00392157 -128 1 48 70 3\noutput scores int8 0.1 0 1 10\n";
static const char *rk3588_two = "chip rk3588\nruntime 2.3.2\ninput left int8 0.00392157 -128 1 32 64 3\n"
                                "input right int8 0.00392157 -128 1 32 48 3\noutput scores int8 0.1 0 1 10\n";
static const char *rk3588_half = "chip rk3588\nruntime 2.3.2\ninput feature float16 1 0 1 9 34\noutput scores int8 0.1 0 1 10\n";
static const char *rk3588_batch = "chip rk3588\nruntime 1.5.2\nbatch 4\ninput image int8 0.00392157 -128 1 32 48 3\n"
                                  "output scores int8 0.1 0 1 10\n";
static const char *rv1106 = "chip rv1106\nruntime 2.3.2\ninput image int8 1 -128 1 400 800 3\noutput scores int8 0.0294 -6 1 2\n";
static const char *rv1106_168 = "chip rv1106\nruntime 2.3.2\ninput image int8 0.00392157 -128 1 48 168 3\n"
                                "output scores int8 0.1 0 1 10\n";
static const char *rv1106_17 = "chip rv1106\nruntime 2.3.2\ninput planes int8 0.00392157 -128 1 48 64 17\n"
                               "output scores int8 0.1 0 1 10\n";
static const char *rv1126 = "chip rv1126\nruntime 1.7.5\nbatch 100\ninput image uint8 1 0 1 120 90 3\noutput scores uint8 1 0 1 10\n";

/* ---- rknn_inputs_set ---- */

typedef struct feed { /* what one input is told to be */
    int type, fmt, pass_through;
    long size; /* 0 = what the model wants for `type` */
} feed;

static long feed_size(const app *a, int i, const feed *f) {
    if (f->size) return f->size;
    return (long)a->in[i].n_elems * (f->type == RKNN_TENSOR_FLOAT32 ? 4 : f->type == RKNN_TENSOR_FLOAT16 ? 2 : 1);
}

/* One frame by rknn_inputs_set; `careful` programs stop at a bad code. */
static int feed_frame(app *a, const feed *f, int frame, int careful) {
    rknn_input in[4];
    memset(in, 0, sizeof in);
    for (uint32_t i = 0; i < a->n_in; i++) {
        long size = feed_size(a, (int)i, f);
        if (!a->pixels[i]) a->pixels[i] = calloc(1, 8u * a->in[i].n_elems + 64);
        picture(a->pixels[i], (size_t)size, frame);
        in[i].index = i;
        in[i].buf = a->pixels[i];
        in[i].size = (uint32_t)size;
        in[i].pass_through = (uint8_t)f->pass_through;
        in[i].type = f->type;
        in[i].fmt = f->fmt;
    }
    if (rknn_inputs_set(a->ctx, a->n_in, in) && careful) return 1;
    if (rknn_run(a->ctx, NULL) && careful) return 1;
    return read_answer(a);
}

static int feed_frames(const char *model, feed f, int careful) {
    app a;
    if (start(&a, model, 0)) return 1;
    for (int frame = 0; frame < 3; frame++) {
        if (feed_frame(&a, &f, frame, careful)) return 1;
    }
    return stop(&a);
}

static const feed uint8_nhwc = {RKNN_TENSOR_UINT8, RKNN_TENSOR_NHWC, 0, 0};

static int set_right(void) { return feed_frames(rk3588, uint8_nhwc, 1); }
static int set_right_odd(void) { return feed_frames(rk3588_odd, uint8_nhwc, 1); }
static int set_right_two(void) { return feed_frames(rk3588_two, uint8_nhwc, 1); }
static int set_right_float(void) {
    feed f = {RKNN_TENSOR_FLOAT32, RKNN_TENSOR_NHWC, 0, 0};
    return feed_frames(rk3588, f, 1);
}
static int set_right_half(void) {
    feed f = {RKNN_TENSOR_FLOAT16, RKNN_TENSOR_UNDEFINED, 0, 0};
    return feed_frames(rk3588_half, f, 1);
}
static int set_right_batch(void) { return feed_frames(rk3588_batch, uint8_nhwc, 1); }
static int set_right_v1_batch(void) { return feed_frames(rv1126, uint8_nhwc, 1); }
static int set_right_path(void) { /* the model by its path, as most programs load it */
    const char *path = "demo_model.txt";
    FILE *f = fopen(path, "wb");
    app a;
    int bad;
    if (!f) return 1;
    fputs(rk3588, f);
    fclose(f);
    bad = start_file(&a, path) || feed_frame(&a, &uint8_nhwc, 0, 1) || feed_frame(&a, &uint8_nhwc, 1, 1) || stop(&a);
    remove(path);
    return bad;
}
static int set_right_pass_through(void) { /* int8 codes that the program made itself, width = row pitch */
    feed f = {RKNN_TENSOR_INT8, RKNN_TENSOR_NHWC, 1, 0};
    return feed_frames(rk3588, f, 1);
}
static int set_static_scene(void) { /* the camera looks at a wall: the same frame, submitted again and again */
    app a;
    if (start(&a, rk3588, 0)) return 1;
    for (int frame = 0; frame < 4; frame++) {
        if (feed_frame(&a, &uint8_nhwc, 7, 1)) return 1;
    }
    return stop(&a);
}

static int set_right_larger(void) { /* the buffer of a larger frame, its size given in full: the first bytes are used */
    feed f = {RKNN_TENSOR_UINT8, RKNN_TENSOR_NHWC, 0, 64 * 96 * 3 + 512};
    return feed_frames(rk3588, f, 1);
}

static int set_type_unset(void) { /* the structure was cleared and `type` forgotten: 0 is FLOAT32 */
    feed f = {RKNN_TENSOR_FLOAT32, RKNN_TENSOR_NHWC, 0, 64 * 96 * 3};
    return feed_frames(rk3588, f, 0);
}
static int set_nchw(void) {
    feed f = {RKNN_TENSOR_UINT8, RKNN_TENSOR_NCHW, 0, 0};
    return feed_frames(rk3588, f, 1); /* every code is 0 */
}
static int set_undefined(void) {
    feed f = {RKNN_TENSOR_UINT8, RKNN_TENSOR_UNDEFINED, 0, 0};
    return feed_frames(rk3588, f, 1);
}
static int set_small_frame(void) { /* a frame of another size, the code ignored */
    feed f = {RKNN_TENSOR_UINT8, RKNN_TENSOR_NHWC, 0, 60 * 90 * 3};
    return feed_frames(rk3588, f, 0);
}
static int set_one_channel(void) {
    feed f = {RKNN_TENSOR_UINT8, RKNN_TENSOR_NHWC, 0, 64 * 96};
    return feed_frames(rk3588, f, 0);
}
static int set_batch_one_frame(void) { /* librknnrt checks no size when the batch is above 1 */
    feed f = {RKNN_TENSOR_UINT8, RKNN_TENSOR_NHWC, 0, 32 * 48 * 3};
    return feed_frames(rk3588_batch, f, 1);
}
static int set_v1_batch_one_frame(void) { /* seed: 32,400 bytes for a model of 100 frames */
    feed f = {RKNN_TENSOR_UINT8, RKNN_TENSOR_NHWC, 0, 120 * 90 * 3};
    return feed_frames(rv1126, f, 1);
}
static int set_pass_through_uint8(void) { /* pixels where the NPU expects int8 codes */
    feed f = {RKNN_TENSOR_UINT8, RKNN_TENSOR_NHWC, 1, 0};
    return feed_frames(rk3588, f, 1);
}
static int set_pass_through_tight(void) { /* rows of 70 pixels where the NPU reads rows of 80 */
    feed f = {RKNN_TENSOR_INT8, RKNN_TENSOR_NHWC, 1, 0};
    return feed_frames(rk3588_odd, f, 1);
}
static int set_int16(void) {
    feed f = {RKNN_TENSOR_INT16, RKNN_TENSOR_NHWC, 0, 64 * 96 * 3};
    return feed_frames(rk3588, f, 0);
}
static int set_on_mini(void) { /* librknnmrt has no rknn_inputs_set; it answers -5 */
    return feed_frames(rv1106_168, uint8_nhwc, 0);
}
static int set_half_as_float(void) { /* float16 bytes declared FLOAT32 */
    feed f = {RKNN_TENSOR_FLOAT32, RKNN_TENSOR_UNDEFINED, 0, 9 * 34 * 2};
    return feed_frames(rk3588_half, f, 0);
}
static int run_without_input(void) {
    app a;
    if (start(&a, rk3588, 0)) return 1;
    rknn_run(a.ctx, NULL);
    read_answer(&a);
    return stop(&a);
}
static int set_first_of_two(void) {
    app a;
    if (start(&a, rk3588_two, 0)) return 1;
    a.n_in = 1;
    for (int frame = 0; frame < 3; frame++) feed_frame(&a, &uint8_nhwc, frame, 1);
    return stop(&a);
}
static int set_swapped(void) { /* `index` is right, the places in the array are exchanged */
    app a;
    rknn_input in[2];
    if (start(&a, rk3588_two, 0)) return 1;
    memset(in, 0, sizeof in);
    for (int i = 0; i < 2; i++) {
        a.pixels[i] = calloc(1, a.in[i].n_elems);
        picture(a.pixels[i], a.in[i].n_elems, i);
        in[1 - i].index = (uint32_t)i;
        in[1 - i].buf = a.pixels[i];
        in[1 - i].size = a.in[i].n_elems;
        in[1 - i].type = RKNN_TENSOR_UINT8;
        in[1 - i].fmt = RKNN_TENSOR_NHWC;
    }
    rknn_inputs_set(a.ctx, 2, in);
    rknn_run(a.ctx, NULL);
    read_answer(&a);
    return stop(&a);
}
static int answer_before_run(void) {
    app a;
    if (start(&a, rk3588, 0)) return 1;
    read_answer(&a);
    feed_frame(&a, &uint8_nhwc, 0, 1);
    return stop(&a);
}
static int frozen_capture(void) { /* the grabber fills one buffer, the program submits another that nobody fills */
    app a;
    unsigned char *grabbed;
    rknn_input in;
    if (start(&a, rk3588, 0)) return 1;
    grabbed = calloc(1, a.in[0].n_elems);
    a.pixels[0] = calloc(1, a.in[0].n_elems);
    memset(&in, 0, sizeof in);
    in.buf = a.pixels[0], in.size = a.in[0].n_elems, in.type = RKNN_TENSOR_UINT8, in.fmt = RKNN_TENSOR_NHWC;
    for (int frame = 0; frame < 5; frame++) {
        picture(grabbed, a.in[0].n_elems, frame);
        if (rknn_inputs_set(a.ctx, 1, &in) || rknn_run(a.ctx, NULL) || read_answer(&a)) return 1;
    }
    free(grabbed);
    return stop(&a);
}
static int null_buffer(void) { /* ends in a segmentation fault, as with the real library */
    app a;
    rknn_input in;
    if (start(&a, rk3588, 0)) return 1;
    memset(&in, 0, sizeof in);
    in.size = a.in[0].n_elems, in.type = RKNN_TENSOR_UINT8, in.fmt = RKNN_TENSOR_NHWC;
    rknn_inputs_set(a.ctx, 1, &in);
    return 0;
}

/* ---- zero copy ---- */

static int zero(const char *model, zero_plan p) {
    app a;
    if (start(&a, model, p.flags)) return 1;
    return zero_frames(&a, &p);
}

#define ZERO(name, model, ...)                \
    static int name(void) {                   \
        zero_plan p = {__VA_ARGS__};          \
        return zero(model, p);                \
    }

ZERO(zero_right, rk3588, .type = RKNN_TENSOR_UINT8)
ZERO(zero_right_odd, rk3588_odd, .type = RKNN_TENSOR_UINT8)
ZERO(zero_right_mini, rv1106, .type = RKNN_TENSOR_UINT8)
ZERO(zero_right_mini_168, rv1106_168, .type = RKNN_TENSOR_UINT8)
ZERO(zero_right_native, rv1106_17, .type = RKNN_TENSOR_INT8, .pass_through = 1, .native = 1)
ZERO(zero_right_no_flush, rk3588, .type = RKNN_TENSOR_UINT8, .flags = RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE, .sync = 1)
ZERO(zero_right_heap, rk3588, .type = RKNN_TENSOR_UINT8, .heap = "system-dma32", .sync_fd = 1)
ZERO(zero_right_larger, rv1106_168, .type = RKNN_TENSOR_UINT8, .more = 4096)
ZERO(zero_right_warm_up, rk3588, .type = RKNN_TENSOR_UINT8, .warm_up = 1)
ZERO(zero_right_outputs, rk3588, .type = RKNN_TENSOR_UINT8, .bind_output = 1)

ZERO(zero_small, rk3588_odd, .type = RKNN_TENSOR_UINT8, .tight_size = 1, .ignore = 1)
ZERO(zero_small_mini, rv1106_168, .type = RKNN_TENSOR_UINT8, .tight_size = 1, .ignore = 1)
ZERO(zero_tight_rows, rv1106_168, .type = RKNN_TENSOR_UINT8, .tight_rows = 1, .by_rga = 1)
ZERO(zero_no_name, rv1106, .type = RKNN_TENSOR_UINT8, .no_name = 1)
ZERO(zero_other_name, rk3588, .type = RKNN_TENSOR_UINT8, .other_name = "images", .ignore = 1)
ZERO(zero_pass_through_uint8, rv1106_168, .type = RKNN_TENSOR_UINT8, .pass_through = 1, .ignore = 1)
ZERO(zero_nchw, rk3588, .type = RKNN_TENSOR_UINT8, .nchw = 1, .ignore = 1)
ZERO(zero_native_size, rv1106_17, .type = RKNN_TENSOR_INT8, .pass_through = 1, .native = 1, .input_attr_size = 1, .ignore = 1)
ZERO(zero_no_sync, rk3588, .type = RKNN_TENSOR_UINT8, .flags = RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE)
ZERO(zero_phys_no_sync, rk3588, .type = RKNN_TENSOR_UINT8, .phys = 1)
ZERO(zero_per_frame, rk3588, .type = RKNN_TENSOR_UINT8, .per_frame = 1)
ZERO(zero_never_written, rk3588, .type = RKNN_TENSOR_UINT8, .no_write = 1)
ZERO(zero_destroyed, rk3588, .type = RKNN_TENSOR_UINT8, .destroy_early = 1, .ignore = 1)
ZERO(zero_bad_fd, rv1106_168, .type = RKNN_TENSOR_UINT8, .bad_fd = 1, .ignore = 1)
ZERO(zero_mixed, rk3588, .type = RKNN_TENSOR_UINT8, .mixed = 1)

/* ---- RGA in front of the model ---- */

ZERO(rga_right, rv1106_168, .type = RKNN_TENSOR_UINT8, .by_rga = 1)
ZERO(rga_right_3588, rk3588, .type = RKNN_TENSOR_UINT8, .by_rga = 1)
ZERO(rga_right_legacy, rk3588, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .legacy = 1)
ZERO(rga_right_nv12, rk3588, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .nv12 = 1)
ZERO(rga_right_letterbox, rk3588, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .letterbox = 1)
ZERO(rga_virtual_on_mini, rv1106_168, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .source_virtual = 1)
ZERO(rga_import_ignored, rv1106_168, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .source_virtual = 1, .handles = 1)
ZERO(rga_ratio, rk3588, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .source_width = 1600, .source_height = 64)
ZERO(rga_stride_16, rk3588, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .source_width = 100, .source_height = 64)
ZERO(rga_odd_nv12, rk3588, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .nv12 = 1, .source_width = 127, .source_height = 65)
ZERO(rga_legacy_failed, rk3588, .type = RKNN_TENSOR_UINT8, .by_rga = 1, .legacy = 1, .source_width = 100, .source_height = 64)

typedef struct scenario {
    const char *name;
    int (*run)(void);
} scenario;

#define S(name) {#name, name}
static const scenario scenarios[] = {
    S(set_right), S(set_right_odd), S(set_right_two), S(set_right_float), S(set_right_half), S(set_right_batch),
    S(set_right_v1_batch), S(set_right_path), S(set_right_pass_through), S(set_static_scene), S(set_right_larger),
    S(set_type_unset), S(set_nchw), S(set_undefined), S(set_small_frame), S(set_one_channel), S(set_batch_one_frame),
    S(set_v1_batch_one_frame), S(set_pass_through_uint8), S(set_pass_through_tight), S(set_int16), S(set_on_mini),
    S(set_half_as_float), S(run_without_input), S(set_first_of_two), S(set_swapped), S(answer_before_run),
    S(frozen_capture), S(null_buffer),
    S(zero_right), S(zero_right_odd), S(zero_right_mini), S(zero_right_mini_168), S(zero_right_native),
    S(zero_right_no_flush), S(zero_right_heap), S(zero_right_larger), S(zero_right_warm_up), S(zero_right_outputs),
    S(zero_small), S(zero_small_mini), S(zero_tight_rows), S(zero_no_name), S(zero_other_name),
    S(zero_pass_through_uint8), S(zero_nchw), S(zero_native_size), S(zero_no_sync), S(zero_phys_no_sync),
    S(zero_per_frame), S(zero_never_written), S(zero_destroyed), S(zero_bad_fd), S(zero_mixed),
    S(rga_right), S(rga_right_3588), S(rga_right_legacy), S(rga_right_nv12), S(rga_right_letterbox),
    S(rga_virtual_on_mini), S(rga_import_ignored), S(rga_ratio), S(rga_stride_16), S(rga_odd_nv12), S(rga_legacy_failed),
};

int main(int argc, char **argv) {
    size_t n = sizeof scenarios / sizeof *scenarios;
    const char *want = argc > 1 ? argv[1] : "list";
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(want, "list")) puts(scenarios[i].name);
        else if (!strcmp(want, scenarios[i].name)) return scenarios[i].run();
    }
    if (!strcmp(want, "list")) return 0;
    fprintf(stderr, "no scenario %s; ./demo list names them\n", want);
    return 2;
}
