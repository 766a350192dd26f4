/* standin_rknn.c - a stand-in for librknnrt and librknnmrt: the vendor's symbols, return codes and silences, no NPU.
 *
 * A "model" is a text: lines `chip rk3588`, `runtime 2.3.2`, `batch 1`, `input NAME TYPE SCALE ZP DIM…` (4-D: N H W C),
 * `output NAME TYPE SCALE ZP DIM…`. Return codes follow what was measured on librknnrt 1.5.2 and librknnmrt 2.3.2
 * under emulation and what RKNN API guide 1.5.2 documents; the "answer" is a sum over the input, so that it changes
 * with the picture and only with it.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "rknn_api.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "standin.h"

enum { MOST = 4, MEMS = 64 };

typedef struct tensor {
    rknn_tensor_attr attr, native;
    const rknn_tensor_mem *bound;
    rknn_tensor_attr told;
    unsigned char *inside; /* the runtime's own memory for this tensor */
} tensor;

typedef struct model {
    char chip[16], runtime[16];
    int mini, v1;
    uint32_t batch, n_in, n_out;
    tensor in[MOST], out[MOST];
} model;

static model *last;
static struct {
    int fd;
    void *at;
    size_t size;
} memories[MEMS];

const char *standin_chip(void) { return last ? last->chip : "rk3588"; }

void *standin_memory(size_t size, int *fd) {
    char path[] = "/tmp/standinXXXXXX";
    void *at;
    *fd = mkstemp(path);
    if (*fd < 0) return NULL;
    unlink(path);
    if (ftruncate(*fd, (off_t)size)) return NULL;
    at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (at == MAP_FAILED) return NULL;
    for (int i = 0; i < MEMS; i++) {
        if (!memories[i].at) {
            memories[i].fd = *fd, memories[i].at = at, memories[i].size = size;
            break;
        }
    }
    return at;
}

void *standin_map(int fd, size_t *size) {
    for (int i = 0; i < MEMS; i++) {
        if (memories[i].at && memories[i].fd == fd) {
            *size = memories[i].size;
            return memories[i].at;
        }
    }
    return NULL;
}

static uint32_t width_of(int type) { /* bytes of an element */
    return type == RKNN_TENSOR_FLOAT32 ? 4 : type == RKNN_TENSOR_FLOAT16 || type == RKNN_TENSOR_INT16 ? 2 : 1;
}

static int type_named(const char *name) {
    static const char *const names[] = {"float32", "float16", "int8", "uint8", "int16"};
    for (int i = 0; i < 5; i++) {
        if (!strcmp(names[i], name)) return i;
    }
    return RKNN_TENSOR_INT8;
}

/* dims, sizes and strides as rknn_query gives them (RKNN API guide 1.5.2 table 4-6 for C2 and width alignment) */
static void lay_out(model *m, tensor *t, int is_input) {
    rknn_tensor_attr *a = &t->attr, *n = &t->native;
    uint32_t bytes = width_of(a->type), step = (strncmp(m->chip, "rk356", 5) ? 16u : 8u) / bytes, channels;
    a->n_elems = 1;
    for (uint32_t i = 0; i < a->n_dims; i++) a->n_elems *= a->dims[i];
    a->size = a->size_with_stride = a->n_elems * bytes;
    a->fmt = a->n_dims == 4 ? (is_input ? RKNN_TENSOR_NHWC : RKNN_TENSOR_NCHW) : RKNN_TENSOR_UNDEFINED;
    a->qnt = a->type == RKNN_TENSOR_FLOAT16 ? 0 : 2;
    *n = *a;
    if (m->v1 || a->n_dims != 4 || !is_input) return;
    channels = a->dims[3];
    if (channels == 1 || channels == 3 || channels == 4) {
        a->w_stride = (a->dims[2] + step - 1) / step * step;
        a->size_with_stride = a->dims[0] * a->dims[1] * a->w_stride * channels * bytes;
        *n = *a;
        return;
    }
    a->w_stride = a->dims[2];
    n->fmt = RKNN_TENSOR_NC1HWC2;
    n->n_dims = 5;
    n->dims[1] = (channels + step - 1) / step;
    n->dims[2] = a->dims[1];
    n->dims[3] = a->dims[2];
    n->dims[4] = step;
    n->n_elems = n->dims[0] * n->dims[1] * n->dims[2] * n->dims[3] * n->dims[4];
    n->size = n->size_with_stride = n->n_elems * bytes;
}

