#include "Parser.hpp"
#include "Values.hpp"
#include <new>

namespace nkul {

namespace {

/// Reads `true` and `false` in any case.
bool read_flag(const uint8_t *p, uint32_t size, int64_t &flag) {
    auto is = [&](const char *word) {
        for (uint32_t place = 0; place < size; place++)
            if ((p[place] | 0x20) != uint8_t(word[place])) return false;
        return true;
    };
    flag = size == 4;
    return (size == 4 && is("true")) || (size == 5 && is("false"));
}

}  // namespace

int put_text_value(Sink &sink, nkul_parser &parser, const Table &table, uint32_t field, const uint8_t *p, uint32_t size) {
    const FieldEntry &entry = table.entries[field];
    if (entry.representation != NKUL_TEXT) trim(p, size);
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
        if (!read_digits(p, size, number)) break;
        sink.put(field, number);
        return NKUL_FINE;
    case NKUL_CHOICE:
        if (!find_choice(entry, parser.last[field], p, size, number)) break;
        sink.put(field, number);
        return NKUL_FINE;
    case NKUL_FLAG:
        if (!read_flag(p, size, number)) break;
        sink.put(field, number);
        return NKUL_FINE;
    case NKUL_TEXT:
        memmove(sink.text(), p, size);
        sink.put_text(field, size);
        return NKUL_FINE;
    default: break;
    }
    const uint8_t *next = nullptr;
    int code = put_number(sink, table, field, p, next);
    if (code != NKUL_MALFORMED && next == p + size) return code;
    return entry.representation == NKUL_CHOICE ? NKUL_UNKNOWN_NAME : NKUL_WRONG_TYPE;
}

}  // namespace nkul

extern "C" nkul_parser *nkul_parser_create(void) { return new (std::nothrow) nkul_parser; }
extern "C" void nkul_parser_limit(nkul_parser *parser, uint8_t depth, uint32_t members) {
    parser->deepest = std::min<int>(depth, NKUL_DEEPEST);
    parser->widest = members;
}
extern "C" const char *nkul_parser_unknown(const nkul_parser *parser, uint32_t index, uint32_t *length) {
    if (index >= parser->unknown.size()) return nullptr;
    *length = uint32_t(parser->unknown[index].size());
    return parser->unknown[index].data();
}
extern "C" void nkul_parser_destroy(nkul_parser *parser) { delete parser; }
