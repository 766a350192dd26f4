/* The calls of rknn_api.h that print what they are given, a line of key=value each; and the memory they hand out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rknn_api.h"

static rknn_tensor_mem last;

static rknn_tensor_mem *make(const char *name, uint32_t size, void *start, int32_t fd, int32_t offset)
{
    last.virt_addr = start != NULL ? start : malloc(size);
    if (last.virt_addr != NULL) memset(last.virt_addr, 0xEE, size);
    last.size = size;
    last.fd = fd;
    last.offset = offset;
    printf("%s size=%u fd=%d offset=%d\n", name, size, fd, offset);
    return &last;
}

int rknn_query(rknn_context context, rknn_query_cmd command, void *info, uint32_t size)
{
    rknn_tensor_attr *attr = info;
    const char *pitch = getenv("W_STRIDE");
    (void)context;
    attr->w_stride = pitch != NULL ? (uint32_t)atoi(pitch) : 0;
    snprintf(attr->name, sizeof attr->name, "input%u", attr->index);
    attr->type = RKNN_TENSOR_INT8;
    attr->fmt = RKNN_TENSOR_NHWC;
    printf("query command=%d index=%u struct=%d\n", (int)command, attr->index, size == sizeof *attr);
    return 0;
}

int rknn_inputs_set(rknn_context context, uint32_t count, rknn_input inputs[])
{
    uint32_t i, k;
    (void)context;
    for (i = 0; i < count; i++) {
        uint32_t sum = 0;
        for (k = 0; k < inputs[i].size; k++) sum += ((const uint8_t *)inputs[i].buf)[k];
        printf("set index=%u size=%u pass_through=%d type=%d fmt=%d sum=%u\n", inputs[i].index, inputs[i].size,
               inputs[i].pass_through, (int)inputs[i].type, (int)inputs[i].fmt, sum);
    }
    return 0;
}

rknn_tensor_mem *rknn_create_mem(rknn_context context, uint32_t size)
{
    (void)context;
    return make("create", size, NULL, -1, 0);
}

rknn_tensor_mem *rknn_create_mem_from_fd(rknn_context context, int32_t fd, void *start, uint32_t size, int32_t offset)
{
    (void)context;
    return make("from_fd", size, start, fd, offset);
}

rknn_tensor_mem *rknn_create_mem_from_phys(rknn_context context, uint64_t address, void *start, uint32_t size)
{
    (void)context;
    (void)address;
    return make("from_phys", size, start, -1, 0);
}

int rknn_set_io_mem(rknn_context context, rknn_tensor_mem *memory, rknn_tensor_attr *attr)
{
    (void)context;
    printf("bind index=%u name=%s size=%u pass_through=%d type=%d fmt=%d\n", attr->index, attr->name, memory->size,
           attr->pass_through, (int)attr->type, (int)attr->fmt);
    return 0;
}

int rknn_mem_sync(rknn_context context, rknn_tensor_mem *memory, rknn_mem_sync_mode mode)
{
    (void)context;
    printf("sync size=%u mode=%d\n", memory->size, (int)mode);
    return 0;
}
