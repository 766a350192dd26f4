/* prepcheck_trace.c - records what a program really hands to librknnrt, librknnmrt, librknn_runtime and librga.
 *
 * Unmodified programs, by preloading:
 *     $CC -O2 -fPIC -shared -o libprepcheck_trace.so prepcheck_trace.c -ldl
 *     LD_PRELOAD=./libprepcheck_trace.so PREPCHECK_TRACE=run.pcrec ./your_program
 * or linked in (static programs, musl, boards without LD_PRELOAD):
 *     $CC -O2 -DPREPCHECK_WRAP -c prepcheck_trace.c
 *     $CC your_objects.o prepcheck_trace.o @prepcheck_trace.wrap -lrknnrt -o your_program
 * then, on the PC:  prepcheck validate MODEL IMAGE --plan run.pcrec
 *
 * It records arguments, return codes, order, thread and time of the calls, attributes queried, addresses, fds and sizes
 * of buffers, and a hash of every input before each run; with PREPCHECK_TRACE_BYTES=N the bytes of inputs and outputs
 * of the first N runs. It changes no argument and no result. Variables: prepcheck_pcrec.h. ABI: prepcheck_abi.h.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "prepcheck_trace_hooks.h"
#include "prepcheck_trace_state.h"

static void pct_attr_fields(pcr_json *j, const pc_attr *a, int size) {
    uint32_t dims = a->n_dims < PC_DIMS ? a->n_dims : PC_DIMS;
    pcr_int(j, "index", a->index);
    pcr_text(j, "name", a->name, PC_NAME);
    pcr_open(j, "dims", '[');
    for (uint32_t i = 0; i < dims; i++) pcr_integer(j, a->dims[i]);
    pcr_close(j, ']');
    pcr_int(j, "n_elems", a->n_elems);
    pcr_int(j, "size", a->size);
    pcr_int(j, "fmt", a->fmt);
    pcr_int(j, "type", a->type);
    pcr_int(j, "qnt", a->qnt);
    pcr_int(j, "fl", a->fl);
    pcr_int(j, "zp", a->zp);
    pcr_real(j, "scale", (double)a->scale);
    if (size >= PC_ATTR_V2_OLD) {
        pcr_int(j, "w_stride", a->w_stride);
        pcr_int(j, "size_with_stride", a->size_with_stride);
        pcr_int(j, "pass_through", a->pass_through);
    }
    if (size >= PC_ATTR_V2) pcr_int(j, "h_stride", a->h_stride);
    pcr_int(j, "attr_size", size);
}

static uint32_t pct_mem_size(const pc_mem *m) { /* in rknn_api.h 1.x the size stands where `offset` is now */
    return pct_attr_size() == PC_ATTR_V1 ? (uint32_t)m->offset : m->size;
}

static void pct_mem_fields(pcr_json *j, const pc_mem *m) {
    pcr_addr(j, "mem", (uintptr_t)m);
    if (!m) return;
    pcr_addr(j, "virt", (uintptr_t)m->virt_addr);
    pcr_addr(j, "phys", m->phys_addr);
    pcr_int(j, "fd", m->fd);
    if (pct_attr_size() != PC_ATTR_V1) pcr_int(j, "offset", m->offset);
    pcr_int(j, "mem_size", pct_mem_size(m));
}

/* ---- context ---- */

PC_HOOK(int, rknn_init, (pc_ctx * ctx, void *model, uint32_t size, uint32_t flag, void *extend), PCT_FAIL)
int PC_NAME_OF(rknn_init)(pc_ctx *ctx, void *model, uint32_t size, uint32_t flag, void *extend) {
    pc_fn_rknn_init real = pc_real_rknn_init(); /* 1.x has no `extend`: what stands in its register is handed on */
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(ctx, model, size, flag, extend);
    pcr_begin(&j, "rknn_init");
    if (size) {
        pcr_int(&j, "model_size", size);
        pcr_content(&j, model, size, PCR_INPUT_BLOCKS, 0);
    } else if (pcr_readable(model, 1)) {
        pcr_text(&j, "path", (const char *)model, 1024);
    }
    pcr_int(&j, "flag", flag);
    PCT_CALL(ret, real(ctx, model, size, flag, extend));
    pcr_addr(&j, "ctx", ret == 0 && ctx ? (uint64_t)*ctx : 0);
    pct_result(&j, "rknn_init", ret);
    return ret;
}

