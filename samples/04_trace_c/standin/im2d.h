/* im2d.h of the stand-in librga: the vendor's names over prepcheck's own declaration of the binary interface. */
#ifndef STANDIN_IM2D_H
#define STANDIN_IM2D_H

#include <stddef.h>

#include "prepcheck_abi.h"

#define RK_FORMAT_RGB_888 (0x2 << 8)
#define RK_FORMAT_BGR_888 (0x7 << 8)
#define RK_FORMAT_YCbCr_420_SP (0xa << 8)
#define IM_STATUS_SUCCESS 1
#define IM_SYNC (1 << 19)
#define IM_YUV_TO_RGB_BT709_LIMIT 3

typedef uint32_t rga_buffer_handle_t;
typedef int IM_STATUS;

#ifdef __cplusplus
/* Unnamed structures with these type names, as in the vendor's header: they decide how C++ names are mangled. */
typedef struct {
    void *virt, *phys;
    int fd, width, height, wstride, hstride, format, color_space, alpha, store_mode, color;
    int key_max, key_min, nn[6], rop;
    uint32_t handle;
} rga_buffer_t;
typedef struct {
    int x, y, width, height;
} im_rect;
typedef struct im_opt im_opt_t;
IM_STATUS imcopy(const rga_buffer_t src, rga_buffer_t dst, int sync = 1, int *fence = NULL);
IM_STATUS imresize(const rga_buffer_t src, rga_buffer_t dst, double fx = 0, double fy = 0, int interpolation = 0,
                   int sync = 1, int *fence = NULL);
IM_STATUS imcrop(const rga_buffer_t src, rga_buffer_t dst, im_rect rect, int sync = 1, int *fence = NULL);
IM_STATUS imtranslate(const rga_buffer_t src, rga_buffer_t dst, int x, int y, int sync = 1, int *fence = NULL);
IM_STATUS imcvtcolor(rga_buffer_t src, rga_buffer_t dst, int sfmt, int dfmt, int mode = 0, int sync = 1,
                     int *fence = NULL);
IM_STATUS imrotate(const rga_buffer_t src, rga_buffer_t dst, int rotation, int sync = 1, int *fence = NULL);
IM_STATUS imflip(const rga_buffer_t src, rga_buffer_t dst, int mode, int sync = 1, int *fence = NULL);
IM_STATUS imfill(rga_buffer_t dst, im_rect rect, int color, int sync = 1, int *fence = NULL);
IM_STATUS improcess(rga_buffer_t src, rga_buffer_t dst, rga_buffer_t pat, im_rect srect, im_rect drect, im_rect prect,
                    int wait_fence, int *fence, im_opt_t *options, int usage);
rga_buffer_handle_t importbuffer_fd(int fd, int size);
rga_buffer_handle_t importbuffer_fd(int fd, int width, int height, int format);
rga_buffer_handle_t importbuffer_virtualaddr(void *virt, int size);
rga_buffer_handle_t importbuffer_virtualaddr(void *virt, int width, int height, int format);
rga_buffer_handle_t importbuffer_physicaladdr(uint64_t phys, int size);
rga_buffer_handle_t importbuffer_physicaladdr(uint64_t phys, int width, int height, int format);
typedef struct rga_info rga_info_t;
class RockchipRga {
public:
    int RkRgaBlit(rga_info_t *src, rga_info_t *dst, rga_info_t *src1);
};
#else
typedef pc_rga_buffer rga_buffer_t;
typedef pc_rga_rect im_rect;
typedef pc_rga_param im_handle_param_t;
typedef pc_rga_info rga_info_t;
rga_buffer_handle_t importbuffer_fd(int fd, im_handle_param_t *param);
rga_buffer_handle_t importbuffer_virtualaddr(void *virt, im_handle_param_t *param);
rga_buffer_handle_t importbuffer_physicaladdr(uint64_t phys, im_handle_param_t *param);
IM_STATUS releasebuffer_handle(rga_buffer_handle_t handle);
IM_STATUS imconfig(int name, uint64_t value);
IM_STATUS imcopy_t(const rga_buffer_t src, rga_buffer_t dst, int sync);
IM_STATUS imresize_t(const rga_buffer_t src, rga_buffer_t dst, double fx, double fy, int interpolation, int sync);
IM_STATUS imcvtcolor_t(rga_buffer_t src, rga_buffer_t dst, int sfmt, int dfmt, int mode, int sync);
IM_STATUS imfill_t(rga_buffer_t dst, im_rect rect, int color, int sync);
IM_STATUS improcess(rga_buffer_t src, rga_buffer_t dst, rga_buffer_t pat, im_rect srect, im_rect drect, im_rect prect,
                    int usage);
int c_RkRgaBlit(rga_info_t *src, rga_info_t *dst, rga_info_t *src1);
#endif
#endif
