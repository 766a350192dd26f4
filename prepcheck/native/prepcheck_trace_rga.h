/* prepcheck_trace_rga.h - librga: im2d as C symbols and as the C++ symbols of its headers, and the legacy blit. Part of
 * prepcheck_trace.c. rga_buffer_t goes by value: PREPCHECK_RGA_BUFFER must fit the library (prepcheck_abi.h). */

static void pct_rect(pcr_json *j, const char *key, int x, int y, int w, int h) {
    pcr_open(j, key, '[');
    pcr_integer(j, x);
    pcr_integer(j, y);
    pcr_integer(j, w);
    pcr_integer(j, h);
    pcr_close(j, ']');
}

static void pct_channel(pcr_json *j, const char *key, const pc_rga_buffer *b, const pc_rga_rect *rect) {
    pcr_open(j, key, '{');
    pcr_addr(j, "virt", (uintptr_t)b->virt);
    pcr_addr(j, "phys", (uintptr_t)b->phys);
    pcr_int(j, "fd", b->fd);
#if PREPCHECK_RGA_BUFFER != 1
    pcr_int(j, "handle", b->handle);
#endif
    pcr_int(j, "width", b->width);
    pcr_int(j, "height", b->height);
    pcr_int(j, "wstride", b->wstride);
    pcr_int(j, "hstride", b->hstride);
    pcr_int(j, "format", b->format);
    pcr_int(j, "color_space", b->color_space);
    if (rect) pct_rect(j, "rect", rect->x, rect->y, rect->width, rect->height);
    pcr_close(j, '}');
}

static void pct_im(pcr_json *j, const char *api, const pc_rga_buffer *src, const pc_rga_buffer *dst,
                   const pc_rga_rect *from, const pc_rga_rect *to) {
    pcr_begin(j, api);
    if (src) pct_channel(j, "src", src, from);
    if (dst) pct_channel(j, "dst", dst, to);
}

/* One operation in its two forms. PARAMS and ARGS are those after the images; FIELDS writes them into the event. */
#define PCT_IM2(api, symbol, PARAMS, ARGS, RECT, FIELDS)                                               \
    PC_HOOK(int, symbol, (pc_rga_buffer src, pc_rga_buffer dst, PCT_LIST PARAMS), 0)                   \
    int PC_NAME_OF(symbol)(pc_rga_buffer src, pc_rga_buffer dst, PCT_LIST PARAMS) {                    \
        pc_fn_##symbol real = pc_real_##symbol();                                                      \
        pcr_json j;                                                                                    \
        int ret;                                                                                       \
        if (!pct_enter()) return real(src, dst, PCT_LIST ARGS);                                        \
        pct_im(&j, api, &src, &dst, RECT, NULL);                                                       \
        FIELDS                                                                                         \
        PCT_CALL(ret, real(src, dst, PCT_LIST ARGS));                                                  \
        pct_result(&j, api, ret);                                                                      \
        return ret;                                                                                    \
    }
#define PCT_LIST(...) __VA_ARGS__
#define PCT_F(name) pcr_int(&j, #name, name);

PCT_IM2("imcopy", imcopy_t, (int sync), (sync), NULL, PCT_F(sync))
PCT_IM2("imcopy", _Z6imcopy12rga_buffer_tS_iPi, (int sync, int *fence), (sync, fence), NULL, PCT_F(sync))
PCT_IM2("imresize", imresize_t, (double fx, double fy, int interpolation, int sync), (fx, fy, interpolation, sync), NULL,
        pcr_real(&j, "fx", fx); pcr_real(&j, "fy", fy); PCT_F(interpolation) PCT_F(sync))
PCT_IM2("imresize", _Z8imresize12rga_buffer_tS_ddiiPi,
        (double fx, double fy, int interpolation, int sync, int *fence), (fx, fy, interpolation, sync, fence), NULL,
        pcr_real(&j, "fx", fx); pcr_real(&j, "fy", fy); PCT_F(interpolation) PCT_F(sync))
