/* rknn_api.h of the stand-in runtime: the vendor's names over prepcheck's own declaration of the binary interface. */
#ifndef STANDIN_RKNN_API_H
#define STANDIN_RKNN_API_H

#include "prepcheck_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RKNN_SUCC 0
#define RKNN_MAX_DIMS 16
#define RKNN_MAX_NAME_LEN 256
#define RKNN_FLAG_ASYNC_MASK 0x4
#define RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE 0x4000
#define RKNN_FLAG_MEMORY_NON_CACHEABLE 0x2

typedef pc_ctx rknn_context;
typedef pc_attr rknn_tensor_attr;
typedef pc_input rknn_input;
typedef pc_output rknn_output;
typedef pc_mem rknn_tensor_mem;
typedef pc_counts rknn_input_output_num;
typedef pc_version rknn_sdk_version;

typedef enum {
    RKNN_QUERY_IN_OUT_NUM = 0, RKNN_QUERY_INPUT_ATTR = 1, RKNN_QUERY_OUTPUT_ATTR = 2, RKNN_QUERY_SDK_VERSION = 5,
    RKNN_QUERY_NATIVE_INPUT_ATTR = 8, RKNN_QUERY_NATIVE_OUTPUT_ATTR = 9
} rknn_query_cmd;
typedef enum {
    RKNN_TENSOR_FLOAT32, RKNN_TENSOR_FLOAT16, RKNN_TENSOR_INT8, RKNN_TENSOR_UINT8, RKNN_TENSOR_INT16
} rknn_tensor_type;
typedef enum { RKNN_TENSOR_NCHW, RKNN_TENSOR_NHWC, RKNN_TENSOR_NC1HWC2, RKNN_TENSOR_UNDEFINED } rknn_tensor_format;
typedef enum { RKNN_MEMORY_SYNC_TO_DEVICE = 1, RKNN_MEMORY_SYNC_FROM_DEVICE = 2 } rknn_mem_sync_mode;

int rknn_init(rknn_context *context, void *model, uint32_t size, uint32_t flag, void *extend);
int rknn_destroy(rknn_context context);
int rknn_query(rknn_context context, int cmd, void *info, uint32_t size);
int rknn_inputs_set(rknn_context context, uint32_t n_inputs, rknn_input inputs[]);
int rknn_run(rknn_context context, void *extend);
int rknn_outputs_get(rknn_context context, uint32_t n_outputs, rknn_output outputs[], void *extend);
int rknn_outputs_release(rknn_context context, uint32_t n_outputs, rknn_output outputs[]);
int rknn_set_core_mask(rknn_context context, int mask);
rknn_tensor_mem *rknn_create_mem(rknn_context context, uint32_t size);
rknn_tensor_mem *rknn_create_mem2(rknn_context context, uint64_t size, uint64_t flags);
rknn_tensor_mem *rknn_create_mem_from_fd(rknn_context context, int32_t fd, void *virt, uint32_t size, int32_t offset);
rknn_tensor_mem *rknn_create_mem_from_phys(rknn_context context, uint64_t phys, void *virt, uint32_t size);
int rknn_destroy_mem(rknn_context context, rknn_tensor_mem *mem);
int rknn_set_io_mem(rknn_context context, rknn_tensor_mem *mem, rknn_tensor_attr *attr);
int rknn_mem_sync(rknn_context context, rknn_tensor_mem *mem, int mode);

#ifdef __cplusplus
}
#endif
#endif
