#include "Parser.hpp"
#include "Values.hpp"
#include <new>

namespace nkul {

int put_text_value(Sink &sink, nkul_parser &parser, const Table &table, uint32_t field, const uint8_t *p, uint32_t size) {
    const FieldEntry &entry = table.entries[field];
    int64_t number;
    switch (entry.representation) {
    case NKUL_IDENTIFIER:
        if (size != 36 || !read_identifier(p, sink.identifier(field))) return NKUL_BAD_FORMAT;
        sink.mark(field);
        return NKUL_FINE;
    case NKUL_INSTANT:
        if (!read_instant(p, size, number)) return NKUL_BAD_FORMAT;
        sink.put(field, number);
        return NKUL_FINE;
    case NKUL_DIGITS:
        if (!read_digits(p, size, number)) return NKUL_WRONG_TYPE;
        sink.put(field, number);
        return NKUL_FINE;
    case NKUL_CHOICE:
        if (!find_choice(entry, parser.last[field], p, size, number)) return NKUL_UNKNOWN_NAME;
        sink.put(field, number);
        return NKUL_FINE;
    case NKUL_TEXT:
        memmove(sink.text(), p, size);
        sink.put_text(field, size);
        return NKUL_FINE;
    default: return NKUL_WRONG_TYPE;
    }
}

}  // namespace nkul

extern "C" nkul_parser *nkul_parser_create(void) { return new (std::nothrow) nkul_parser; }
extern "C" void nkul_parser_limit(nkul_parser *parser, uint8_t depth, uint32_t members) {
    parser->deepest = std::min<int>(depth, NKUL_DEEPEST);
    parser->widest = members;
}
extern "C" void nkul_parser_destroy(nkul_parser *parser) { delete parser; }
