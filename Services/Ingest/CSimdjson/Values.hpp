// Reads single values: numbers, times, identifiers, texts. Each function reads from `p`, never beyond a zero byte.
#pragma once
#include "CSimdjson.h"
#include <cstring>

namespace nkul {

constexpr int64_t powers[] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
    10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000};

inline bool is_digit(uint8_t c) { return uint8_t(c - '0') < 10; }

/// What may stand behind a scalar in JSON.
inline bool ends_scalar(uint8_t c) {
    return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == 0;
}

/// Reads a decimal number as value × 10^decimals, exactly, rounded half away from zero.
///
/// It may be written as JSON has it, and with a plus, with zeros in front, or without a digit on one side of the point: `+5`,
/// `05`, `.5` and `5.` are numbers at every door. `next` is set behind it, `rest` to the sign of what rounding took away. At most
/// 18 significant digits are kept; what lies behind them can only matter to numbers that do not fit anyway. NKUL_MALFORMED: it is
/// no number.
inline int read_number(const uint8_t *p, int decimals, bool whole, int64_t &value, const uint8_t *&next, int &rest) {
    bool negative = *p == '-';
    if (negative || *p == '+') p++;
    uint64_t mantissa = 0;
    int significant = 0, exponent = 0;
    bool lost = false;  // digits behind the 18th that are not 0
    const uint8_t *first = p;
    while (*p == '0') p++;
    for (; is_digit(*p); p++) {
        if (significant < 18) {
            mantissa = mantissa * 10 + (*p - '0');
            significant++;
        } else {
            exponent++;
        }
    }
    bool digits = p != first;
    if (*p == '.') {
        first = ++p;
        for (; is_digit(*p); p++) {
            if (significant < 18) {
                mantissa = mantissa * 10 + (*p - '0');
                exponent--;
                significant += mantissa != 0;
            } else {
                lost |= *p != '0';
            }
        }
        digits |= p != first;
    }
    if (!digits) return NKUL_MALFORMED;
    if ((*p | 0x20) == 'e') {
        p++;
        bool down = *p == '-';
        if (*p == '-' || *p == '+') p++;
        if (!is_digit(*p)) return NKUL_MALFORMED;
        int written = 0;
        for (; is_digit(*p); p++)
            if (written < 100000) written = written * 10 + (*p - '0');
        exponent += down ? -written : written;
    }
    next = p;
    int shift = exponent + decimals;
    int64_t result;
    rest = lost;
    if (mantissa == 0) {
        result = 0;
    } else if (shift >= 0) {
        if (shift > 18) return NKUL_TOO_BIG;
        __int128 wide = __int128(mantissa) * powers[shift];
        if (wide > INT64_MAX) return NKUL_TOO_BIG;
        result = int64_t(wide);
    } else if (shift < -18) {
        result = 0;
        rest = 1;
    } else {
        uint64_t divisor = uint64_t(powers[-shift]);
        uint64_t over = mantissa % divisor;
        bool up = over * 2 >= divisor;
        result = int64_t(mantissa / divisor) + up;
        if (over != 0) rest = up ? -1 : 1;
    }
    if (whole && rest != 0) return NKUL_NOT_WHOLE;
    value = negative ? -result : result;
    if (negative) rest = -rest;
    return NKUL_FINE;
}

/// Reads text of 1 to 18 decimal digits and nothing else: what most identities are.
inline bool read_digits(const uint8_t *p, uint32_t length, int64_t &value) {
    if (length == 0 || length > 18) return false;
    int64_t result = 0;
    for (uint32_t place = 0; place < length; place++) {
        if (!is_digit(p[place])) return false;
        result = result * 10 + (p[place] - '0');
    }
    value = result;
    return true;
}

/// Reads the 36 characters of a UUID.
bool read_identifier(const uint8_t *p, uint8_t *out);

/// Reads an RFC 3339 time as Unix milliseconds; fractions beyond milliseconds are cut off. A second 60 is that of a leap second,
/// which there is at the end of a UTC day only, and counts as the next day's first.
bool read_instant(const uint8_t *p, uint32_t length, int64_t &value);

/// Reads the inside of a JSON string; -1 if an escape is broken. Never writes more bytes than it reads.
int32_t unescape(const uint8_t *p, uint32_t length, uint8_t *out);

}  // namespace nkul
