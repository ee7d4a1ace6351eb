// The scratch of one parsing thread.
#pragma once
#include "Table.hpp"
#include <simdjson.h>

struct nkul_parser {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
    std::vector<uint32_t> tokens;               // of the scalar tokenizer, for bodies that simdjson refuses
    std::vector<nkul::LastChoice> last;         // one a field
    std::vector<uint16_t> order;                // JSON: the fields of the row before, in its order
    std::vector<uint8_t> scratch;               // for texts that are not kept
    std::vector<uint16_t> header;               // CSV: the field of each cell
    std::vector<std::string> unknown;           // CSV: the first names that are no field's
    int deepest = NKUL_DEEPEST;                 // JSON: levels and members of a row
    uint32_t widest = UINT32_MAX;

    void prepare(const nkul::Table &table) {
        last.assign(table.entries.size(), {});
        order.assign(64, NKUL_NO_FIELD);
    }
    uint8_t *room(size_t bytes) {
        if (scratch.size() < bytes) scratch.resize(bytes);
        return scratch.data();
    }
};

namespace nkul {

/// Takes blanks from both ends of a value.
inline void trim(const uint8_t *&p, uint32_t &size) {
    while (size > 0 && (*p == ' ' || *p == '\t')) p++, size--;
    while (size > 0 && (p[size - 1] == ' ' || p[size - 1] == '\t')) size--;
}

/// Writes a number into its field's column; a code if it cannot be read. `next` is set behind it, unless it is none (NKUL_MALFORMED).
inline int put_number(Sink &sink, const Table &table, uint32_t field, const uint8_t *p, const uint8_t *&next) {
    const FieldEntry &entry = table.entries[field];
    bool scaled = entry.representation == NKUL_NUMBER;
    int64_t number;
    int rest;
    int code = read_number(p, scaled ? entry.decimals : 0, !scaled || entry.whole, number, next, rest);
    if (code == NKUL_MALFORMED) return code;
    switch (entry.representation) {
    case NKUL_NUMBER:
    case NKUL_DIGITS:
        if (code != NKUL_FINE) return code;
        if (rest != 0) sink.round(entry, field, number, rest);
        break;
    case NKUL_CHOICE:
        if (code != NKUL_FINE || !find_number(entry, number, number)) return NKUL_UNKNOWN_NAME;
        break;
    case NKUL_FLAG:
        if (code != NKUL_FINE || number < 0 || number > 1) return NKUL_WRONG_TYPE;
        break;
    default: return NKUL_WRONG_TYPE;
    }
    sink.put(field, number);
    return NKUL_FINE;
}

/// Writes a CSV cell or a JSON text's inside into its field's column; a code if it cannot be read. Behind it stands a byte that is
/// part of no number.
int put_text_value(Sink &sink, nkul_parser &parser, const Table &table, uint32_t field, const uint8_t *p, uint32_t length);

}  // namespace nkul
