/* prepcheck_pcrec.h - writes a record of calls (.pcrec, version 1; the format is in docs/pcrec.md).
 *
 * C99 and C++11, nothing but libc. One event is one write(2) on a file opened with O_APPEND, so a record is whole up
 * to the last finished call whatever happens to the process, and several threads need no lock to write.
 *
 * Environment: PREPCHECK_TRACE        path of the record (default prepcheck.pcrec; %p = process id; "off" = no record)
 *              PREPCHECK_TRACE_BYTES  keep the bytes of inputs and outputs for the first N runs (default 0)
 *              PREPCHECK_TRACE_HASH   sampled (default), full or off
 *              PREPCHECK_TRACE_MAX    most megabytes of events (default 64; bytes of buffers are not counted)
 *              PREPCHECK_TRACE_BOARD  what the board is, where /proc/device-tree does not tell ("rockchip,rk3588")
 *              PREPCHECK_TRACE_ENTER  1 = also an event before each call (default: only before one that looks deadly)
 */
#ifndef PREPCHECK_PCREC_H
#define PREPCHECK_PCREC_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#if defined(__GNUC__)
#define PCR_UNUSED __attribute__((unused))
#else
#define PCR_UNUSED
#endif
#define PCR_FN PCR_UNUSED static

#define PCR_VERSION 1
#define PCR_FRAME_HEAD 12u        /* marker, kind, length, crc */
#define PCR_EVENT_MAX 16000u      /* bytes of one event's JSON; what does not fit is marked "overflow" */
#define PCR_CHUNK (1u << 20)      /* bytes of a buffer in one frame */
#define PCR_BLOCK 64u             /* bytes of one sample of a sampled hash */
#define PCR_INPUT_BLOCKS 128u     /* samples of an input: 8 KiB */
#define PCR_OUTPUT_BLOCKS 16u     /* samples of an output: 1 KiB */

enum { PCR_HASH_SAMPLED = 0, PCR_HASH_FULL = 1, PCR_HASH_OFF = 2 };

typedef struct pcr_state {
    int lock, ready, fd; /* ready: 0 not yet, 1 recording, 2 off */
    int hash, enter, pid;
    unsigned seq, blobs, threads, written, limit; /* the last two in units of 64 bytes: 32-bit Arm has no cheap 64-bit atomics */
    uint64_t start_us;
    unsigned long keep_runs;
    uint32_t crc[256];
} pcr_state;

/* The state of the process: one for each program or library that includes this header. */
#ifdef __cplusplus
inline pcr_state *pcr(void) {
    static pcr_state state = pcr_state();
    return &state;
}
#else
PCR_FN pcr_state *pcr(void) {
    static pcr_state state;
    return &state;
}
#endif

PCR_FN void pcr_acquire(int *lock) {
    while (__sync_lock_test_and_set(lock, 1)) {
        while (*(volatile int *)lock) { }
    }
}

PCR_FN void pcr_release(int *lock) { __sync_lock_release(lock); }

/* Microseconds of a clock that never goes back. */
PCR_FN uint64_t pcr_now(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t)) return 0;
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

#include "prepcheck_pcrec_hash.h"

/* Hash of a buffer as text: "f:<16 hex>" over every byte, or "s<blocks>:<16 hex>" over blocks of 64 bytes at places
 * that follow a Weyl sequence (no row pitch falls in step with it); the last block ends the buffer. out: 32 bytes. */
PCR_FN void pcr_hash_text(const void *data, size_t n, unsigned blocks, char *out) {
    const unsigned char *p = (const unsigned char *)data;
    unsigned char part[PCR_INPUT_BLOCKS * PCR_BLOCK];
    uint64_t h;
    if (pcr()->hash == PCR_HASH_FULL || n <= (size_t)blocks * PCR_BLOCK) {
        h = pcr_hash64(p, n);
        snprintf(out, 32, "f:%08lx%08lx", (unsigned long)(h >> 32), (unsigned long)(h & 0xffffffffu));
        return;
    }
    for (unsigned k = 0; k + 1 < blocks; k++) {
        uint32_t u = k * 2654435769u;
        uint64_t at = (((uint64_t)u * ((uint64_t)n - PCR_BLOCK + 1)) >> 32) & ~(uint64_t)7;
        memcpy(part + k * PCR_BLOCK, p + at, PCR_BLOCK);
    }
    memcpy(part + (blocks - 1) * PCR_BLOCK, p + n - PCR_BLOCK, PCR_BLOCK);
    h = pcr_hash64(part, (size_t)blocks * PCR_BLOCK);
    snprintf(out, 32, "s%u:%08lx%08lx", blocks, (unsigned long)(h >> 32), (unsigned long)(h & 0xffffffffu));
}

/* Whether every page of a range is mapped. MS_ASYNC does nothing but look (Linux since 2.6.19), so a wrong size or a
 * freed mapping is told apart before it is read. */
