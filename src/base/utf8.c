/* utf8.c - see utf8.h. Which byte sequences are valid: The Unicode Standard, table 3-7.
 *
 * SPDX-License-Identifier: MIT */
#include "base/utf8.h"

unsigned tz_utf8_decode(const char *text, size_t size, uint32_t *ret_code) {
    if (size == 0)
        return 0;
    unsigned char lead = (unsigned char)text[0];
    if (lead < 0x80) {
        *ret_code = lead;
        return 1;
    }
    unsigned length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || length > size)
        return 0;
    uint32_t code = lead & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (!tz_utf8_continues(text[i]))
            return 0;
        code = code << 6 | (byte & 0x3fu);
    }
    bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    *ret_code = code;
    return length;
}

unsigned tz_utf8_encode(uint32_t code, char *ret_bytes) {
    static const uint32_t beyond[] = {0x80, 0x800, 0x10000};
    static const uint8_t lead[] = {0x00, 0xc0, 0xe0, 0xf0};
    unsigned length = 1;
    while (length < 4 && code >= beyond[length - 1])
        length++;
    for (unsigned i = length - 1; i > 0; i--, code >>= 6)
        ret_bytes[i] = (char)(0x80 | (code & 0x3f));
    ret_bytes[0] = (char)(lead[length - 1] | code);
    return length;
}

bool tz_utf8_printable(uint32_t code) {
    return code >= 0x20 && !(code >= 0x7f && code < 0xa0) && code != 0x2028 && code != 0x2029 &&
           code != 0xfffe && code != 0xffff;
}
