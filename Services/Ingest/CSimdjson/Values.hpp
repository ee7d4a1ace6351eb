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

/// Reads a JSON number as value × 10^decimals, exactly, rounded half away from zero.
///
/// `next` is set behind the number. NKUL_MALFORMED: it is no number. At most 18 significant digits are kept; what lies
/// behind them can only matter to numbers that do not fit anyway.
inline int read_number(const uint8_t *p, int decimals, bool whole, int64_t &value, const uint8_t *&next) {
    bool negative = *p == '-';
    if (negative) p++;
    if (!is_digit(*p)) return NKUL_MALFORMED;
    uint64_t mantissa = 0;
    int significant = 0, exponent = 0;
    bool fraction = false;
    if (*p == '0') {
        p++;
        if (is_digit(*p)) return NKUL_MALFORMED;
    }
    for (; is_digit(*p); p++) {
        if (significant < 18) {
            mantissa = mantissa * 10 + (*p - '0');
            significant++;
        } else {
            exponent++;
        }
    }
    if (*p == '.') {
        p++;
        if (!is_digit(*p)) return NKUL_MALFORMED;
        for (; is_digit(*p); p++) {
            fraction |= *p != '0';
            if (significant < 18) {
                mantissa = mantissa * 10 + (*p - '0');
                exponent--;
                significant += mantissa != 0;
            }
        }
    }
    if ((*p | 0x20) == 'e') {
        p++;
        bool down = *p == '-';
        if (*p == '-' || *p == '+') p++;
        if (!is_digit(*p)) return NKUL_MALFORMED;
        int written = 0;
        for (; is_digit(*p); p++)
            if (written < 100000) written = written * 10 + (*p - '0');
        exponent += down ? -written : written;
        fraction = false;
    }
    next = p;
    int shift = exponent + decimals;
    int64_t result;
    if (mantissa == 0) {
        result = 0;
    } else if (shift >= 0) {
        if (shift > 18) return NKUL_TOO_BIG;
        __int128 wide = __int128(mantissa) * powers[shift];
        if (wide > INT64_MAX) return NKUL_TOO_BIG;
        result = int64_t(wide);
    } else if (shift < -18) {
        result = 0;
        fraction = true;
    } else {
        uint64_t divisor = uint64_t(powers[-shift]);
        uint64_t rest = mantissa % divisor;
        result = int64_t(mantissa / divisor) + (rest * 2 >= divisor ? 1 : 0);
        fraction |= rest != 0;
    }
    if (whole && fraction) return NKUL_NOT_WHOLE;
    value = negative ? -result : result;
    return NKUL_FINE;
}

/// Reads text of 1 to 18 decimal digits.
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

/// Reads an RFC 3339 time as Unix milliseconds; fractions beyond milliseconds are cut off.
bool read_instant(const uint8_t *p, uint32_t length, int64_t &value);

/// Reads the inside of a JSON string; -1 if an escape is broken. Never writes more bytes than it reads.
int32_t unescape(const uint8_t *p, uint32_t length, uint8_t *out);

}  // namespace nkul
