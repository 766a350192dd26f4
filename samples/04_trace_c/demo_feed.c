/* demo_feed.c - the helpers of demo.c. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "demo.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

void picture(unsigned char *at, size_t n, int frame) {
    uint32_t noise = 2463534242u + (uint32_t)frame * 977u;
    for (size_t i = 0; i < n; i++) {
        noise ^= noise << 13, noise ^= noise >> 17, noise ^= noise << 5;
        at[i] = (unsigned char)((i >> 4) + (size_t)frame * 31u + (noise & 15u));
    }
}

static int query_all(app *a) {
    rknn_input_output_num n;
    rknn_sdk_version version;
    if (rknn_query(a->ctx, RKNN_QUERY_SDK_VERSION, &version, sizeof version)) return 1;
    if (rknn_query(a->ctx, RKNN_QUERY_IN_OUT_NUM, &n, sizeof n)) return 1;
    a->n_in = n.inputs < 4 ? n.inputs : 4;
    a->n_out = n.outputs < 4 ? n.outputs : 4;
    for (uint32_t i = 0; i < a->n_in; i++) {
        uint32_t size = strncmp(version.api, "1.7", 3) ? (uint32_t)sizeof(rknn_tensor_attr) : 360u;
        a->in[i].index = a->native[i].index = i;
        if (rknn_query(a->ctx, RKNN_QUERY_INPUT_ATTR, &a->in[i], size)) return 1;
        if (size == sizeof(rknn_tensor_attr) &&
            rknn_query(a->ctx, RKNN_QUERY_NATIVE_INPUT_ATTR, &a->native[i], size)) return 1;
    }
    for (uint32_t i = 0; i < a->n_out; i++) {
        uint32_t size = strncmp(version.api, "1.7", 3) ? (uint32_t)sizeof(rknn_tensor_attr) : 360u;
        a->out[i].index = i;
        if (rknn_query(a->ctx, RKNN_QUERY_OUTPUT_ATTR, &a->out[i], size)) return 1;
    }
    return 0;
}

int start(app *a, const char *model, uint32_t flags) {
    memset(a, 0, sizeof *a);
    if (rknn_init(&a->ctx, (void *)(uintptr_t)model, (uint32_t)strlen(model) + 1, flags, NULL)) return 1;
    return query_all(a);
}

int start_file(app *a, const char *path) {
    memset(a, 0, sizeof *a);
    if (rknn_init(&a->ctx, (void *)(uintptr_t)path, 0, 0, NULL)) return 1;
    return query_all(a);
}

int stop(app *a) {
    for (int i = 0; i < 4; i++) free(a->pixels[i]);
    return rknn_destroy(a->ctx);
}

int read_answer(app *a) {
    rknn_output out[4];
    memset(out, 0, sizeof out);
    for (uint32_t i = 0; i < a->n_out; i++) out[i].index = i, out[i].want_float = 1;
    if (rknn_outputs_get(a->ctx, a->n_out, out, NULL)) return 1;
    printf("answer %.4f\n", (double)((float *)out[0].buf)[0]);
    return rknn_outputs_release(a->ctx, a->n_out, out);
}

/* A buffer from a dma heap: its device is looked for in $DEMO_HEAPS (default /dev/dma_heap). */
static int heap_alloc(const char *name, size_t size) {
    const char *folder = getenv("DEMO_HEAPS");
    pc_dma_heap want;
    char path[512];
    int fd;
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/dev/dma_heap", name);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return -1;
    memset(&want, 0, sizeof want);
    want.len = size;
    want.fd_flags = O_RDWR | O_CLOEXEC;
    if (ioctl(fd, PC_DMA_HEAP_ALLOC, &want)) return -1;
    close(fd);
    return (int)want.fd;
}

static void heap_sync(int fd, uint64_t flags) {
    pc_dma_sync sync;
    sync.flags = flags;
    ioctl(fd, PC_DMA_BUF_SYNC, &sync);
}

