/* prepcheck_pcrec_json.h - the JSON of one event, in a buffer on the stack. Part of prepcheck_pcrec.h. */
#ifndef PREPCHECK_PCREC_JSON_H
#define PREPCHECK_PCREC_JSON_H

typedef struct pcr_json {
    size_t len;
    int full;
    char text[PCR_EVENT_MAX + 64];
} pcr_json;

PCR_FN void pcr_raw(pcr_json *j, const char *s, size_t n) {
    if (j->len + n > PCR_EVENT_MAX) {
        j->full = 1;
        return;
    }
    memcpy(j->text + j->len, s, n);
    j->len += n;
}

PCR_FN void pcr_sep(pcr_json *j) {
    char last = j->len ? j->text[j->len - 1] : '{';
    if (last != '{' && last != '[' && last != ':') pcr_raw(j, ",", 1);
}

PCR_FN void pcr_quoted(pcr_json *j, const char *s, size_t most) {
    pcr_sep(j);
    pcr_raw(j, "\"", 1);
    for (size_t i = 0; i < most && s && s[i]; i++) {
        unsigned char c = (unsigned char)s[i];
        char esc[8];
        if (c == '"' || c == '\\') {
            esc[0] = '\\', esc[1] = (char)c;
            pcr_raw(j, esc, 2);
        } else if (c < 0x20 || c >= 0x7f) { /* a byte is kept as the code point of its value: no charset is assumed */
            snprintf(esc, sizeof esc, "\\u%04x", c);
            pcr_raw(j, esc, 6);
        } else {
            pcr_raw(j, s + i, 1);
        }
    }
    pcr_raw(j, "\"", 1);
}

PCR_FN void pcr_key(pcr_json *j, const char *key) {
    pcr_quoted(j, key, 64);
    pcr_raw(j, ":", 1);
}

PCR_FN void pcr_text(pcr_json *j, const char *key, const char *s, size_t most) {
    pcr_key(j, key);
    pcr_quoted(j, s, most);
}

PCR_FN void pcr_integer(pcr_json *j, int64_t v) { /* an element of a list, or the value after pcr_key */
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%lld", (long long)v);
    pcr_sep(j);
    pcr_raw(j, digits, (size_t)n);
}

PCR_FN void pcr_int(pcr_json *j, const char *key, int64_t v) {
    pcr_key(j, key);
    pcr_integer(j, v);
}

PCR_FN void pcr_addr(pcr_json *j, const char *key, uint64_t v) { /* addresses and contexts: text, "0x…" */
    char digits[24];
    snprintf(digits, sizeof digits, "0x%llx", (unsigned long long)v);
    pcr_text(j, key, digits, sizeof digits);
}

PCR_FN void pcr_real(pcr_json *j, const char *key, double v) { /* the decimal point may be anything in a locale */
    char digits[48], out[48];
    int n = snprintf(digits, sizeof digits, "%.9g", v), m = 0, foreign = 0;
    if (v != v || v - v != 0) {
        pcr_text(j, key, v != v ? "nan" : v > 0 ? "inf" : "-inf", 8);
        return;
    }
    for (int i = 0; i < n; i++) {
        char c = digits[i];
        int ours = (c >= '0' && c <= '9') || c == 'e' || c == '-' || c == '+';
        if (ours) out[m++] = c;
        else if (!foreign++) out[m++] = '.';
    }
    pcr_key(j, key);
    pcr_raw(j, out, (size_t)m);
}

PCR_FN void pcr_open(pcr_json *j, const char *key, char bracket) {
    if (key) pcr_key(j, key);
    else pcr_sep(j);
    pcr_raw(j, &bracket, 1);
}

PCR_FN void pcr_close(pcr_json *j, char bracket) { pcr_raw(j, &bracket, 1); }

#endif
