/* standin.h - shared by the two halves of the stand-in runtime (standin_rknn.c, standin_rga.c). */
#ifndef STANDIN_H
#define STANDIN_H

#include <stddef.h>

/* Memory behind a file descriptor, mapped once; NULL where fd is not of the stand-in's making. */
void *standin_map(int fd, size_t *size);
/* A new shared memory of `size` bytes; *fd is its descriptor. */
void *standin_memory(size_t size, int *fd);
/* The chip of the model loaded last ("rk3588"): it decides what RGA can do. */
const char *standin_chip(void);

#endif