static void parse_line(model *m, char *line) {
    char *save = NULL, *word = strtok_r(line, " ", &save), *value = strtok_r(NULL, " ", &save);
    int is_input = word && !strcmp(word, "input");
    tensor *t;
    if (!word || !value) return;
    if (!strcmp(word, "chip")) snprintf(m->chip, sizeof m->chip, "%s", value);
    if (!strcmp(word, "runtime")) snprintf(m->runtime, sizeof m->runtime, "%s", value);
    if (!strcmp(word, "batch")) m->batch = (uint32_t)atoi(value);
    m->mini = !strncmp(m->chip, "rv1106", 6) || !strncmp(m->chip, "rv1103", 6);
    m->v1 = !strcmp(m->chip, "rv1126");
    if (!is_input && strcmp(word, "output")) return;
    if ((is_input ? m->n_in : m->n_out) >= MOST) return;
    t = is_input ? &m->in[m->n_in] : &m->out[m->n_out];
    t->attr.index = is_input ? m->n_in++ : m->n_out++;
    snprintf(t->attr.name, sizeof t->attr.name, "%s", value);
    if ((word = strtok_r(NULL, " ", &save))) t->attr.type = type_named(word);
    if ((word = strtok_r(NULL, " ", &save))) t->attr.scale = (float)atof(word);
    if ((word = strtok_r(NULL, " ", &save))) t->attr.zp = atoi(word);
    while ((word = strtok_r(NULL, " ", &save)) && t->attr.n_dims < PC_DIMS) {
        t->attr.dims[t->attr.n_dims++] = (uint32_t)atoi(word);
    }
    if (t->attr.n_dims && m->batch > 1) t->attr.dims[0] *= m->batch;
    lay_out(m, t, is_input);
    t->inside = calloc(1, t->native.size_with_stride + t->attr.size + 64);
}

static model *of(rknn_context context) { return (model *)(uintptr_t)context; }

int rknn_init(rknn_context *context, void *data, uint32_t size, uint32_t flag, void *extend) {
    char text[1024] = {0}, *save = NULL;
    model *m = calloc(1, sizeof *m);
    (void)flag, (void)extend;
    if (size) {
        memcpy(text, data, size < sizeof text ? size : sizeof text - 1);
    } else {
        FILE *f = fopen((const char *)data, "rb");
        size_t got = f ? fread(text, 1, sizeof text - 1, f) : 0;
        if (f) fclose(f);
        text[got] = '\0';
    }
    m->batch = 1;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char copy[256];
        snprintf(copy, sizeof copy, "%s", line);
        parse_line(m, copy);
    }
    if (!m->n_in) {
        fprintf(stderr, "E RKNN: Invalid RKNN model\n");
        free(m);
        return -6;
    }
    last = m;
    *context = (rknn_context)(uintptr_t)m;
    return 0;
}

int rknn_destroy(rknn_context context) {
    model *m = of(context);
    for (uint32_t i = 0; i < MOST; i++) free(m->in[i].inside), free(m->out[i].inside);
    if (last == m) last = NULL;
    free(m);
    return 0;
}

int rknn_set_core_mask(rknn_context context, int mask) {
    (void)context, (void)mask;
    return 0;
}

int rknn_query(rknn_context context, int cmd, void *info, uint32_t size) {
    model *m = of(context);
    int native = cmd == RKNN_QUERY_NATIVE_INPUT_ATTR || cmd == RKNN_QUERY_NATIVE_OUTPUT_ATTR;
    int in = cmd == RKNN_QUERY_INPUT_ATTR || cmd == RKNN_QUERY_NATIVE_INPUT_ATTR;
    uint32_t need = m->v1 ? PC_ATTR_V1 : PC_ATTR_V2, index;
    rknn_tensor_attr a;
    if (cmd == RKNN_QUERY_IN_OUT_NUM) {
        rknn_input_output_num n = {m->n_in, m->n_out};
        memcpy(info, &n, sizeof n);
        return 0;
    }
    if (cmd == RKNN_QUERY_SDK_VERSION) {
        rknn_sdk_version *v = info;
        snprintf(v->api, sizeof v->api, "%s (stand-in)", m->runtime);
        snprintf(v->driver, sizeof v->driver, "0.9.8");
        return 0;
    }
    if (!native && !in && cmd != RKNN_QUERY_OUTPUT_ATTR) return -5;
    if (size < need) {
        fprintf(stderr, "E RKNN: rknn_query, info_len(%u) < sizeof(rknn_tensor_attr)(%u)!\n", size, need);
        return -5;
    }
    memcpy(&index, info, sizeof index);
    if (index >= (in ? m->n_in : m->n_out)) return -5;
    a = native ? (in ? m->in[index].native : m->out[index].native) : (in ? m->in[index].attr : m->out[index].attr);
    if (m->v1) { /* rknn_api.h 1.x: dims are stored from the last to the first */
        for (uint32_t i = 0; i < a.n_dims / 2; i++) {
            uint32_t d = a.dims[i];
            a.dims[i] = a.dims[a.n_dims - 1 - i], a.dims[a.n_dims - 1 - i] = d;
        }
    }
    memcpy(info, &a, need);
    return 0;
}