static rknn_tensor_mem *make_mem(app *a, const zero_plan *p, uint32_t size) {
    void *at;
    int fd;
    if (p->bad_fd) return rknn_create_mem_from_fd(a->ctx, 99, a->pixels[0], size, 0);
    if (p->heap) {
        fd = heap_alloc(p->heap, size);
        if (fd < 0) return NULL;
        at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        return at == MAP_FAILED ? NULL : rknn_create_mem_from_fd(a->ctx, fd, at, size, 0);
    }
    if (p->phys) {
        at = calloc(1, size);
        return rknn_create_mem_from_phys(a->ctx, 0x3f000000u, at, size);
    }
    return rknn_create_mem(a->ctx, size);
}

static rknn_tensor_attr attr_of(const app *a, const zero_plan *p) {
    rknn_tensor_attr attr = p->native ? a->native[0] : a->in[0];
    attr.type = p->type;
    attr.pass_through = (uint8_t)p->pass_through;
    if (!p->native) attr.fmt = p->nchw ? RKNN_TENSOR_NCHW : RKNN_TENSOR_NHWC;
    if (p->no_name) attr.name[0] = '\0';
    if (p->other_name) snprintf(attr.name, sizeof attr.name, "%s", p->other_name);
    return attr;
}

/* The picture into the memory, row by row at the pitch of the tensor. */
static void write_rows(const app *a, const zero_plan *p, rknn_tensor_mem *mem, int frame) {
    const rknn_tensor_attr *t = &a->in[0];
    size_t row = (size_t)t->dims[2] * t->dims[3], pitch = (size_t)(t->w_stride ? t->w_stride : t->dims[2]) * t->dims[3];
    unsigned char *line = malloc(row * t->dims[1]);
    if (p->native) {
        picture(mem->virt_addr, mem->size, frame);
    } else {
        picture(line, row * t->dims[1], frame);
        for (uint32_t y = 0; y < t->dims[1] && (y + 1) * pitch <= mem->size; y++) {
            memcpy((unsigned char *)mem->virt_addr + y * pitch, line + y * row, row);
        }
    }
    free(line);
}

typedef struct source { /* where the camera's picture lies */
    rknn_tensor_mem *mem; /* memory that RGA reaches by its fd, or NULL */
    unsigned char *virt;
    int width, height, format;
} source;

static source make_source(app *a, const zero_plan *p) {
    source s = {NULL, NULL, p->source_width ? p->source_width : 320, p->source_height ? p->source_height : 192, 0};
    size_t size = (size_t)s.width * (size_t)s.height * 3;
    s.format = p->nv12 ? RK_FORMAT_YCbCr_420_SP : RK_FORMAT_RGB_888;
    if (!p->source_virtual) s.mem = rknn_create_mem(a->ctx, (uint32_t)size);
    s.virt = s.mem ? s.mem->virt_addr : malloc(size);
    return s;
}

static rga_buffer_t channel(int width, int height, int wstride, int format) {
    rga_buffer_t b;
    memset(&b, 0, sizeof b);
    b.width = width, b.height = height, b.wstride = wstride, b.hstride = height, b.format = format;
    return b;
}

static int blit_legacy(const source *s, rknn_tensor_mem *mem, const rknn_tensor_attr *t) {
    rga_info_t src, dst;
    memset(&src, 0, sizeof src);
    memset(&dst, 0, sizeof dst);
    src.fd = s->mem ? s->mem->fd : -1;
    src.virt = s->virt;
    src.rect.width = src.rect.wstride = s->width;
    src.rect.height = src.rect.hstride = s->height;
    src.rect.format = s->format;
    dst.fd = mem->fd;
    dst.rect.width = (int)t->dims[2];
    dst.rect.height = dst.rect.hstride = (int)t->dims[1];
    dst.rect.wstride = (int)t->w_stride;
    dst.rect.format = RK_FORMAT_RGB_888;
    return c_RkRgaBlit(&src, &dst, NULL);
}

