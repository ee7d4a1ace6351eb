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

/// Writes a number into its field's column; a code if it cannot be read. `next` is set behind it, unless it is none (NKUL_MALFORMED).
int put_number(Sink &sink, const Table &table, uint32_t field, const uint8_t *p, const uint8_t *&next);
/// Writes a CSV cell or a JSON text's inside into its field's column; a code if it cannot be read. Behind it stands a byte that is
/// part of no number.
int put_text_value(Sink &sink, nkul_parser &parser, const Table &table, uint32_t field, const uint8_t *p, uint32_t length);

}  // namespace nkul