PCT_IM2("imcrop", imcrop_t, (pc_rga_rect rect, int sync), (rect, sync), &rect, PCT_F(sync))
PCT_IM2("imcrop", _Z6imcrop12rga_buffer_tS_7im_rectiPi, (pc_rga_rect rect, int sync, int *fence), (rect, sync, fence),
        &rect, PCT_F(sync))
PCT_IM2("imtranslate", imtranslate_t, (int x, int y, int sync), (x, y, sync), NULL, PCT_F(x) PCT_F(y) PCT_F(sync))
PCT_IM2("imtranslate", _Z11imtranslate12rga_buffer_tS_iiiPi, (int x, int y, int sync, int *fence), (x, y, sync, fence),
        NULL, PCT_F(x) PCT_F(y) PCT_F(sync))
PCT_IM2("imcvtcolor", imcvtcolor_t, (int sfmt, int dfmt, int mode, int sync), (sfmt, dfmt, mode, sync), NULL,
        PCT_F(sfmt) PCT_F(dfmt) PCT_F(mode) PCT_F(sync))
PCT_IM2("imcvtcolor", _Z10imcvtcolor12rga_buffer_tS_iiiiPi, (int sfmt, int dfmt, int mode, int sync, int *fence),
        (sfmt, dfmt, mode, sync, fence), NULL, PCT_F(sfmt) PCT_F(dfmt) PCT_F(mode) PCT_F(sync))
PCT_IM2("imrotate", imrotate_t, (int rotation, int sync), (rotation, sync), NULL, PCT_F(rotation) PCT_F(sync))
PCT_IM2("imrotate", _Z8imrotate12rga_buffer_tS_iiPi, (int rotation, int sync, int *fence), (rotation, sync, fence), NULL,
        PCT_F(rotation) PCT_F(sync))
PCT_IM2("imflip", imflip_t, (int mode, int sync), (mode, sync), NULL, PCT_F(mode) PCT_F(sync))
PCT_IM2("imflip", _Z6imflip12rga_buffer_tS_iiPi, (int mode, int sync, int *fence), (mode, sync, fence), NULL,
        PCT_F(mode) PCT_F(sync))

#define PCT_IMFILL(symbol, PARAMS, ARGS)                                                               \
    PC_HOOK(int, symbol, (pc_rga_buffer dst, pc_rga_rect rect, int color, PCT_LIST PARAMS), 0)         \
    int PC_NAME_OF(symbol)(pc_rga_buffer dst, pc_rga_rect rect, int color, PCT_LIST PARAMS) {          \
        pc_fn_##symbol real = pc_real_##symbol();                                                      \
        pcr_json j;                                                                                    \
        int ret;                                                                                       \
        if (!pct_enter()) return real(dst, rect, color, PCT_LIST ARGS);                                \
        pct_im(&j, "imfill", NULL, &dst, NULL, &rect);                                                 \
        pcr_addr(&j, "color", (uint32_t)color);                                                        \
        PCT_F(sync)                                                                                    \
        PCT_CALL(ret, real(dst, rect, color, PCT_LIST ARGS));                                          \
        pct_result(&j, "imfill", ret);                                                                 \
        return ret;                                                                                    \
    }
PCT_IMFILL(imfill_t, (int sync), (sync))
PCT_IMFILL(_Z6imfill12rga_buffer_t7im_rectiiPi, (int sync, int *fence), (sync, fence))