PCR_FN int pcr_readable(const void *data, size_t n) {
    long page = sysconf(_SC_PAGESIZE);
    uintptr_t at = (uintptr_t)data, from;
    if (!data || !n || page <= 0 || at + n < at) return 0;
    from = at & ~((uintptr_t)page - 1);
    return msync((void *)from, n + (at - from), MS_ASYNC) == 0;
}

/* ---- frames ---- */

PCR_FN uint32_t pcr_crc(uint32_t crc, const void *data, size_t n) {
    const unsigned char *p = (const unsigned char *)data;
    const uint32_t *table = pcr()->crc;
    crc = ~crc;
    while (n--) crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
    return ~crc;
}

PCR_FN void pcr_put32(unsigned char *p, uint32_t v) {
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
    p[2] = (unsigned char)(v >> 16);
    p[3] = (unsigned char)(v >> 24);
}

PCR_FN void pcr_put64(unsigned char *p, uint64_t v) {
    pcr_put32(p, (uint32_t)v);
    pcr_put32(p + 4, (uint32_t)(v >> 32));
}

PCR_FN void pcr_stop(const char *why) {
    pcr()->ready = 2;
    fprintf(stderr, "prepcheck trace: %s; nothing more is recorded\n", why);
}

/* Head of a frame, and everything out by one writev; a short write is continued, an error ends the recording. */
PCR_FN void pcr_emit(char kind, const void *head, size_t head_n, const void *body, size_t body_n) {
    unsigned char frame[PCR_FRAME_HEAD] = {0x8b, 'P', 'C', 0};
    struct iovec io[3];
    uint32_t crc;
    int at = 0;
    frame[3] = (unsigned char)kind;
    pcr_put32(frame + 4, (uint32_t)(head_n + body_n));
    crc = pcr_crc(0, frame + 3, 5);
    crc = pcr_crc(crc, head, head_n);
    if (body_n) crc = pcr_crc(crc, body, body_n);
    pcr_put32(frame + 8, crc);
    io[0].iov_base = frame, io[0].iov_len = sizeof frame;
    io[1].iov_base = (void *)(uintptr_t)head, io[1].iov_len = head_n;
    io[2].iov_base = (void *)(uintptr_t)body, io[2].iov_len = body_n;
    while (at < 3) {
        ssize_t n = writev(pcr()->fd, io + at, 3 - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            pcr_stop(strerror(errno));
            return;
        }
        while (at < 3 && (size_t)n >= io[at].iov_len) n -= (ssize_t)io[at++].iov_len;
        if (at < 3) {
            io[at].iov_base = (char *)io[at].iov_base + n;
            io[at].iov_len -= (size_t)n;
        }
    }
}

#include "prepcheck_pcrec_json.h"

/* ---- the recording ---- */

PCR_FN unsigned long pcr_env_number(const char *name, unsigned long otherwise) {
    const char *s = getenv(name);
    unsigned long v = 0;
    if (!s || *s < '0' || *s > '9') return otherwise;
    for (; *s >= '0' && *s <= '9' && v < 100000000u; s++) v = v * 10 + (unsigned long)(*s - '0');
    return v;
}

PCR_FN int pcr_thread(void) { /* 0, 1, … in the order in which threads first call */
    static __thread int mine;
    if (!mine) mine = (int)__sync_add_and_fetch(&pcr()->threads, 1);
    return mine - 1;
}

PCR_FN void pcr_send(pcr_json *j, const char *api) {
    pcr_state *s = pcr();
    int pid = (int)getpid();
    if (pid != s->pid) pcr_int(j, "pid", pid); /* a child made by fork writes into the same file */
    if (j->full) {
        j->len = 0;
        pcr_open(j, NULL, '{');
        pcr_text(j, "api", api, 64);
        pcr_int(j, "overflow", 1);
    }
    pcr_close(j, '}');
    if (__sync_add_and_fetch(&s->written, (unsigned)(j->len / 64u) + 1u) > s->limit) {
        static const char last[] = "{\"api\":\"limit\"}";
        pcr_emit('E', last, sizeof last - 1, NULL, 0);
        pcr_stop("PREPCHECK_TRACE_MAX megabytes of events are written");
        return;
    }
    pcr_emit('E', j->text, j->len, NULL, 0);
}

/* First part of every event: running number, name, start in microseconds since the record began, thread. */
PCR_FN void pcr_begin(pcr_json *j, const char *api) {
    pcr_state *s = pcr();
    j->len = 0;
    j->full = 0;
    pcr_open(j, NULL, '{');
    pcr_int(j, "n", (int64_t)__sync_fetch_and_add(&s->seq, 1));
    pcr_text(j, "api", api, 64);
    pcr_int(j, "t", (int64_t)(pcr_now() - s->start_us));
    pcr_int(j, "th", pcr_thread());
}

/* The event as it stands, sent before the call is made: the only trace of a call that never returns. */
PCR_FN void pcr_before(pcr_json *j, const char *api) {
    size_t len = j->len;
    pcr_text(j, "phase", "enter", 8);
    pcr_send(j, api);
    j->len = len;
}

