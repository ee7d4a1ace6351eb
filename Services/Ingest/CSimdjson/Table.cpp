#include "Table.hpp"
#include "Values.hpp"
#include <new>

namespace nkul {

namespace {

uint8_t upper(uint8_t c) { return c >= 'a' && c <= 'z' ? uint8_t(c - 32) : c; }

/// Whether a byte of a name counts: signs and blanks of ASCII do not, but for the plus.
bool counts(uint8_t c) { return c >= 0x80 || c == '+' || is_digit(c) || uint8_t((c | 0x20) - 'a') < 26; }

std::string folded(const char *text, uint32_t length) {
    std::string result;
    for (uint32_t place = 0; place < length; place++)
        if (counts(uint8_t(text[place]))) result.push_back(char(upper(uint8_t(text[place]))));
    return result;
}

/// What counts of a text; empty if that is longer than any name.
struct Folded {
    uint8_t bytes[64];
    size_t size = 0;

    Folded(const uint8_t *text, uint32_t length) {
        for (uint32_t place = 0; place < length; place++) {
            if (!counts(text[place])) continue;
            if (size == sizeof bytes) {
                size = 0;
                return;
            }
            bytes[size++] = upper(text[place]);
        }
    }

    bool is(const std::string &name) const {
        return size == name.size() && size > 0 && memcmp(name.data(), bytes, size) == 0;
    }
};

}  // namespace

Table::Table(const nkul_field *fields, uint32_t count) {
    for (uint32_t index = 0; index < count; index++) {
        const nkul_field &field = fields[index];
        FieldEntry entry{std::string(field.name, field.name_length), field.representation, field.decimals,
                         field.whole != 0, {field.edges, field.edges + field.edge_count}, {}, {}};
        for (uint32_t place = 0; place < field.name_count; place++)
            entry.names.push_back({folded(field.names[place].text, field.names[place].length), field.names[place].code});
        for (uint32_t place = 0; place < field.number_count; place++) entry.numbers.push_back(field.numbers[place]);
        entries.push_back(std::move(entry));
    }
    uint32_t size = 16;
    while (size < count * 4) size *= 2;
    mask = size - 1;
    slots.assign(size, NKUL_NO_FIELD);
    for (uint32_t index = 0; index < count; index++) {
        const std::string &name = entries[index].name;
        uint32_t slot = hash(reinterpret_cast<const uint8_t *>(name.data()), uint32_t(name.size()));
        while (slots[slot & mask] != NKUL_NO_FIELD) slot++;
        slots[slot & mask] = uint16_t(index);
    }
}

bool find_choice(const FieldEntry &field, LastChoice &last, const uint8_t *text, uint32_t length, int64_t &code) {
    if (length != 0 && last.length == length && memcmp(last.text, text, length) == 0) {
        code = last.code;
        return true;
    }
    int64_t number;
    if (!field.numbers.empty() && read_digits(text, length, number) && find_number(field, number, code)) return true;
    const Folded folded(text, length);
    for (const Name &name : field.names) {
        if (!folded.is(name.text)) continue;
        code = name.code;
        if (length <= sizeof last.text) {
            last.length = uint8_t(length);
            memcpy(last.text, text, length);
            last.code = code;
        }
        return true;
    }
    return false;
}

bool find_number(const FieldEntry &field, int64_t number, int64_t &code) {
    for (const nkul_number &candidate : field.numbers) {
        if (candidate.number != number) continue;
        code = candidate.code;
        return true;
    }
    return false;
}

}  // namespace nkul

extern "C" nkul_table *nkul_table_create(const nkul_field *fields, uint32_t count) {
    try {
        return new nkul_table{nkul::Table(fields, count)};
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

extern "C" void nkul_table_destroy(nkul_table *table) { delete table; }
