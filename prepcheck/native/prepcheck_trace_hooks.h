/* prepcheck_trace_hooks.h - how a call is caught (preloaded or --wrap), and what every hook does around it. */
#ifndef PREPCHECK_TRACE_HOOKS_H
#define PREPCHECK_TRACE_HOOKS_H

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>

#include "prepcheck_abi.h"
#include "prepcheck_pcrec.h"

#if defined(PREPCHECK_WRAP)
#define PCT_BY "prepcheck_trace.c wrap"
#else
#define PCT_BY "prepcheck_trace.c preload"
#endif

#define PCT_FAIL (-1)

static __thread int pct_depth; /* calls that a library makes to itself inside a recorded call are not the program's */
static __thread int pct_errno;
static __thread uint64_t pct_took;

static int pct_enter(void) {
    int kept = errno, on;
    if (pct_depth) return 0;
    on = pcr_on(PCT_BY, (int)sizeof(pc_rga_buffer));
    errno = kept;
    if (on) pct_depth = 1;
    return on;
}

/* The call itself: timed alone, and errno is afterwards as the call left it. */
#define PCT_CALL(result, call)             \
    do {                                   \
        uint64_t from_ = pcr_now();        \
        (result) = (call);                 \
        pct_errno = errno;                 \
        pct_took = pcr_now() - from_;      \
    } while (0)

static void pct_finish(pcr_json *j, const char *api) {
    pcr_int(j, "d", (int64_t)pct_took);
    pcr_send(j, api);
    pct_depth = 0;
    errno = pct_errno;
}

static void pct_result(pcr_json *j, const char *api, int ret) {
    pcr_int(j, "ret", ret);
    pct_finish(j, api);
}

/* A call of which only the context and the return code matter. */
#define PCT_SIMPLE(result, api, ctx, call)        \
    do {                                          \
        pcr_json j_;                              \
        pcr_begin(&j_, (api));                    \
        pcr_addr(&j_, "ctx", (uint64_t)(ctx));    \
        PCT_CALL(result, call);                   \
        pct_result(&j_, (api), (int)(result));    \
    } while (0)

/* PC_HOOK(type, name, (parameters), result where the function is not to be found) declares the caught function and
 * pc_real_<name>(), which gives the function of the library. */
#if defined(PREPCHECK_WRAP)

#define PC_NAME_OF(name) __wrap_##name
#define PC_HOOK(type, name, params, otherwise)                       \
    typedef type(*pc_fn_##name) params;                              \
    extern __attribute__((weak)) type __real_##name params;          \
    type __wrap_##name params;                                       \
    static pc_fn_##name pc_real_##name(void) { return __real_##name; }

#else

/* glibc 2.34 moved dlsym and dlopen into libc under a new version. A library built there is to load on a board of 2017. */
#if !defined(__GLIBC__) || defined(__UCLIBC__) /* uClibc says that it is glibc; it has no versions */
#elif defined(__x86_64__)
__asm__(".symver dlsym,dlsym@GLIBC_2.2.5\n.symver dlopen,dlopen@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver dlsym,dlsym@GLIBC_2.17\n.symver dlopen,dlopen@GLIBC_2.17");
#elif defined(__arm__)
__asm__(".symver dlsym,dlsym@GLIBC_2.4\n.symver dlopen,dlopen@GLIBC_2.4");
#elif defined(__i386__)
__asm__(".symver dlsym,dlsym@GLIBC_2.0\n.symver dlopen,dlopen@GLIBC_2.1");
#endif

typedef struct pct_search {
    const char *name;
    void *own, *found;
} pct_search;

/* A library that was opened with RTLD_LOCAL is behind RTLD_NEXT's back: look into every loaded object. */
static int pct_look_into(struct dl_phdr_info *info, size_t size, void *data) {
    pct_search *s = (pct_search *)data;
    void *handle, *found;
    (void)size;
    if (!info->dlpi_name || !*info->dlpi_name) return 0;
    handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    found = handle ? dlsym(handle, s->name) : NULL; /* the handle is kept: the object must stay */
    if (found && found != s->own) s->found = found;
    return s->found != NULL;
}

static void *pct_next(const char *name, void *own) {
    pct_search s = {name, own, NULL};
    s.found = dlsym(RTLD_NEXT, name);
    if (!s.found) dl_iterate_phdr(pct_look_into, &s);
    if (!s.found) fprintf(stderr, "prepcheck trace: no loaded library has %s; the call fails\n", name);
    return s.found;
}

#if defined(__clang__)
#define PCT_UNUSED_PARAMETERS _Pragma("clang diagnostic ignored \"-Wunused-parameter\"")
#else
#define PCT_UNUSED_PARAMETERS _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"")
#endif

#define PC_NAME_OF(name) name
#define PC_HOOK(type, name, params, otherwise)                                     \
    typedef type(*pc_fn_##name) params;                                            \
    type name params;                                                              \
    _Pragma("GCC diagnostic push") PCT_UNUSED_PARAMETERS                           \
    static type pc_none_##name params { return otherwise; }                        \
    _Pragma("GCC diagnostic pop")                                                  \
    static pc_fn_##name pc_real_##name(void) {                                     \
        static void *found;                                                        \
        pc_fn_##name fn = name;                                                    \
        void *own;                                                                 \
        memcpy(&own, &fn, sizeof own);                                             \
        if (!found) found = pct_next(#name, own);                                  \
        fn = pc_none_##name;                                                       \
        if (found) memcpy(&fn, &found, sizeof fn);                                 \
        return fn;                                                                 \
    }

#endif
#endif
