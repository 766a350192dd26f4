/* prepcheck_trace_mem.h - the zero-copy calls of RKNPU2, and cache and heap calls on dma-bufs. Part of prepcheck_trace.c. */

static void pct_made(pcr_json *j, const char *api, const pc_mem *m) { /* ends the event of a rknn_create_mem* */
    pct_mem_fields(j, m);
    if (m) pcr_content(j, m->virt_addr, pct_mem_size(m), PCR_INPUT_BLOCKS, 0);
    pct_finish(j, api);
}

PC_HOOK(pc_mem *, rknn_create_mem, (pc_ctx ctx, uint32_t size), NULL)
pc_mem *PC_NAME_OF(rknn_create_mem)(pc_ctx ctx, uint32_t size) {
    pc_fn_rknn_create_mem real = pc_real_rknn_create_mem();
    pcr_json j;
    pc_mem *m;
    if (!pct_enter()) return real(ctx, size);
    pcr_begin(&j, "rknn_create_mem");
    pcr_addr(&j, "ctx", ctx);
    pcr_int(&j, "size", size);
    PCT_CALL(m, real(ctx, size));
    pct_made(&j, "rknn_create_mem", m);
    return m;
}

PC_HOOK(pc_mem *, rknn_create_mem2, (pc_ctx ctx, uint64_t size, uint64_t flags), NULL)
pc_mem *PC_NAME_OF(rknn_create_mem2)(pc_ctx ctx, uint64_t size, uint64_t flags) {
    pc_fn_rknn_create_mem2 real = pc_real_rknn_create_mem2();
    pcr_json j;
    pc_mem *m;
    if (!pct_enter()) return real(ctx, size, flags);
    pcr_begin(&j, "rknn_create_mem2");
    pcr_addr(&j, "ctx", ctx);
    pcr_int(&j, "size", (int64_t)size);
    pcr_int(&j, "flags", (int64_t)flags);
    PCT_CALL(m, real(ctx, size, flags));
    pct_made(&j, "rknn_create_mem2", m);
    return m;
}

PC_HOOK(pc_mem *, rknn_create_mem_from_fd, (pc_ctx ctx, int32_t fd, void *virt, uint32_t size, int32_t offset), NULL)
pc_mem *PC_NAME_OF(rknn_create_mem_from_fd)(pc_ctx ctx, int32_t fd, void *virt, uint32_t size, int32_t offset) {
    pc_fn_rknn_create_mem_from_fd real = pc_real_rknn_create_mem_from_fd();
    pcr_json j;
    pc_mem *m;
    if (!pct_enter()) return real(ctx, fd, virt, size, offset);
    pcr_begin(&j, "rknn_create_mem_from_fd");
    pcr_addr(&j, "ctx", ctx);
    pcr_int(&j, "from_fd", fd);
    pcr_addr(&j, "from_virt", (uintptr_t)virt);
    pcr_int(&j, "size", size);
    pcr_int(&j, "from_offset", offset);
    PCT_CALL(m, real(ctx, fd, virt, size, offset));
    pct_made(&j, "rknn_create_mem_from_fd", m);
    return m;
}

PC_HOOK(pc_mem *, rknn_create_mem_from_phys, (pc_ctx ctx, uint64_t phys, void *virt, uint32_t size), NULL)
pc_mem *PC_NAME_OF(rknn_create_mem_from_phys)(pc_ctx ctx, uint64_t phys, void *virt, uint32_t size) {
    pc_fn_rknn_create_mem_from_phys real = pc_real_rknn_create_mem_from_phys();
    pcr_json j;
    pc_mem *m;
    if (!pct_enter()) return real(ctx, phys, virt, size);
    pcr_begin(&j, "rknn_create_mem_from_phys");
    pcr_addr(&j, "ctx", ctx);
    pcr_addr(&j, "from_phys", phys);
    pcr_addr(&j, "from_virt", (uintptr_t)virt);
    pcr_int(&j, "size", size);
    PCT_CALL(m, real(ctx, phys, virt, size));
    pct_made(&j, "rknn_create_mem_from_phys", m);
    return m;
}

PC_HOOK(pc_mem *, rknn_create_mem_from_mb_blk, (pc_ctx ctx, void *block, int32_t offset), NULL)
pc_mem *PC_NAME_OF(rknn_create_mem_from_mb_blk)(pc_ctx ctx, void *block, int32_t offset) {
    pc_fn_rknn_create_mem_from_mb_blk real = pc_real_rknn_create_mem_from_mb_blk();
    pcr_json j;
    pc_mem *m;
    if (!pct_enter()) return real(ctx, block, offset);
    pcr_begin(&j, "rknn_create_mem_from_mb_blk");
    pcr_addr(&j, "ctx", ctx);
    pcr_int(&j, "from_offset", offset);
    PCT_CALL(m, real(ctx, block, offset));
    pct_made(&j, "rknn_create_mem_from_mb_blk", m);
    return m;
}

