/* standin_rga.c - a stand-in for librga: checks what im2d checks (byte stride, even YUV, ratio), then copies by nearest
 * pixel. Source of the rules: Rockchip RGA developer guide, format and alignment tables. */
#include "im2d.h"

#include <stdio.h>
#include <string.h>

#include "standin.h"

enum { HANDLES = 64 };

static struct {
    void *at;
    int used;
} handles[HANDLES];

static int no_mmu(void) { return !strncmp(standin_chip(), "rv110", 5); }

static rga_buffer_handle_t new_handle(void *at) {
    for (int i = 1; at && i < HANDLES; i++) {
        if (!handles[i].used) {
            handles[i].at = at, handles[i].used = 1;
            return (rga_buffer_handle_t)i;
        }
    }
    fprintf(stderr, "RGA_IOC_IMPORT_BUFFER fail! Invalid argument\n");
    return 0;
}

rga_buffer_handle_t importbuffer_fd(int fd, im_handle_param_t *param) {
    size_t size = 0;
    (void)param;
    return new_handle(standin_map(fd, &size));
}

rga_buffer_handle_t importbuffer_virtualaddr(void *virt, im_handle_param_t *param) {
    (void)param;
    return new_handle(no_mmu() ? NULL : virt); /* without an MMU the memory would have to be contiguous */
}

rga_buffer_handle_t importbuffer_physicaladdr(uint64_t phys, im_handle_param_t *param) {
    (void)param;
    return new_handle((void *)(uintptr_t)phys);
}

IM_STATUS releasebuffer_handle(rga_buffer_handle_t handle) {
    if (handle < HANDLES) handles[handle].used = 0;
    return IM_STATUS_SUCCESS;
}

IM_STATUS imconfig(int name, uint64_t value) { return name == 0 && value == 0 ? -4 : IM_STATUS_SUCCESS; }

static unsigned char *memory_of(const rga_buffer_t *b) { /* handle before physical before fd before virtual */
    size_t size = 0;
    if (b->handle) return b->handle < HANDLES ? handles[b->handle].at : NULL;
    if (b->fd > 0) return standin_map(b->fd, &size);
    return no_mmu() ? NULL : b->virt;
}

static int bytes_of(int format) { return format == RK_FORMAT_YCbCr_420_SP ? 1 : 3; }

static int refused(const char *who, const rga_buffer_t *b) { /* 0 = fine, else an IM_STATUS */
    int step = no_mmu() ? 4 : 16, stride = b->wstride ? b->wstride : b->width; /* bytes: RGA3 takes 16, RGA2 4 */
    if (b->width < 2 || b->height < 2) return -4;
    if (bytes_of(b->format) == 1 && ((b->width | b->height | stride) & 1)) return -3;
    if (stride * bytes_of(b->format) % step) {
        fprintf(stderr, "%s unsupport width stride %d\n", who, stride);
        return -1;
    }
    return 0;
}

static IM_STATUS blit(const rga_buffer_t *src, const rga_buffer_t *dst, im_rect from, im_rect to) {
    unsigned char *in = memory_of(src), *out = memory_of(dst);
    int bpp = bytes_of(dst->format), bad = refused("src", src), pitch, in_pitch, swap;
    if (!bad) bad = refused("dst", dst);
    if (bad) return bad;
    if (!in || !out) {
        fprintf(stderr, "RGA_BLIT fail: Invalid argument\n");
        return 0;
    }
    if (from.width > to.width * 8 || to.width > from.width * 8) return -1;
    pitch = (dst->wstride ? dst->wstride : dst->width) * bpp;
    in_pitch = (src->wstride ? src->wstride : src->width) * bytes_of(src->format);
    swap = (src->format == RK_FORMAT_BGR_888) != (dst->format == RK_FORMAT_BGR_888);
    for (int y = 0; y < to.height; y++) {
        for (int x = 0; x < to.width; x++) {
            int sy = from.y + y * from.height / to.height, sx = from.x + x * from.width / to.width;
            for (int c = 0; c < bpp; c++) {
                int k = bytes_of(src->format) == 1 ? 0 : swap ? 2 - c : c;
                out[(to.y + y) * pitch + (to.x + x) * bpp + c] = in[sy * in_pitch + sx * bytes_of(src->format) + k];
            }
        }
    }
    return IM_STATUS_SUCCESS;
}

static im_rect whole(const rga_buffer_t *b) {
    im_rect r = {0, 0, b->width, b->height};
    return r;
}

IM_STATUS imcopy_t(const rga_buffer_t src, rga_buffer_t dst, int sync) {
    (void)sync;
    if (src.width != dst.width || src.height != dst.height) return -3;
    return blit(&src, &dst, whole(&src), whole(&dst));
}

IM_STATUS imresize_t(const rga_buffer_t src, rga_buffer_t dst, double fx, double fy, int interpolation, int sync) {
    (void)fx, (void)fy, (void)interpolation, (void)sync;
    return blit(&src, &dst, whole(&src), whole(&dst));
}

IM_STATUS imcvtcolor_t(rga_buffer_t src, rga_buffer_t dst, int sfmt, int dfmt, int mode, int sync) {
    (void)mode, (void)sync;
    src.format = sfmt, dst.format = dfmt;
    return blit(&src, &dst, whole(&src), whole(&dst));
}

IM_STATUS imfill_t(rga_buffer_t dst, im_rect rect, int color, int sync) {
    unsigned char *out = memory_of(&dst);
    int pitch = (dst.wstride ? dst.wstride : dst.width) * 3;
    (void)sync;
    if (!out) return 0;
    for (int y = rect.y; y < rect.y + rect.height; y++) {
        memset(out + y * pitch + rect.x * 3, color & 0xff, (size_t)rect.width * 3);
    }
    return IM_STATUS_SUCCESS;
}

IM_STATUS improcess(rga_buffer_t src, rga_buffer_t dst, rga_buffer_t pat, im_rect srect, im_rect drect, im_rect prect,
                    int usage) {
    (void)pat, (void)prect, (void)usage;
    return blit(&src, &dst, srect.width ? srect : whole(&src), drect.width ? drect : whole(&dst));
}

int c_RkRgaBlit(rga_info_t *src, rga_info_t *dst, rga_info_t *src1) {
    rga_buffer_t a = {0}, b = {0};
    im_rect from = {src->rect.x, src->rect.y, src->rect.width, src->rect.height};
    im_rect to = {dst->rect.x, dst->rect.y, dst->rect.width, dst->rect.height};
    (void)src1;
    a.virt = src->virt, a.fd = src->fd, a.width = from.width, a.height = from.height, a.wstride = src->rect.wstride;
    b.virt = dst->virt, b.fd = dst->fd, b.width = to.width, b.height = to.height, b.wstride = dst->rect.wstride;
    a.format = src->rect.format, b.format = dst->rect.format;
    return blit(&a, &b, from, to) == IM_STATUS_SUCCESS ? 0 : -22;
}