/* The camera's picture into the tensor's memory by RGA; its status is only looked at by careful programs. */
static int write_by_rga(const app *a, const zero_plan *p, source *s, rknn_tensor_mem *mem, int frame) {
    const rknn_tensor_attr *t = &a->in[0];
    int width = (int)t->dims[2], height = (int)t->dims[1], stride = p->tight_rows ? width : (int)t->w_stride;
    rga_buffer_t src = channel(s->width, s->height, s->width, s->format);
    rga_buffer_t dst = channel(width, height, stride, RK_FORMAT_RGB_888), none;
    im_rect all = {0, 0, 0, 0}, box = {0, 0, width, height / 2};
    im_handle_param_t image = {(uint32_t)s->width, (uint32_t)s->height, (uint32_t)s->format};
    picture(s->virt, (size_t)s->width * (size_t)s->height * (p->nv12 ? 3 : 6) / 2, frame);
    if (s->mem) heap_sync(s->mem->fd, PC_SYNC_WRITE | PC_SYNC_END);
    if (p->legacy) return blit_legacy(s, mem, t);
    if (p->handles) src.handle = importbuffer_virtualaddr(s->virt, &image);
    else if (s->mem) src.fd = s->mem->fd;
    else src.virt = s->virt;
    dst.fd = mem->fd;
    if (p->handles) {
        im_handle_param_t into = {(uint32_t)stride, (uint32_t)height, RK_FORMAT_RGB_888};
        dst.fd = 0;
        dst.handle = importbuffer_fd(mem->fd, &into);
    }
    memset(&none, 0, sizeof none);
    if (p->nv12) return imcvtcolor_t(src, dst, s->format, RK_FORMAT_RGB_888, IM_YUV_TO_RGB_BT709_LIMIT, 1);
    if (p->letterbox) {
        im_rect full = {0, 0, width, height};
        return imfill_t(dst, full, 0x727272, 1) == IM_STATUS_SUCCESS ? improcess(src, dst, none, all, box, all, IM_SYNC) : 0;
    }
    return imresize_t(src, dst, 0, 0, 1, 1);
}

static int bind_output(app *a) {
    rknn_tensor_mem *out = rknn_create_mem(a->ctx, a->out[0].size_with_stride);
    return !out || rknn_set_io_mem(a->ctx, out, &a->out[0]);
}

static int one_frame(app *a, const zero_plan *p, source *s, rknn_tensor_mem *mem, int frame) {
    if (p->by_rga) write_by_rga(a, p, s, mem, frame);
    else if (!p->no_write && mem && mem->virt_addr) write_rows(a, p, mem, frame);
    if (p->sync) rknn_mem_sync(a->ctx, mem, RKNN_MEMORY_SYNC_TO_DEVICE);
    if (p->sync_fd) heap_sync(mem->fd, PC_SYNC_WRITE | PC_SYNC_END);
    if (p->mixed) {
        rknn_input in;
        memset(&in, 0, sizeof in);
        in.buf = a->pixels[0], in.size = a->in[0].n_elems, in.type = RKNN_TENSOR_UINT8, in.fmt = RKNN_TENSOR_NHWC;
        if (rknn_inputs_set(a->ctx, 1, &in)) return 1;
    }
    if (rknn_run(a->ctx, NULL) && !p->ignore) return 1;
    if (!p->bind_output) return read_answer(a);
    return 0;
}

static uint32_t mem_size(const app *a, const zero_plan *p) {
    uint32_t size = p->native && !p->input_attr_size ? a->native[0].size_with_stride : a->in[0].size_with_stride;
    return (p->tight_size ? a->in[0].n_elems : size) + p->more;
}

int zero_frames(app *a, const zero_plan *p) {
    rknn_tensor_attr attr = attr_of(a, p);
    rknn_tensor_mem *mem = NULL;
    source s = {NULL, NULL, 0, 0, 0};
    a->pixels[0] = calloc(1, a->in[0].n_elems + 1);
    picture(a->pixels[0], a->in[0].n_elems, 99);
    if (p->by_rga) s = make_source(a, p);
    for (int frame = 0; frame < 3; frame++) {
        if (!frame || p->per_frame) {
            mem = make_mem(a, p, mem_size(a, p));
            if (!mem && !p->ignore) return 1;
            if (rknn_set_io_mem(a->ctx, mem, &attr) && !p->ignore) return 1;
            if (p->bind_output && bind_output(a)) return 1;
            if (p->warm_up && rknn_run(a->ctx, NULL)) return 1;
        }
        if (p->destroy_early && frame == 1) rknn_destroy_mem(a->ctx, mem);
        if (one_frame(a, p, &s, mem, frame)) return 1;
        if (p->per_frame) rknn_destroy_mem(a->ctx, mem);
    }
    if (mem && !p->per_frame && !p->destroy_early) rknn_destroy_mem(a->ctx, mem);
    return stop(a);
}