static int take_input(model *m, tensor *t, const rknn_input *in) {
    uint32_t want = t->attr.n_elems * width_of(in->type), got;
    if (m->v1) {
        if (in->size != want) {
            fprintf(stderr, "W warning: inputs[%u] expected input len is %u, but actual len is %u!\n", in->index, want,
                    in->size);
        }
    } else if (m->batch == 1 && in->size < want) {
        fprintf(stderr, "E RKNN: rknn_inputs_set, param input size(%u) < model input size(%u)\n", in->size, want);
        return -5;
    }
    if (!m->v1 && !in->pass_through && t->attr.n_dims == 4 && in->fmt != RKNN_TENSOR_NHWC) {
        fprintf(stderr, "E RKNN: Meet unsupported src layout for normalize: %d\n", in->fmt);
        return 0; /* and the memory keeps what it held */
    }
    got = in->size < t->attr.size ? in->size : t->attr.size;
    memcpy(t->inside, in->buf, got);
    t->bound = NULL;
    return 0;
}

int rknn_inputs_set(rknn_context context, uint32_t n, rknn_input inputs[]) {
    model *m = of(context);
    if (m->mini) {
        fprintf(stderr, "E RKNN: rknn_inputs_set, context config invalid!\n");
        return -5;
    }
    if (n > m->n_in) return -5;
    if (n < m->n_in) fprintf(stderr, "W RKNN: rknn_inputs_set, param input num(%u) != model input num(%u)\n", n, m->n_in);
    for (uint32_t i = 0; i < n; i++) { /* the place in the array decides, not .index */
        int ret = take_input(m, &m->in[i], &inputs[i]);
        if (ret) return ret;
    }
    return 0;
}

int rknn_run(rknn_context context, void *extend) {
    model *m = of(context);
    uint64_t sum = 14695981039346656037u;
    (void)extend;
    for (uint32_t i = 0; i < m->n_in; i++) {
        tensor *t = &m->in[i];
        const unsigned char *p = t->bound ? t->bound->virt_addr : t->inside;
        if (t->bound && m->mini && !t->told.pass_through && t->told.fmt == RKNN_TENSOR_NCHW) return -1;
        if (t->bound && t->told.fmt != RKNN_TENSOR_NHWC && !t->told.pass_through && t->attr.n_dims == 4) p = t->inside;
        for (uint32_t k = 0; p && k < t->attr.size; k++) sum = (sum ^ p[k]) * 1099511628211u;
    }
    for (uint32_t i = 0; i < m->n_out; i++) {
        unsigned char *p = m->out[i].bound ? m->out[i].bound->virt_addr : m->out[i].inside;
        for (uint32_t k = 0; k < m->out[i].attr.n_elems; k++) p[k] = (unsigned char)(sum >> (8 * (k % 8)));
    }
    return 0;
}

int rknn_outputs_get(rknn_context context, uint32_t n, rknn_output outputs[], void *extend) {
    model *m = of(context);
    (void)extend;
    for (uint32_t i = 0; i < n && i < m->n_out; i++) {
        uint32_t elems = m->out[i].attr.n_elems, size = elems * (outputs[i].want_float ? 4u : 1u);
        const unsigned char *p = m->out[i].bound ? m->out[i].bound->virt_addr : m->out[i].inside;
        if (!outputs[i].is_prealloc) outputs[i].buf = malloc(size), outputs[i].size = size;
        for (uint32_t k = 0; k < elems; k++) {
            if (outputs[i].want_float) ((float *)outputs[i].buf)[k] = (float)p[k] / 255.0f;
            else ((unsigned char *)outputs[i].buf)[k] = p[k];
        }
    }
    return 0;
}

int rknn_outputs_release(rknn_context context, uint32_t n, rknn_output outputs[]) {
    (void)context;
    for (uint32_t i = 0; i < n; i++) {
        if (!outputs[i].is_prealloc) free(outputs[i].buf);
    }
    return 0;
}

static rknn_tensor_mem *new_mem(void *virt, uint64_t phys, int fd, uint32_t size, uint32_t flags) {
    rknn_tensor_mem *mem = calloc(1, sizeof *mem);
    mem->virt_addr = virt, mem->phys_addr = phys, mem->fd = fd, mem->size = size, mem->flags = flags;
    return mem;
}

rknn_tensor_mem *rknn_create_mem(rknn_context context, uint32_t size) {
    int fd;
    void *virt;
    (void)context;
    if (!size) {
        fprintf(stderr, "E RKNN: rknn_create_mem, invalid size: 0\n");
        return NULL;
    }
    virt = standin_memory(size, &fd);
    return new_mem(virt, 0xffff0000u, fd, size, 1);
}