#define PCT_IMPROCESS(symbol, PARAMS, ARGS)                                                                       \
    PC_HOOK(int, symbol, (pc_rga_buffer src, pc_rga_buffer dst, pc_rga_buffer pat, pc_rga_rect srect,             \
                          pc_rga_rect drect, pc_rga_rect prect, PCT_LIST PARAMS), 0)                              \
    int PC_NAME_OF(symbol)(pc_rga_buffer src, pc_rga_buffer dst, pc_rga_buffer pat, pc_rga_rect srect,            \
                           pc_rga_rect drect, pc_rga_rect prect, PCT_LIST PARAMS) {                               \
        pc_fn_##symbol real = pc_real_##symbol();                                                                 \
        pcr_json j;                                                                                               \
        int ret;                                                                                                  \
        if (!pct_enter()) return real(src, dst, pat, srect, drect, prect, PCT_LIST ARGS);                         \
        pct_im(&j, "improcess", &src, &dst, &srect, &drect);                                                      \
        PCT_F(usage)                                                                                              \
        PCT_CALL(ret, real(src, dst, pat, srect, drect, prect, PCT_LIST ARGS));                                   \
        pct_result(&j, "improcess", ret);                                                                         \
        return ret;                                                                                               \
    }
PCT_IMPROCESS(improcess, (int usage), (usage))
PCT_IMPROCESS(_Z9improcess12rga_buffer_tS_S_7im_rectS0_S0_iPiP6im_opti,
              (int wait_fence, int *fence, void *options, int usage), (wait_fence, fence, options, usage))

/* Memory handed to the driver: how, how large or of what image, and the handle that came back (0 or 0xffffffff: none). */
static void pct_import(pcr_json *j, const char *api, const char *key, uint64_t address) {
    pcr_begin(j, api);
    if (!strcmp(key, "fd")) pcr_int(j, key, (int64_t)address);
    else pcr_addr(j, key, address);
}

static uint32_t pct_imported(pcr_json *j, const char *api, uint32_t handle) {
    pcr_int(j, "handle", handle);
    pct_finish(j, api);
    return handle;
}

static void pct_image(pcr_json *j, int64_t width, int64_t height, int64_t format) {
    pcr_int(j, "width", width);
    pcr_int(j, "height", height);
    pcr_int(j, "format", format);
}

#define PCT_IMPORT(api, key, symbol, type, PARAMS, ARGS, FIELDS)                            \
    PC_HOOK(uint32_t, symbol, (type address, PCT_LIST PARAMS), 0)                           \
    uint32_t PC_NAME_OF(symbol)(type address, PCT_LIST PARAMS) {                            \
        pc_fn_##symbol real = pc_real_##symbol();                                           \
        pcr_json j;                                                                         \
        uint32_t handle;                                                                    \
        if (!pct_enter()) return real(address, PCT_LIST ARGS);                              \
        pct_import(&j, api, key, (uint64_t)(uintptr_t)address);                             \
        FIELDS                                                                              \
        PCT_CALL(handle, real(address, PCT_LIST ARGS));                                     \
        return pct_imported(&j, api, handle);                                               \
    }
