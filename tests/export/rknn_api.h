/* Declarations that the exported lines use, written by hand for their test: names, order of fields and values as in the
   vendor's API reference, nothing else. */
#ifndef TEST_RKNN_API_H
#define TEST_RKNN_API_H

#include <stdint.h>

typedef uint64_t rknn_context;

typedef enum {
    RKNN_TENSOR_FLOAT32, RKNN_TENSOR_FLOAT16, RKNN_TENSOR_INT8, RKNN_TENSOR_UINT8, RKNN_TENSOR_INT16, RKNN_TENSOR_UINT16,
    RKNN_TENSOR_INT32, RKNN_TENSOR_UINT32, RKNN_TENSOR_INT64, RKNN_TENSOR_BOOL
} rknn_tensor_type;

typedef enum { RKNN_TENSOR_NCHW, RKNN_TENSOR_NHWC, RKNN_TENSOR_NC1HWC2, RKNN_TENSOR_UNDEFINED } rknn_tensor_format;
typedef enum { RKNN_QUERY_INPUT_ATTR = 1, RKNN_QUERY_NATIVE_INPUT_ATTR = 8 } rknn_query_cmd;
typedef enum { RKNN_MEMORY_SYNC_TO_DEVICE = 1, RKNN_MEMORY_SYNC_FROM_DEVICE = 2 } rknn_mem_sync_mode;

typedef struct {
    uint32_t index;
    void *buf;
    uint32_t size;
    uint8_t pass_through;
    rknn_tensor_type type;
    rknn_tensor_format fmt;
} rknn_input;

typedef struct {
    uint32_t index;
    char name[256];
    rknn_tensor_format fmt;
    rknn_tensor_type type;
    uint32_t w_stride;
    uint8_t pass_through;
} rknn_tensor_attr;

typedef struct {
    void *virt_addr;
    uint64_t phys_addr;
    int32_t fd;
    int32_t offset;
    uint32_t size;
} rknn_tensor_mem;

int rknn_query(rknn_context context, rknn_query_cmd command, void *info, uint32_t size);
int rknn_inputs_set(rknn_context context, uint32_t count, rknn_input inputs[]);
rknn_tensor_mem *rknn_create_mem(rknn_context context, uint32_t size);
rknn_tensor_mem *rknn_create_mem_from_fd(rknn_context context, int32_t fd, void *start, uint32_t size, int32_t offset);
rknn_tensor_mem *rknn_create_mem_from_phys(rknn_context context, uint64_t address, void *start, uint32_t size);
int rknn_set_io_mem(rknn_context context, rknn_tensor_mem *memory, rknn_tensor_attr *attr);
int rknn_mem_sync(rknn_context context, rknn_tensor_mem *memory, rknn_mem_sync_mode mode);

#endif