rknn_tensor_mem *rknn_create_mem2(rknn_context context, uint64_t size, uint64_t flags) {
    (void)flags;
    return rknn_create_mem(context, (uint32_t)size);
}

rknn_tensor_mem *rknn_create_mem_from_fd(rknn_context context, int32_t fd, void *virt, uint32_t size, int32_t offset) {
    size_t have = 0;
    (void)context;
    if (!standin_map(fd, &have)) {
        fprintf(stderr, "E RKNN: rknn_create_mem_from_fd, failed to import device mem!\n");
        return NULL;
    }
    rknn_tensor_mem *mem = new_mem(virt, 0xffff0000u, fd, size, 2);
    mem->offset = offset;
    return mem;
}

rknn_tensor_mem *rknn_create_mem_from_phys(rknn_context context, uint64_t phys, void *virt, uint32_t size) {
    (void)context;
    return new_mem(virt, phys, -1, size, 3);
}

int rknn_destroy_mem(rknn_context context, rknn_tensor_mem *mem) {
    (void)context;
    for (int i = 0; i < MEMS && mem->flags == 1; i++) {
        if (memories[i].at == mem->virt_addr) {
            munmap(memories[i].at, memories[i].size);
            close(memories[i].fd);
            memories[i].at = NULL;
        }
    }
    memset(mem, 0, sizeof *mem); /* whoever still uses it finds nothing; the block itself is left to the process */
    return 0;
}

static int bind(model *m, tensor *t, const rknn_tensor_mem *mem, const rknn_tensor_attr *attr, int is_input) {
    uint32_t want = t->attr.size_with_stride;
    if (is_input && m->mini) {
        want = attr->fmt == RKNN_TENSOR_NC1HWC2 || t->native.fmt == RKNN_TENSOR_NC1HWC2 ? t->native.size_with_stride : want;
        if (attr->pass_through && attr->type != RKNN_TENSOR_INT8 && attr->type != RKNN_TENSOR_INT16) {
            fprintf(stderr, "E RKNN: rknn_set_io_mem, input(%s) tensor type not supported in pass_through == 1\n", attr->name);
            return -5;
        }
        if (mem->size < want) {
            fprintf(stderr, "E RKNN: rknn_set_io_mem, input(%s) memory size must be: %u, but is: %u\n", attr->name, want,
                    mem->size);
            return -5;
        }
    } else if (is_input && !attr->pass_through) {
        want = want / width_of(t->attr.type) * width_of(attr->type);
        if (attr->fmt == RKNN_TENSOR_NC1HWC2) return -1;
        if (mem->size < want) {
            fprintf(stderr, "E RKNN: rknn_set_io_mem, input memory size(%u) < model input size(%u)\n", mem->size, want);
            return -1;
        }
    }
    t->bound = mem;
    t->told = *attr;
    return 0;
}

int rknn_set_io_mem(rknn_context context, rknn_tensor_mem *mem, rknn_tensor_attr *attr) {
    model *m = of(context);
    if (!mem || !attr) return -5;
    for (uint32_t i = 0; i < m->n_in; i++) { /* by name, whatever attr->index says */
        if (!strcmp(m->in[i].attr.name, attr->name)) return bind(m, &m->in[i], mem, attr, 1);
    }
    for (uint32_t i = 0; i < m->n_out; i++) {
        if (!strcmp(m->out[i].attr.name, attr->name)) return bind(m, &m->out[i], mem, attr, 0);
    }
    return m->mini ? 0 : -1;
}

int rknn_mem_sync(rknn_context context, rknn_tensor_mem *mem, int mode) {
    (void)context, (void)mem, (void)mode;
    return 0;
}

/* The two calls on dma-bufs that a kernel would answer; everything else goes to the kernel. */
#if defined(__GLIBC__)
int ioctl(int fd, unsigned long request, ...);
int ioctl(int fd, unsigned long request, ...)
#else
int ioctl(int fd, int request, ...);
int ioctl(int fd, int request, ...)
#endif
{
    va_list list;
    void *arg;
    va_start(list, request);
    arg = va_arg(list, void *);
    va_end(list);
    if ((unsigned)request == PC_DMA_BUF_SYNC) return 0;
    if ((unsigned)request == PC_DMA_HEAP_ALLOC) {
        pc_dma_heap *heap = arg;
        int made;
        if (!standin_memory((size_t)heap->len, &made)) return -1;
        heap->fd = (uint32_t)made;
        return 0;
    }
    return (int)syscall(SYS_ioctl, fd, request, arg);
}
