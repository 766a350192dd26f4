/* prepcheck_pcrec_hash.h - XXH64 (the published algorithm), seed 0; reads need no alignment. Part of prepcheck_pcrec.h. */
#ifndef PREPCHECK_PCREC_HASH_H
#define PREPCHECK_PCREC_HASH_H

#define PCR_P1 0x9E3779B185EBCA87ULL
#define PCR_P2 0xC2B2AE3D27D4EB4FULL
#define PCR_P3 0x165667B19E3779F9ULL
#define PCR_P4 0x85EBCA77C2B2AE63ULL
#define PCR_P5 0x27D4EB2F165667C5ULL

PCR_FN uint64_t pcr_rotl(uint64_t x, int r) { return (x << r) | (x >> (64 - r)); }

PCR_FN uint64_t pcr_le64(const unsigned char *p) {
    uint64_t v;
    memcpy(&v, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

PCR_FN uint64_t pcr_lane(uint64_t acc, uint64_t v) { return pcr_rotl(acc + v * PCR_P2, 31) * PCR_P1; }

PCR_FN uint64_t pcr_hash64(const void *data, size_t n) {
    const unsigned char *p = (const unsigned char *)data, *end = p + n;
    uint64_t h;
    if (n >= 32) {
        uint64_t a = PCR_P1 + PCR_P2, b = PCR_P2, c = 0, d = 0 - PCR_P1;
        for (; end - p >= 32; p += 32) {
            a = pcr_lane(a, pcr_le64(p));
            b = pcr_lane(b, pcr_le64(p + 8));
            c = pcr_lane(c, pcr_le64(p + 16));
            d = pcr_lane(d, pcr_le64(p + 24));
        }
        h = pcr_rotl(a, 1) + pcr_rotl(b, 7) + pcr_rotl(c, 12) + pcr_rotl(d, 18);
        h = (h ^ pcr_lane(0, a)) * PCR_P1 + PCR_P4;
        h = (h ^ pcr_lane(0, b)) * PCR_P1 + PCR_P4;
        h = (h ^ pcr_lane(0, c)) * PCR_P1 + PCR_P4;
        h = (h ^ pcr_lane(0, d)) * PCR_P1 + PCR_P4;
    } else {
        h = PCR_P5;
    }
    h += (uint64_t)n;
    for (; end - p >= 8; p += 8) h = pcr_rotl(h ^ pcr_lane(0, pcr_le64(p)), 27) * PCR_P1 + PCR_P4;
    if (end - p >= 4) {
        uint64_t w = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
        h = pcr_rotl(h ^ (w * PCR_P1), 23) * PCR_P2 + PCR_P3;
        p += 4;
    }
    for (; p < end; p++) h = pcr_rotl(h ^ (*p * PCR_P5), 11) * PCR_P1;
    h = (h ^ (h >> 33)) * PCR_P2;
    h = (h ^ (h >> 29)) * PCR_P3;
    return h ^ (h >> 32);
}

#endif
