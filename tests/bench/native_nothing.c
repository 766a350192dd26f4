/* native_nothing.c - the vendor's symbols over functions that do nothing, to measure what stands in front of them. */
#include "rknn_api.h"

#include <stdlib.h>
#include <string.h>

static float answer[1000];

int rknn_init(rknn_context *c, void *model, uint32_t size, uint32_t flag, void *extend) {
    (void)model, (void)size, (void)flag, (void)extend;
    *c = 1;
    return 0;
}
int rknn_query(rknn_context c, int cmd, void *info, uint32_t size) {
    rknn_tensor_attr *a = info;
    (void)c, (void)cmd, (void)size;
    memset(a, 0, sizeof *a);
    strcpy(a->name, "images");
    a->n_dims = 4, a->dims[0] = 1, a->dims[1] = a->dims[2] = 640, a->dims[3] = 3;
    a->n_elems = a->size = a->size_with_stride = 640 * 640 * 3;
    a->w_stride = 640, a->fmt = RKNN_TENSOR_NHWC, a->type = RKNN_TENSOR_INT8;
    return 0;
}
rknn_tensor_mem *rknn_create_mem(rknn_context c, uint32_t size) {
    rknn_tensor_mem *m = calloc(1, sizeof *m);
    (void)c;
    m->virt_addr = calloc(1, size), m->size = size, m->fd = -1;
    return m;
}
int rknn_set_io_mem(rknn_context c, rknn_tensor_mem *mem, rknn_tensor_attr *attr) { return (void)c, (void)mem, (void)attr, 0; }
int rknn_inputs_set(rknn_context c, uint32_t n, rknn_input in[]) { return (void)c, (void)n, (void)in, 0; }
int rknn_run(rknn_context c, void *extend) { return (void)c, (void)extend, 0; }
int rknn_outputs_get(rknn_context c, uint32_t n, rknn_output out[], void *extend) {
    (void)c, (void)n, (void)extend;
    out[0].buf = answer, out[0].size = sizeof answer;
    return 0;
}
int rknn_outputs_release(rknn_context c, uint32_t n, rknn_output out[]) { return (void)c, (void)n, (void)out, 0; }