PC_HOOK(int, rknn_dup_context, (pc_ctx * from, pc_ctx *to), PCT_FAIL)
int PC_NAME_OF(rknn_dup_context)(pc_ctx *from, pc_ctx *to) {
    pc_fn_rknn_dup_context real = pc_real_rknn_dup_context();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(from, to);
    pcr_begin(&j, "rknn_dup_context");
    PCT_CALL(ret, real(from, to));
    pcr_addr(&j, "from", from ? (uint64_t)*from : 0);
    pcr_addr(&j, "ctx", ret == 0 && to ? (uint64_t)*to : 0);
    pct_result(&j, "rknn_dup_context", ret);
    return ret;
}

PC_HOOK(int, rknn_destroy, (pc_ctx ctx), PCT_FAIL)
int PC_NAME_OF(rknn_destroy)(pc_ctx ctx) {
    pc_fn_rknn_destroy real = pc_real_rknn_destroy();
    int ret;
    if (!pct_enter()) return real(ctx);
    PCT_SIMPLE(ret, "rknn_destroy", ctx, real(ctx));
    pct_forget(ctx, NULL);
    return ret;
}

PC_HOOK(int, rknn_set_core_mask, (pc_ctx ctx, int mask), PCT_FAIL)
int PC_NAME_OF(rknn_set_core_mask)(pc_ctx ctx, int mask) {
    pc_fn_rknn_set_core_mask real = pc_real_rknn_set_core_mask();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(ctx, mask);
    pcr_begin(&j, "rknn_set_core_mask");
    pcr_addr(&j, "ctx", ctx);
    pcr_int(&j, "mask", mask);
    PCT_CALL(ret, real(ctx, mask));
    pct_result(&j, "rknn_set_core_mask", ret);
    return ret;
}

PC_HOOK(int, rknn_set_batch_core_num, (pc_ctx ctx, int number), PCT_FAIL)
int PC_NAME_OF(rknn_set_batch_core_num)(pc_ctx ctx, int number) {
    pc_fn_rknn_set_batch_core_num real = pc_real_rknn_set_batch_core_num();
    int ret;
    if (!pct_enter()) return real(ctx, number);
    PCT_SIMPLE(ret, "rknn_set_batch_core_num", ctx, real(ctx, number));
    return ret;
}

static int pct_query_side(int cmd) { /* 1 input attribute, 2 output attribute, 0 something else */
    switch (cmd) {
    case PC_Q_INPUT: case PC_Q_NATIVE_INPUT: case PC_Q_NATIVE_NHWC_INPUT: case PC_Q_CURRENT_INPUT:
    case PC_Q_CURRENT_NATIVE_INPUT:
        return 1;
    case PC_Q_OUTPUT: case PC_Q_NATIVE_OUTPUT: case PC_Q_NATIVE_NHWC_OUTPUT: case PC_Q_CURRENT_OUTPUT:
    case PC_Q_CURRENT_NATIVE_OUTPUT:
        return 2;
    default:
        return 0;
    }
}

