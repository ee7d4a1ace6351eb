// Where values begin in a JSON body.
#pragma once
#include "Parser.hpp"

namespace nkul {

/// Positions of brackets, commas, colons, opening quotes and first bytes of other scalars, in order; two positions
/// `length` stand behind the last.
struct Tokens {
    const uint32_t *at;
    uint32_t count;
    bool checkText;  // texts may hold broken UTF-8 or control characters: look at each
};

/// Uses simdjson's vectorised first stage; falls back to `scan` for a body that simdjson refuses as a whole.
Tokens tokenize(nkul_parser &parser, const uint8_t *body, uint32_t length, bool lines);

/// A scalar tokenizer for damaged bodies, from `start`. With `lines`, a line's end closes an open string.
Tokens scan(nkul_parser &parser, const uint8_t *body, uint32_t start, uint32_t length, bool lines);

}  // namespace nkul
