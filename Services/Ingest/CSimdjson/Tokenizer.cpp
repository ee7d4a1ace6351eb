#include "Tokenizer.hpp"

namespace nkul {

Tokens scan(nkul_parser &parser, const uint8_t *body, uint32_t start, uint32_t length, bool lines) {
    std::vector<uint32_t> &tokens = parser.tokens;
    tokens.clear();
    bool scalar = false;
    for (uint32_t at = start; at < length; at++) {
        switch (body[at]) {
        case ' ': case '\t': case '\n': case '\r': scalar = false; break;
        case '{': case '}': case '[': case ']': case ',': case ':':
            tokens.push_back(at);
            scalar = false;
            break;
        case '"':
            if (!scalar) tokens.push_back(at);
            for (at++; at < length && body[at] != '"' && !(lines && body[at] == '\n'); at++)
                if (body[at] == '\\') at++;
            scalar = false;
            break;
        default:
            if (!scalar) tokens.push_back(at);
            scalar = true;
        }
    }
    uint32_t count = uint32_t(tokens.size());
    tokens.push_back(length);
    tokens.push_back(length);
    return {tokens.data(), count, true};
}

Tokens tokenize(nkul_parser &parser, const uint8_t *body, uint32_t length, bool lines) {
    if (!parser.stage || parser.stage->capacity() < length) {
        size_t capacity = 1 << 16;
        while (capacity < length) capacity *= 2;
        parser.stage.reset();
        if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, parser.stage))
            throw std::bad_alloc();
    }
    if (parser.stage->stage1(body, length, simdjson::stage1_mode::regular) != simdjson::SUCCESS)
        return scan(parser, body, 0, length, lines);
    uint32_t count = parser.stage->n_structural_indexes;
    uint32_t *at = parser.stage->structural_indexes.get();
    at[count] = at[count + 1] = length;
    return {at, count, false};
}

}  // namespace nkul
