/* demo.h - what the scenarios of demo.c share: start a model, make pictures, feed memory, read the answer. */
#ifndef DEMO_H
#define DEMO_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "im2d.h"
#include "rknn_api.h"

typedef struct app {
    rknn_context ctx;
    uint32_t n_in, n_out;
    rknn_tensor_attr in[4], native[4], out[4];
    unsigned char *pixels[4];
} app;

typedef struct zero_plan { /* a zero-copy program; everything that is 0 is as it should be */
    int type, pass_through;
    uint32_t flags;
    int native;          /* bind the NATIVE attribute (NC1HWC2) */
    int sync, sync_fd;   /* rknn_mem_sync, or dma_buf sync, after the CPU wrote */
    const char *heap;    /* memory from a dma heap, brought in by rknn_create_mem_from_fd */
    int phys;            /* memory by rknn_create_mem_from_phys */
    uint32_t more;       /* bytes more than needed */
    int bind_output;
    int warm_up;         /* one run before the first picture, its answer thrown away */
    int tight_size, tight_rows, no_name, nchw, input_attr_size, per_frame, no_write, destroy_early, bad_fd, mixed;
    const char *other_name;
    int ignore;          /* return codes are not looked at */
    int by_rga, legacy, nv12, letterbox, source_virtual, handles, source_width, source_height;
} zero_plan;

int start(app *a, const char *model, uint32_t flags);
int start_file(app *a, const char *path);
int stop(app *a);
int read_answer(app *a);
/* A picture of n bytes that differs from frame to frame. */
void picture(unsigned char *at, size_t n, int frame);
int zero_frames(app *a, const zero_plan *p);

#endif
