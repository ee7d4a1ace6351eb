// The table of fields, copied and hashed, and the writing of one value into a row.
#pragma once
#include "Values.hpp"
#include <string>
#include <vector>

namespace nkul {

struct Name {
    std::string text;  // folded
    int64_t code;
};

struct FieldEntry {
    std::string name;
    uint8_t representation, decimals;
    bool whole;
    std::vector<nkul_edge> edges;
    std::vector<Name> names;
    std::vector<nkul_number> numbers;
};

/// Fields by name: open addressing over a hash of length, first and last bytes.
class Table {
public:
    explicit Table(const nkul_field *fields, uint32_t count);
    /// The field of a name, or NKUL_NO_FIELD.
    uint32_t find(const uint8_t *name, uint32_t length) const {
        for (uint32_t slot = hash(name, length);; slot++) {
            uint16_t index = slots[slot & mask];
            if (index == NKUL_NO_FIELD) return NKUL_NO_FIELD;
            const std::string &candidate = entries[index].name;
            if (candidate.size() == length && memcmp(candidate.data(), name, length) == 0) return index;
        }
    }
    std::vector<FieldEntry> entries;

private:
    static uint32_t hash(const uint8_t *name, uint32_t length) {
        if (length == 0) return 0;
        return length * 31 + name[0] * 7 + name[length - 1] * 131 + name[length / 2] * 17 + name[length / 3] * 61;
    }
    std::vector<uint16_t> slots;
    uint32_t mask;
};

/// The choice that a field's column last saw, as it was written: rows of one phone repeat themselves.
struct LastChoice {
    uint8_t length = 0;
    uint8_t text[23];
    int64_t code;
};

/// Looks up a text of a choice; false if the table does not have it. Of ASCII only letters in any case, digits and plus signs count:
/// `5G NSA`, `5g-nsa` and `5G_NSA` are one name.
bool find_choice(const FieldEntry &field, LastChoice &last, const uint8_t *text, uint32_t length, int64_t &code);
/// Looks up a number of a choice.
bool find_number(const FieldEntry &field, int64_t number, int64_t &code);

/// The rows being written.
struct Sink {
    const nkul_rows &rows;
    nkul_result &result;
    uint32_t base = 0;    // where what is read begins in the body
    uint32_t row = 0;
    bool faulty = false;  // the row has a fault already
    bool lost = false;    // the row is counted as unreadable already
    uint64_t named[4] = {};  // fields that the row has named
    bool unclean = false; // a value was left out because its text is broken

    void begin(uint32_t index) {
        row = index;
        faulty = false;
        lost = false;
        unclean = false;
        named[0] = named[1] = named[2] = named[3] = 0;
    }
    /// Counts the row as unreadable, once whatever else is wrong with it.
    void lose() {
        if (!lost) result.unreadable++;
        lost = true;
    }
    void fault(int code, uint32_t field, uint32_t offset, uint32_t length) {
        if (faulty) return;
        faulty = true;
        rows.faults[result.faults++] = {row, uint16_t(field), uint16_t(code), base + offset, length < 64 ? length : 64};
    }
    /// Notes that a value was rounded to an end of a range beyond which it lies.
    void round(const FieldEntry &entry, uint32_t field, int64_t value, int rest) {
        for (const nkul_edge &edge : entry.edges)
            if (edge.value == value && (edge.high != 0) == (rest > 0))
                rows.columns[field].beyond[row >> 6] |= uint64_t(1) << (row & 63), result.beyond++;
    }
    /// Leaves a value out of the row, and keeps why in its place.
    void leave(int code, uint32_t field, uint32_t offset, uint32_t length) {
        clear(field);
        unclean |= code == NKUL_BAD_TEXT;
        rows.columns[field].left[row >> 6] |= uint64_t(1) << (row & 63);
        rows.columns[field].integers[row] = int64_t(code) << NKUL_LEFT_CODE
            | int64_t(length < 64 ? length : 64) << NKUL_LEFT_LENGTH | (base + offset);
        result.left++;
    }
    /// Whether the row has named a field before; notes that it did now.
    bool names(uint32_t field) {
        uint64_t bit = uint64_t(1) << (field & 63), &word = named[field >> 6];
        bool before = word & bit;
        word |= bit;
        return before;
    }
    void put(uint32_t field, int64_t value) {
        rows.columns[field].integers[row] = value;
        mark(field);
    }
    void mark(uint32_t field) { rows.columns[field].presence[row >> 6] |= uint64_t(1) << (row & 63); }
    void clear(uint32_t field) { rows.columns[field].presence[row >> 6] &= ~(uint64_t(1) << (row & 63)); }
    uint8_t *identifier(uint32_t field) { return rows.columns[field].identifiers + size_t(row) * 16; }
    uint8_t *text() { return rows.text + result.text_length; }
    void put_text(uint32_t field, uint32_t length) {
        put(field, int64_t(result.text_length) << 32 | length);
        result.text_length += length;
    }
};

}  // namespace nkul

struct nkul_table {
    nkul::Table table;
};