PC_HOOK(int, rknn_query, (pc_ctx ctx, int cmd, void *info, uint32_t size), PCT_FAIL)
int PC_NAME_OF(rknn_query)(pc_ctx ctx, int cmd, void *info, uint32_t size) {
    pc_fn_rknn_query real = pc_real_rknn_query();
    pcr_json j;
    int ret, side = pct_query_side(cmd);
    if (!pct_enter()) return real(ctx, cmd, info, size);
    pcr_begin(&j, "rknn_query");
    pcr_addr(&j, "ctx", ctx);
    pcr_int(&j, "cmd", cmd);
    pcr_int(&j, "info_size", size);
    PCT_CALL(ret, real(ctx, cmd, info, size));
    if (ret == 0 && info && side && size >= PC_ATTR_V1) {
        pct_attr_fields(&j, (const pc_attr *)info, (int)size);
        pct_learn(ctx, (const pc_attr *)info, side == 2, (int)size);
    } else if (ret == 0 && info && cmd == PC_Q_IN_OUT_NUM && size >= sizeof(pc_counts)) {
        pcr_int(&j, "inputs", ((const pc_counts *)info)->inputs);
        pcr_int(&j, "outputs", ((const pc_counts *)info)->outputs);
    } else if (ret == 0 && info && cmd == PC_Q_VERSION && size >= sizeof(pc_version)) {
        pcr_text(&j, "version", ((const pc_version *)info)->api, 256);
        pcr_text(&j, "driver", ((const pc_version *)info)->driver, 256);
    } else if (ret == 0 && info && cmd == PC_Q_CUSTOM) {
        pcr_text(&j, "custom", (const char *)info, size < 1024 ? size : 1024);
    }
    pct_result(&j, "rknn_query", ret);
    return ret;
}

/* ---- inputs and outputs that the runtime copies ---- */

PC_HOOK(int, rknn_inputs_set, (pc_ctx ctx, uint32_t n, pc_input *in), PCT_FAIL)
int PC_NAME_OF(rknn_inputs_set)(pc_ctx ctx, uint32_t n, pc_input *in) {
    pc_fn_rknn_inputs_set real = pc_real_rknn_inputs_set();
    pcr_json j;
    int ret, keep, deadly = 0;
    if (!pct_enter()) return real(ctx, n, in);
    keep = pct_keep(ctx);
    pcr_begin(&j, "rknn_inputs_set");
    pcr_addr(&j, "ctx", ctx);
    pcr_int(&j, "count", n);
    pcr_open(&j, "inputs", '[');
    for (uint32_t i = 0; in && i < n && i < 32; i++) {
        pcr_open(&j, NULL, '{');
        pcr_int(&j, "index", in[i].index);
        pcr_addr(&j, "buf", (uintptr_t)in[i].buf);
        pcr_int(&j, "size", in[i].size);
        pcr_int(&j, "pass_through", in[i].pass_through);
        pcr_int(&j, "type", in[i].type);
        pcr_int(&j, "fmt", in[i].fmt);
        pcr_content(&j, in[i].buf, in[i].size, PCR_INPUT_BLOCKS, keep);
        deadly |= !in[i].buf || !pcr_readable(in[i].buf, in[i].size);
        pcr_close(&j, '}');
    }
    pcr_close(&j, ']');
    if (deadly || pcr()->enter) pcr_before(&j, "rknn_inputs_set");
    PCT_CALL(ret, real(ctx, n, in));
    pct_result(&j, "rknn_inputs_set", ret);
    return ret;
}

PC_HOOK(int, rknn_run, (pc_ctx ctx, void *extend), PCT_FAIL)
int PC_NAME_OF(rknn_run)(pc_ctx ctx, void *extend) {
    pc_fn_rknn_run real = pc_real_rknn_run();
    pct_bind bound[PCT_RUN_MEMS];
    pcr_json j;
    int ret, keep, n, gone = 0;
    if (!pct_enter()) return real(ctx, extend);
    keep = pct_keep(ctx);
    n = pct_bound_of(ctx, bound);
    pcr_begin(&j, "rknn_run");
    pcr_addr(&j, "ctx", ctx);
    pct_contents(&j, "bound", bound, n, 0, keep);
    for (int i = 0; i < n; i++) gone |= bound[i].gone;
    if (gone || pcr()->enter) pcr_before(&j, "rknn_run");
    PCT_CALL(ret, real(ctx, extend));
    pct_runs(ctx, 1);
    if (keep) pct_contents(&j, "results", bound, n, 1, 1);
    pct_result(&j, "rknn_run", ret);
    return ret;
}

