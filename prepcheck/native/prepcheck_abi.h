/* prepcheck_abi.h - what crosses the binary interface of Rockchip's runtimes and of librga.
 *
 * Declared by hand from the documented interface; no header of the vendor is used or needed. Only what a recorder or
 * a check reads is here. By version:
 *   rknn_tensor_attr   360 bytes in rknn_api.h 1.x (RK1808, RK3399Pro, RV1109, RV1126): ends after `scale`
 *                      372 bytes in the first rknn_api.h of RKNPU2 (0.6 - 1.1): + stride, size with stride, pass_through
 *                      376 bytes since: + h_stride (librknnmrt 2.3.2 prints sizeof = 376)
 *   rknn_input, rknn_output, rknn_tensor_mem: the same in every rknn_api.h of RKNPU2; rknn_tensor_mem of 1.x differs
 *   rga_buffer_t       72 + 2 pointers in librga before handles (im2d 1.0 - 1.3), 80 + 2 pointers since (1.6 and later);
 *                      it is passed by value, so PREPCHECK_RGA_BUFFER must be 1 for the first, 2 (default) for the second
 *   rga_info_t         only its first fields, which kept their places
 * Sources: RKNN API guide 1.5.2 and 2.3.2, rknn_api.h of both generations, librga im2d_type.h and drmrga.h,
 * linux/dma-buf.h, linux/dma-heap.h.
 */
#ifndef PREPCHECK_ABI_H
#define PREPCHECK_ABI_H

#include <stdint.h>

#ifdef __arm__
typedef uint32_t pc_ctx; /* rknn_context: 32 bits on 32-bit Arm only */
#else
typedef uint64_t pc_ctx;
#endif

enum {
    PC_ATTR_V1 = 360,
    PC_ATTR_V2_OLD = 372,
    PC_ATTR_V2 = 376,
    PC_NAME = 256,
    PC_DIMS = 16
};

enum { /* rknn_query_cmd */
    PC_Q_IN_OUT_NUM = 0,
    PC_Q_INPUT = 1,
    PC_Q_OUTPUT = 2,
    PC_Q_VERSION = 5,
    PC_Q_CUSTOM = 7,
    PC_Q_NATIVE_INPUT = 8,
    PC_Q_NATIVE_OUTPUT = 9,
    PC_Q_NATIVE_NHWC_INPUT = 10,
    PC_Q_NATIVE_NHWC_OUTPUT = 11,
    PC_Q_CURRENT_INPUT = 14,
    PC_Q_CURRENT_OUTPUT = 15,
    PC_Q_CURRENT_NATIVE_INPUT = 16,
    PC_Q_CURRENT_NATIVE_OUTPUT = 17
};

typedef struct pc_attr { /* rknn_tensor_attr */
    uint32_t index, n_dims, dims[PC_DIMS];
    char name[PC_NAME];
    uint32_t n_elems, size;
    int32_t fmt, type, qnt;
    int8_t fl;
    int32_t zp;
    float scale;
    uint32_t w_stride, size_with_stride; /* not in 1.x */
    uint8_t pass_through;
    uint32_t h_stride; /* not in the first headers of RKNPU2 */
} pc_attr;

typedef struct pc_input { /* rknn_input */
    uint32_t index;
    void *buf;
    uint32_t size;
    uint8_t pass_through;
    int32_t type, fmt;
} pc_input;

typedef struct pc_output { /* rknn_output */
    uint8_t want_float, is_prealloc;
    uint32_t index;
    void *buf;
    uint32_t size;
} pc_output;

typedef struct pc_mem { /* rknn_tensor_mem of RKNPU2 */
    void *virt_addr;
    uint64_t phys_addr;
    int32_t fd, offset;
    uint32_t size, flags;
    void *priv;
} pc_mem;

typedef struct pc_counts { /* rknn_input_output_num */
    uint32_t inputs, outputs;
} pc_counts;

typedef struct pc_version { /* rknn_sdk_version */
    char api[256], driver[256];
} pc_version;

/* ---- librga ---- */

#ifndef PREPCHECK_RGA_BUFFER
#define PREPCHECK_RGA_BUFFER 2
#endif

typedef struct pc_rga_buffer { /* rga_buffer_t: strides in pixels */
    void *virt, *phys;
    int fd, width, height, wstride, hstride, format, color_space;
#if PREPCHECK_RGA_BUFFER == 1
    int color, alpha;
#else
    int alpha, store_mode, color;
#endif
    int key_max, key_min, nn[6], rop;
#if PREPCHECK_RGA_BUFFER != 1
    uint32_t handle;
#endif
} pc_rga_buffer;

typedef struct pc_rga_rect { /* im_rect */
    int x, y, width, height;
} pc_rga_rect;

typedef struct pc_rga_param { /* im_handle_param_t */
    uint32_t width, height, format;
} pc_rga_param;

typedef struct pc_rga_info { /* first fields of rga_info_t */
    int fd;
    void *virt, *phys;
    unsigned hnd;
    int format;
    struct {
        int x, y, width, height, wstride, hstride, format, size;
    } rect;
    unsigned blend;
    int buffer_size, rotation, color;
} pc_rga_info;

/* ---- dma-buf ---- */

#define PC_DMA_BUF_SYNC 0x40086200u   /* DMA_BUF_IOCTL_SYNC */
#define PC_DMA_HEAP_ALLOC 0xC0184800u /* DMA_HEAP_IOCTL_ALLOC; Rockchip's rk_dma_heap has the same number and layout */
enum { PC_SYNC_READ = 1, PC_SYNC_WRITE = 2, PC_SYNC_END = 4 };

typedef struct pc_dma_sync {
    uint64_t flags;
} pc_dma_sync;

typedef struct pc_dma_heap {
    uint64_t len;
    uint32_t fd, fd_flags;
    uint64_t heap_flags;
} pc_dma_heap;

#endif