PCR_FN void pcr_file_text(pcr_json *j, const char *key, const char *path) { /* NULs become blanks */
    char text[256];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (n <= 0) return;
    while (n && (text[n - 1] == '\0' || text[n - 1] == '\n')) n--;
    for (ssize_t i = 0; i < n; i++) {
        if (!text[i]) text[i] = ' ';
    }
    text[n] = '\0';
    pcr_text(j, key, text, sizeof text);
}

PCR_FN void pcr_head(const char *by, int rga_buffer) {
    const char *board = getenv("PREPCHECK_TRACE_BOARD");
    pcr_json j;
    pcr_state *s = pcr();
    pcr_begin(&j, "record");
    pcr_text(&j, "format", "prepcheck/record", 32);
    pcr_int(&j, "version", PCR_VERSION);
    pcr_text(&j, "by", by, 64);
    pcr_int(&j, "pid", s->pid);
    pcr_int(&j, "pointer", (int)sizeof(void *));
    if (rga_buffer) pcr_int(&j, "rga_buffer", rga_buffer);
    pcr_text(&j, "hash", s->hash == PCR_HASH_FULL ? "full" : s->hash == PCR_HASH_OFF ? "off" : "sampled", 16);
    pcr_int(&j, "bytes", (int64_t)s->keep_runs);
    pcr_file_text(&j, "program", "/proc/self/comm");
    if (board && *board) pcr_text(&j, "board", board, 256);
    else pcr_file_text(&j, "board", "/proc/device-tree/compatible");
    pcr_send(&j, "record");
}

/* 1 = recording, 2 = off. */
PCR_FN int pcr_open_file(const char *by, int rga_buffer) {
    pcr_state *s = pcr();
    const char *want = getenv("PREPCHECK_TRACE"), *hash = getenv("PREPCHECK_TRACE_HASH");
    char path[1024];
    unsigned long limit;
    size_t n = 0;
    if (!want || !*want) want = "prepcheck.pcrec";
    if (!strcmp(want, "off")) return 2;
    s->pid = (int)getpid();
    for (; *want && n + 16 < sizeof path; want++) {
        if (want[0] == '%' && want[1] == 'p') n += (size_t)snprintf(path + n, 16, "%d", s->pid), want++;
        else path[n++] = *want;
    }
    path[n] = '\0';
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        s->crc[i] = c;
    }
    s->hash = hash && !strcmp(hash, "full") ? PCR_HASH_FULL : hash && !strcmp(hash, "off") ? PCR_HASH_OFF : 0;
    s->keep_runs = pcr_env_number("PREPCHECK_TRACE_BYTES", 0);
    s->enter = pcr_env_number("PREPCHECK_TRACE_ENTER", 0) != 0;
    limit = pcr_env_number("PREPCHECK_TRACE_MAX", 64);
    s->limit = (unsigned)(limit < 100000u ? limit : 100000u) << 14;
    s->start_us = pcr_now();
    s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (s->fd < 0 || write(s->fd, "PCREC 1\n", 8) != 8) {
        fprintf(stderr, "prepcheck trace: %s cannot be written: %s\n", path, strerror(errno));
        return 2;
    }
    pcr_head(by, rga_buffer);
    return 1;
}

/* Whether calls are to be recorded; opens the record at the first one. */
PCR_FN int pcr_on(const char *by, int rga_buffer) {
    pcr_state *s = pcr();
    if (!__atomic_load_n(&s->ready, __ATOMIC_ACQUIRE)) {
        pcr_acquire(&s->lock);
        if (!s->ready) __atomic_store_n(&s->ready, pcr_open_file(by, rga_buffer), __ATOMIC_RELEASE);
        pcr_release(&s->lock);
    }
    return s->ready == 1;
}

/* A buffer into the record, in frames of at most 1 MiB; returns the number by which events refer to it, 0 = none. */
PCR_FN unsigned pcr_blob(const void *data, size_t n) {
    const unsigned char *p = (const unsigned char *)data;
    unsigned id;
    if (pcr()->ready != 1 || !pcr_readable(data, n)) return 0;
    id = __sync_add_and_fetch(&pcr()->blobs, 1);
    for (size_t at = 0; at < n && pcr()->ready == 1; at += PCR_CHUNK) {
        unsigned char head[24] = {0};
        pcr_put32(head, id);
        pcr_put64(head + 8, n);
        pcr_put64(head + 16, at);
        pcr_emit('B', head, sizeof head, p + at, n - at < PCR_CHUNK ? n - at : PCR_CHUNK);
    }
    return id;
}

/* "hash" (and "blob" where the bytes are kept) of a buffer; "unreadable" where it is not mapped. */
PCR_FN void pcr_content(pcr_json *j, const void *data, size_t n, unsigned blocks, int keep) {
    char text[32];
    if (!pcr_readable(data, n)) {
        pcr_int(j, "unreadable", 1);
        return;
    }
    if (pcr()->hash != PCR_HASH_OFF) {
        pcr_hash_text(data, n, blocks, text);
        pcr_text(j, "hash", text, sizeof text);
    }
    if (keep) pcr_int(j, "blob", (int64_t)pcr_blob(data, n));
}

#endif