PC_HOOK(int, rknn_wait, (pc_ctx ctx, void *extend), PCT_FAIL)
int PC_NAME_OF(rknn_wait)(pc_ctx ctx, void *extend) {
    pc_fn_rknn_wait real = pc_real_rknn_wait();
    int ret;
    if (!pct_enter()) return real(ctx, extend);
    PCT_SIMPLE(ret, "rknn_wait", ctx, real(ctx, extend));
    return ret;
}

PC_HOOK(int, rknn_outputs_get, (pc_ctx ctx, uint32_t n, pc_output *out, void *extend), PCT_FAIL)
int PC_NAME_OF(rknn_outputs_get)(pc_ctx ctx, uint32_t n, pc_output *out, void *extend) {
    pc_fn_rknn_outputs_get real = pc_real_rknn_outputs_get();
    pcr_json j;
    int ret, keep;
    if (!pct_enter()) return real(ctx, n, out, extend);
    keep = pct_runs(ctx, 0) <= pcr()->keep_runs && pcr()->keep_runs;
    pcr_begin(&j, "rknn_outputs_get");
    pcr_addr(&j, "ctx", ctx);
    PCT_CALL(ret, real(ctx, n, out, extend));
    pcr_open(&j, "outputs", '[');
    for (uint32_t i = 0; ret == 0 && out && i < n && i < 32; i++) {
        pcr_open(&j, NULL, '{');
        pcr_int(&j, "index", out[i].index);
        pcr_int(&j, "want_float", out[i].want_float);
        pcr_int(&j, "is_prealloc", out[i].is_prealloc);
        pcr_addr(&j, "buf", (uintptr_t)out[i].buf);
        pcr_int(&j, "size", out[i].size);
        pcr_content(&j, out[i].buf, out[i].size, PCR_OUTPUT_BLOCKS, keep);
        pcr_close(&j, '}');
    }
    pcr_close(&j, ']');
    pct_result(&j, "rknn_outputs_get", ret);
    return ret;
}

PC_HOOK(int, rknn_outputs_release, (pc_ctx ctx, uint32_t n, pc_output *out), PCT_FAIL)
int PC_NAME_OF(rknn_outputs_release)(pc_ctx ctx, uint32_t n, pc_output *out) {
    pc_fn_rknn_outputs_release real = pc_real_rknn_outputs_release();
    int ret;
    if (!pct_enter()) return real(ctx, n, out);
    PCT_SIMPLE(ret, "rknn_outputs_release", ctx, real(ctx, n, out));
    return ret;
}

PC_HOOK(int, rknn_set_input_shapes, (pc_ctx ctx, uint32_t n, pc_attr *attr), PCT_FAIL)
int PC_NAME_OF(rknn_set_input_shapes)(pc_ctx ctx, uint32_t n, pc_attr *attr) {
    pc_fn_rknn_set_input_shapes real = pc_real_rknn_set_input_shapes();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(ctx, n, attr);
    pcr_begin(&j, "rknn_set_input_shapes");
    pcr_addr(&j, "ctx", ctx);
    pcr_open(&j, "inputs", '[');
    for (uint32_t i = 0; attr && i < n && i < 16; i++) {
        pcr_open(&j, NULL, '{');
        pct_attr_fields(&j, attr + i, PC_ATTR_V2);
        pcr_close(&j, '}');
    }
    pcr_close(&j, ']');
    PCT_CALL(ret, real(ctx, n, attr));
    pct_result(&j, "rknn_set_input_shapes", ret);
    return ret;
}

#include "prepcheck_trace_mem.h"
#include "prepcheck_trace_rga.h"
