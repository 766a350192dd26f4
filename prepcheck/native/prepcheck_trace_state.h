/* prepcheck_trace_state.h - what the recorder remembers between calls: tensors queried, memory bound, runs. Fixed tables,
 * no allocation. Part of prepcheck_trace.c. */

enum { PCT_BOUND = 128, PCT_NAMES = 512, PCT_CONTEXTS = 32, PCT_RUN_MEMS = 24 };

typedef struct pct_bind { /* memory bound by rknn_set_io_mem */
    uint64_t ctx, name;
    const pc_mem *mem;
    const void *virt;
    uint32_t size;
    int fd, output, index, used, gone;
} pct_bind;

typedef struct pct_tensor { /* a tensor that was queried: its name tells inputs from outputs, as the runtime does */
    uint64_t ctx, name;
    int output, index, used;
} pct_tensor;

static struct {
    int lock, attr_size;
    pct_bind bound[PCT_BOUND];
    pct_tensor tensors[PCT_NAMES];
    struct {
        uint64_t ctx;
        unsigned long runs;
    } contexts[PCT_CONTEXTS];
} pct;

/* sizeof(rknn_tensor_attr) of the program: what its last rknn_query said; before any, that of today's header. */
static int pct_attr_size(void) { return pct.attr_size ? pct.attr_size : PC_ATTR_V2; }

static size_t pct_length(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n]) n++;
    return n;
}

static uint64_t pct_name(const char *name) { return pcr_hash64(name, pct_length(name, PC_NAME)); }

/* Runs of a context so far; counts one more with `add`. */
static unsigned long pct_runs(uint64_t ctx, int add) {
    unsigned long runs = 0;
    int at = -1;
    pcr_acquire(&pct.lock);
    for (int i = PCT_CONTEXTS - 1; i >= 0; i--) {
        if (pct.contexts[i].ctx == ctx) {
            at = i;
            break;
        }
        if (!pct.contexts[i].ctx) at = i;
    }
    if (at >= 0) {
        pct.contexts[at].ctx = ctx;
        runs = pct.contexts[at].runs;
        pct.contexts[at].runs += (unsigned long)add;
    }
    pcr_release(&pct.lock);
    return runs;
}

static int pct_keep(pc_ctx ctx) { return pct_runs(ctx, 0) < pcr()->keep_runs; }

static void pct_learn(pc_ctx ctx, const pc_attr *a, int output, int size) {
    uint64_t name = pct_name(a->name);
    pcr_acquire(&pct.lock);
    pct.attr_size = size;
    for (int i = 0; i < PCT_NAMES; i++) {
        pct_tensor *t = &pct.tensors[i];
        if (t->used && (t->ctx != (uint64_t)ctx || t->name != name || t->output != output)) continue;
        t->ctx = ctx, t->name = name, t->output = output, t->index = (int)a->index, t->used = 1;
        break;
    }
    pcr_release(&pct.lock);
}

/* Remembers what a successful rknn_set_io_mem bound. A name never queried counts as an input. */
static void pct_remember(pc_ctx ctx, const pc_mem *mem, const pc_attr *a, uint32_t size) {
    uint64_t name = pct_name(a->name);
    int output = 0, index = (int)a->index, at = -1;
    pcr_acquire(&pct.lock);
    for (int i = 0; i < PCT_NAMES; i++) {
        const pct_tensor *t = &pct.tensors[i];
        if (t->used && t->ctx == (uint64_t)ctx && t->name == name) {
            output = t->output, index = t->index;
            break;
        }
    }
    for (int i = 0; i < PCT_BOUND && at < 0; i++) {
        pct_bind *b = &pct.bound[i];
        if (b->used && b->ctx == (uint64_t)ctx && b->name == name) at = i;
    }
    for (int i = 0; i < PCT_BOUND && at < 0; i++) {
        if (!pct.bound[i].used) at = i;
    }
    if (at >= 0) {
        pct_bind b = {ctx, name, mem, mem->virt_addr, size, mem->fd, output, index, 1, 0};
        pct.bound[at] = b;
    }
    pcr_release(&pct.lock);
}

static void pct_forget(pc_ctx ctx, const pc_mem *mem) { /* mem NULL: everything of the context */
    pcr_acquire(&pct.lock);
    for (int i = 0; i < PCT_BOUND; i++) {
        pct_bind *b = &pct.bound[i];
        if (b->used && (mem ? b->mem == mem : b->ctx == (uint64_t)ctx)) b->gone = mem != NULL, b->used = mem != NULL;
    }
    for (int i = 0; !mem && i < PCT_NAMES; i++) {
        if (pct.tensors[i].ctx == (uint64_t)ctx) pct.tensors[i].used = 0;
    }
    for (int i = 0; !mem && i < PCT_CONTEXTS; i++) {
        if (pct.contexts[i].ctx == (uint64_t)ctx) pct.contexts[i].ctx = 0, pct.contexts[i].runs = 0;
    }
    pcr_release(&pct.lock);
}

static int pct_bound_of(pc_ctx ctx, pct_bind *out) {
    int n = 0;
    pcr_acquire(&pct.lock);
    for (int i = 0; i < PCT_BOUND && n < PCT_RUN_MEMS; i++) {
        if (pct.bound[i].used && pct.bound[i].ctx == (uint64_t)ctx) out[n++] = pct.bound[i];
    }
    pcr_release(&pct.lock);
    return n;
}

/* The bound input whose memory has a file descriptor; 0 where there is none. */
static int pct_bound_fd(int fd, pct_bind *out) {
    int found = 0;
    pcr_acquire(&pct.lock);
    for (int i = 0; i < PCT_BOUND && !found; i++) {
        const pct_bind *b = &pct.bound[i];
        if (b->used && !b->gone && !b->output && b->fd == fd) *out = *b, found = 1;
    }
    pcr_release(&pct.lock);
    return found;
}

/* Contents of the bound memories, inputs or outputs; memory that was destroyed is named, not read. */
static void pct_contents(pcr_json *j, const char *key, const pct_bind *b, int n, int output, int keep) {
    pcr_open(j, key, '[');
    for (int i = 0; i < n; i++) {
        if (b[i].output != output) continue;
        pcr_open(j, NULL, '{');
        pcr_int(j, "index", b[i].index);
        pcr_addr(j, "mem", (uintptr_t)b[i].mem);
        if (b[i].gone) pcr_int(j, "destroyed", 1);
        else pcr_content(j, b[i].virt, b[i].size, output ? PCR_OUTPUT_BLOCKS : PCR_INPUT_BLOCKS, keep);
        pcr_close(j, '}');
    }
    pcr_close(j, ']');
}