#define PCT_IMPORTS(api, key, type, by_size, by_image)                                                            \
    PCT_IMPORT(#api, key, api, type, (pc_rga_param * param), (param),                                             \
               if (param) pct_image(&j, param->width, param->height, param->format);)                             \
    PCT_IMPORT(#api, key, by_size, type, (int size), (size), pcr_int(&j, "size", size);)                          \
    PCT_IMPORT(#api, key, by_image, type, (int width, int height, int format), (width, height, format),           \
               pct_image(&j, width, height, format);)

PCT_IMPORTS(importbuffer_fd, "fd", int, _Z15importbuffer_fdii, _Z15importbuffer_fdiiii)
PCT_IMPORTS(importbuffer_virtualaddr, "virt", void *, _Z24importbuffer_virtualaddrPvi, _Z24importbuffer_virtualaddrPviii)
#if defined(__LP64__)
PCT_IMPORTS(importbuffer_physicaladdr, "phys", uint64_t, _Z25importbuffer_physicaladdrmi, _Z25importbuffer_physicaladdrmiii)
#else
PCT_IMPORTS(importbuffer_physicaladdr, "phys", uint64_t, _Z25importbuffer_physicaladdryi, _Z25importbuffer_physicaladdryiii)
#endif

PC_HOOK(int, releasebuffer_handle, (uint32_t handle), 0)
int PC_NAME_OF(releasebuffer_handle)(uint32_t handle) {
    pc_fn_releasebuffer_handle real = pc_real_releasebuffer_handle();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(handle);
    pcr_begin(&j, "releasebuffer_handle");
    pcr_int(&j, "handle", handle);
    PCT_CALL(ret, real(handle));
    pct_result(&j, "releasebuffer_handle", ret);
    return ret;
}

PC_HOOK(int, imconfig, (int name, uint64_t value), 0)
int PC_NAME_OF(imconfig)(int name, uint64_t value) {
    pc_fn_imconfig real = pc_real_imconfig();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(name, value);
    pcr_begin(&j, "imconfig");
    pcr_int(&j, "name", name);
    pcr_int(&j, "value", (int64_t)value);
    PCT_CALL(ret, real(name, value));
    pct_result(&j, "imconfig", ret);
    return ret;
}

static void pct_legacy(pcr_json *j, const char *key, const pc_rga_info *b) {
    if (!b) return;
    pcr_open(j, key, '{');
    pcr_addr(j, "virt", (uintptr_t)b->virt);
    pcr_addr(j, "phys", (uintptr_t)b->phys);
    pcr_int(j, "fd", b->fd);
    pcr_int(j, "wstride", b->rect.wstride);
    pcr_int(j, "hstride", b->rect.hstride);
    pcr_int(j, "format", b->rect.format ? b->rect.format : b->format);
    pcr_int(j, "size", b->buffer_size);
    pcr_int(j, "rotation", b->rotation);
    pct_rect(j, "rect", b->rect.x, b->rect.y, b->rect.width, b->rect.height);
    pcr_close(j, '}');
}

PC_HOOK(int, c_RkRgaBlit, (pc_rga_info * src, pc_rga_info *dst, pc_rga_info *src1), PCT_FAIL)
int PC_NAME_OF(c_RkRgaBlit)(pc_rga_info *src, pc_rga_info *dst, pc_rga_info *src1) {
    pc_fn_c_RkRgaBlit real = pc_real_c_RkRgaBlit();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(src, dst, src1);
    pcr_begin(&j, "c_RkRgaBlit");
    pct_legacy(&j, "src", src);
    pct_legacy(&j, "dst", dst);
    PCT_CALL(ret, real(src, dst, src1));
    pct_result(&j, "c_RkRgaBlit", ret);
    return ret;
}

PC_HOOK(int, c_RkRgaColorFill, (pc_rga_info * dst), PCT_FAIL)
int PC_NAME_OF(c_RkRgaColorFill)(pc_rga_info *dst) {
    pc_fn_c_RkRgaColorFill real = pc_real_c_RkRgaColorFill();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(dst);
    pcr_begin(&j, "c_RkRgaColorFill");
    pct_legacy(&j, "dst", dst);
    if (dst) pcr_addr(&j, "color", (uint32_t)dst->color);
    PCT_CALL(ret, real(dst));
    pct_result(&j, "c_RkRgaColorFill", ret);
    return ret;
}

PC_HOOK(int, _ZN11RockchipRga9RkRgaBlitEP8rga_infoS1_S1_,
        (void *self, pc_rga_info *src, pc_rga_info *dst, pc_rga_info *src1), PCT_FAIL)
int PC_NAME_OF(_ZN11RockchipRga9RkRgaBlitEP8rga_infoS1_S1_)(void *self, pc_rga_info *src, pc_rga_info *dst,
                                                           pc_rga_info *src1) {
    pc_fn__ZN11RockchipRga9RkRgaBlitEP8rga_infoS1_S1_ real = pc_real__ZN11RockchipRga9RkRgaBlitEP8rga_infoS1_S1_();
    pcr_json j;
    int ret;
    if (!pct_enter()) return real(self, src, dst, src1);
    pcr_begin(&j, "RkRgaBlit");
    pct_legacy(&j, "src", src);
    pct_legacy(&j, "dst", dst);
    PCT_CALL(ret, real(self, src, dst, src1));
    pct_result(&j, "RkRgaBlit", ret);
    return ret;
}
