#include "Values.hpp"

namespace nkul {

namespace {

struct HexTable {
    uint8_t digit[256];
    constexpr HexTable() : digit() {
        for (int c = 0; c < 256; c++) {
            digit[c] = c >= '0' && c <= '9' ? uint8_t(c - '0')
                : c >= 'a' && c <= 'f'      ? uint8_t(c - 'a' + 10)
                : c >= 'A' && c <= 'F'      ? uint8_t(c - 'A' + 10)
                                            : uint8_t(0x80);
        }
    }
};
constexpr HexTable hex;

bool two(const uint8_t *p, int &value) {
    if (!is_digit(p[0]) || !is_digit(p[1])) return false;
    value = (p[0] - '0') * 10 + (p[1] - '0');
    return true;
}

/// Days from 1970-01-01 (H. Hinnant, "chrono-compatible low-level date algorithms").
int64_t days(int year, int month, int day) {
    year -= month <= 2;
    int era = year / 400;
    unsigned of_era = unsigned(year - era * 400);
    unsigned of_year = unsigned((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1);
    return int64_t(era) * 146097 + int64_t(of_era * 365 + of_era / 4 - of_era / 100 + of_year) - 719468;
}

int32_t hex4(const uint8_t *p) {
    uint32_t a = hex.digit[p[0]], b = hex.digit[p[1]], c = hex.digit[p[2]], d = hex.digit[p[3]];
    return (a | b | c | d) & 0x80 ? -1 : int32_t(a << 12 | b << 8 | c << 4 | d);
}

uint8_t *utf8(uint32_t code, uint8_t *out) {
    if (code < 0x80) {
        *out++ = uint8_t(code);
    } else if (code < 0x800) {
        *out++ = uint8_t(0xC0 | code >> 6);
        *out++ = uint8_t(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *out++ = uint8_t(0xE0 | code >> 12);
        *out++ = uint8_t(0x80 | (code >> 6 & 63));
        *out++ = uint8_t(0x80 | (code & 63));
    } else {
        *out++ = uint8_t(0xF0 | code >> 18);
        *out++ = uint8_t(0x80 | (code >> 12 & 63));
        *out++ = uint8_t(0x80 | (code >> 6 & 63));
        *out++ = uint8_t(0x80 | (code & 63));
    }
    return out;
}

}  // namespace

bool read_identifier(const uint8_t *p, uint8_t *out) {
    if (p[8] != '-' || p[13] != '-' || p[18] != '-' || p[23] != '-') return false;
    static constexpr uint8_t places[16] = {0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};
    uint8_t seen = 0;
    for (int index = 0; index < 16; index++) {
        uint8_t high = hex.digit[p[places[index]]], low = hex.digit[p[places[index] + 1]];
        seen |= high | low;
        out[index] = uint8_t(high << 4 | (low & 15));
    }
    return !(seen & 0x80);
}

bool read_instant(const uint8_t *p, uint32_t length, int64_t &value) {
    int century, year, month, day, hour, minute, second;
    if (length < 20 || length > 64) return false;
    if (!two(p, century) || !two(p + 2, year) || p[4] != '-' || !two(p + 5, month) || p[7] != '-' || !two(p + 8, day))
        return false;
    if ((p[10] | 0x20) != 't' && p[10] != ' ') return false;
    if (!two(p + 11, hour) || p[13] != ':' || !two(p + 14, minute) || p[16] != ':' || !two(p + 17, second)) return false;
    year += century * 100;
    static constexpr uint8_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12 || year < 1970 || hour > 23 || minute > 59 || second > 60) return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (day < 1 || day > lengths[month - 1] + (leap && month == 2 ? 1 : 0)) return false;
    int64_t result = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60000 + second * 1000;
    uint32_t at = 19;
    if (p[at] == '.') {
        int unit = 100;
        uint32_t first = ++at;
        for (; at < length && is_digit(p[at]); at++, unit /= 10) result += (p[at] - '0') * unit;
        if (at == first) return false;
    }
    if (at >= length) return false;
    if ((p[at] | 0x20) == 'z') {
        if (at + 1 != length) return false;
    } else {
        if (at + 6 != length || (p[at] != '+' && p[at] != '-') || p[at + 3] != ':') return false;
        if (!two(p + at + 1, hour) || !two(p + at + 4, minute) || hour > 23 || minute > 59) return false;
        int64_t offset = (hour * 60 + minute) * 60000;
        result += p[at] == '+' ? -offset : offset;
    }
    if (second == 60 && result / 1000 % 86400 != 0) return false;
    value = result;
    return true;
}

int32_t unescape(const uint8_t *p, uint32_t length, uint8_t *out) {
    const uint8_t *end = p + length;
    uint8_t *start = out;
    while (p < end) {
        if (*p < 0x20) return -1;
        if (*p != '\\') {
            *out++ = *p++;
            continue;
        }
        if (++p == end) return -1;
        switch (*p++) {
        case '"': *out++ = '"'; break;
        case '\\': *out++ = '\\'; break;
        case '/': *out++ = '/'; break;
        case 'b': *out++ = '\b'; break;
        case 'f': *out++ = '\f'; break;
        case 'n': *out++ = '\n'; break;
        case 'r': *out++ = '\r'; break;
        case 't': *out++ = '\t'; break;
        case 'u': {
            if (end - p < 4) return -1;
            int32_t code = hex4(p);
            p += 4;
            if (code < 0 || (code >= 0xDC00 && code < 0xE000)) return -1;
            if (code >= 0xD800 && code < 0xDC00) {
                if (end - p < 6 || p[0] != '\\' || p[1] != 'u') return -1;
                int32_t low = hex4(p + 2);
                if (low < 0xDC00 || low >= 0xE000) return -1;
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                p += 6;
            }
            out = utf8(uint32_t(code), out);
            break;
        }
        default: return -1;
        }
    }
    return int32_t(out - start);
}

}  // namespace nkul