PC_HOOK(int, rknn_destroy_mem, (pc_ctx ctx, pc_mem *mem), PCT_FAIL)
int PC_NAME_OF(rknn_destroy_mem)(pc_ctx ctx, pc_mem *mem) {
    pc_fn_rknn_destroy_mem real = pc_real_rknn_destroy_mem();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(ctx, mem);
    pcr_begin(&j, "rknn_destroy_mem");
    pcr_addr(&j, "ctx", ctx);
    pcr_addr(&j, "mem", (uintptr_t)mem);
    PCT_CALL(ret, real(ctx, mem));
    if (mem) pct_forget(ctx, mem);
    pct_result(&j, "rknn_destroy_mem", ret);
    return ret;
}

PC_HOOK(int, rknn_set_io_mem, (pc_ctx ctx, pc_mem *mem, pc_attr *attr), PCT_FAIL)
int PC_NAME_OF(rknn_set_io_mem)(pc_ctx ctx, pc_mem *mem, pc_attr *attr) {
    pc_fn_rknn_set_io_mem real = pc_real_rknn_set_io_mem();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(ctx, mem, attr);
    pcr_begin(&j, "rknn_set_io_mem");
    pcr_addr(&j, "ctx", ctx);
    pct_mem_fields(&j, mem);
    if (attr) {
        pcr_open(&j, "attr", '{');
        pct_attr_fields(&j, attr, pct_attr_size());
        pcr_close(&j, '}');
    }
    if (!mem || !attr || pcr()->enter) pcr_before(&j, "rknn_set_io_mem");
    PCT_CALL(ret, real(ctx, mem, attr));
    if (ret == 0 && mem && attr) pct_remember(ctx, mem, attr, pct_mem_size(mem));
    pct_result(&j, "rknn_set_io_mem", ret);
    return ret;
}

PC_HOOK(int, rknn_mem_sync, (pc_ctx ctx, pc_mem *mem, int mode), PCT_FAIL)
int PC_NAME_OF(rknn_mem_sync)(pc_ctx ctx, pc_mem *mem, int mode) {
    pc_fn_rknn_mem_sync real = pc_real_rknn_mem_sync();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(ctx, mem, mode);
    pcr_begin(&j, "rknn_mem_sync");
    pcr_addr(&j, "ctx", ctx);
    pcr_addr(&j, "mem", (uintptr_t)mem);
    pcr_int(&j, "mode", mode);
    if (mem) pcr_content(&j, mem->virt_addr, pct_mem_size(mem), PCR_INPUT_BLOCKS, 0); /* written before, or after it? */
    PCT_CALL(ret, real(ctx, mem, mode));
    pct_result(&j, "rknn_mem_sync", ret);
    return ret;
}

/* ioctl: only the two of dma-bufs that decide what a device sees are recorded; glibc and musl differ in one type. */
#if defined(__GLIBC__)
typedef unsigned long pct_request;
#else
typedef int pct_request;
#endif

static void pct_heap(pcr_json *j, int fd) { /* which heap: the name of the device behind fd */
    char link[40], path[128];
    ssize_t n;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path - 1);
    if (n <= 0) return;
    path[n] = '\0';
    pcr_text(j, "heap", path, sizeof path);
}

PC_HOOK(int, ioctl, (int fd, pct_request request, ...), PCT_FAIL)
int PC_NAME_OF(ioctl)(int fd, pct_request request, ...) {
    pc_fn_ioctl real = pc_real_ioctl();
    unsigned number = (unsigned)request;
    pct_bind bound;
    pcr_json j;
    va_list list;
    void *arg;
    int ret;
    va_start(list, request);
    arg = va_arg(list, void *);
    va_end(list);
    if ((number != PC_DMA_BUF_SYNC && number != PC_DMA_HEAP_ALLOC) || !arg || !pct_enter()) {
        return real(fd, request, arg);
    }
    if (number == PC_DMA_BUF_SYNC) {
        pcr_begin(&j, "dma_buf_sync");
        pcr_int(&j, "fd", fd);
        pcr_int(&j, "flags", (int64_t)((const pc_dma_sync *)arg)->flags);
        if (pct_bound_fd(fd, &bound)) pcr_content(&j, bound.virt, bound.size, PCR_INPUT_BLOCKS, 0);
        PCT_CALL(ret, real(fd, request, arg));
        pct_result(&j, "dma_buf_sync", ret);
        return ret;
    }
    pcr_begin(&j, "dma_heap_alloc");
    pcr_int(&j, "size", (int64_t)((const pc_dma_heap *)arg)->len);
    pct_heap(&j, fd);
    PCT_CALL(ret, real(fd, request, arg));
    if (ret >= 0) pcr_int(&j, "fd", (int64_t)((const pc_dma_heap *)arg)->fd);
    pct_result(&j, "dma_heap_alloc", ret);
    return ret;
}
