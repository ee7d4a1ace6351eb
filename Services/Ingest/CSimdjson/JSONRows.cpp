#include "Tokenizer.hpp"
#include <new>

namespace nkul {

namespace {

constexpr int repairs = 16;  // how often a damaged array is tokenized again
constexpr uint64_t returns = 4;  // how many times the tokens of a damaged body are walked once more, in all

class JSONRows {
public:
    JSONRows(nkul_parser &parser, const Table &table, const uint8_t *body, uint32_t length, Sink &sink)
        : parser(parser), table(table), body(body), length(length), sink(sink) {}

    void read();

private:
    nkul_parser &parser;
    const Table &table;
    const uint8_t *body;
    uint32_t length;
    Sink &sink;
    Tokens tokens{};
    uint32_t at = 0;         // place in tokens
    uint32_t repaired = 0;
    uint64_t budget = 0;     // of tokens that may yet be walked again: what a body costs stays in proportion to its length

    uint8_t peek(uint32_t place) const { return body[tokens.at[place]]; }
    void readArray();
    void readLines();
    bool row();
    int object();
    int value(uint32_t field);
    int scalar(uint32_t field);
    int text(uint32_t field, uint32_t start, uint32_t end);
    int skip();
    int pass();
    bool plainScalar(uint32_t offset) const;
    int64_t closing(uint32_t place) const;
    uint32_t fieldOf(uint32_t place, uint32_t turn);
    uint32_t width(uint32_t place) const;
    bool afterRow(uint32_t start);
    bool search(uint32_t from);
    void damage(uint32_t offset) {
        sink.result.damage = NKUL_MALFORMED;
        sink.result.damage_offset = offset;
    }
};

/// Offset of the quote that closes the text at a token, or -1.
int64_t JSONRows::closing(uint32_t place) const {
    uint32_t end = tokens.at[place + 1];
    for (uint32_t offset = tokens.at[place] + 1; offset < end; offset++) {
        if (body[offset] == '"') return offset;
        if (body[offset] == '\\') offset++;
    }
    return -1;
}

/// Bytes of a value as it is written, for messages.
uint32_t JSONRows::width(uint32_t place) const {
    uint32_t start = tokens.at[place], end = tokens.at[place + 1];
    uint8_t first = body[start];
    if (first == '{' || first == '[') return end > start + 1 ? 1 : end - start;
    while (end > start + 1 && ends_scalar(body[end - 1])) end--;
    return end - start;
}

/// The field of the key at a token; what the row before had in its turn is tried first.
uint32_t JSONRows::fieldOf(uint32_t place, uint32_t turn) {
    const uint8_t *name = body + tokens.at[place] + 1;
    if (turn < parser.order.size() && parser.order[turn] != NKUL_NO_FIELD) {
        const std::string &guess = table.entries[parser.order[turn]].name;
        if (tokens.at[place] + 1 + guess.size() < length && memcmp(guess.data(), name, guess.size()) == 0
            && name[guess.size()] == '"')
            return parser.order[turn];
    }
    int64_t end = closing(place);
    if (end < 0) return NKUL_NO_FIELD;
    uint32_t size = uint32_t(end) - tokens.at[place] - 1;
    uint32_t field;
    if (memchr(name, '\\', size) == nullptr) {
        field = table.find(name, size);
    } else {
        uint8_t *plain = parser.room(size + 1);
        int32_t written = unescape(name, size, plain);
        field = written < 0 ? NKUL_NO_FIELD : table.find(plain, uint32_t(written));
    }
    if (turn < parser.order.size()) parser.order[turn] = uint16_t(field);
    return field;
}

bool JSONRows::plainScalar(uint32_t offset) const {
    const uint8_t *p = body + offset, *next = nullptr;
    int64_t ignored;
    int rest;
    if (*p == 't' && memcmp(p, "true", 4) == 0) return ends_scalar(p[4]);
    if (*p == 'f' && memcmp(p, "false", 5) == 0) return ends_scalar(p[5]);
    if (*p == 'n' && memcmp(p, "null", 4) == 0) return ends_scalar(p[4]);
    int code = read_number(p, 0, false, ignored, next, rest);
    return code != NKUL_MALFORMED && ends_scalar(*next);
}

/// Passes over a value, checking that it is JSON.
int JSONRows::skip() {
    uint64_t kinds = 0;  // one bit a level: 1 = object
    int depth = 0;
    bool key = false;
    for (;;) {
        if (at >= tokens.count) return NKUL_MALFORMED;
        uint8_t c = peek(at);
        if (key && !(c == '"' && peek(at + 1) == ':' && closing(at) >= 0)) return NKUL_MALFORMED;
        if (key) {
            at += 2;
            key = false;
            continue;
        }
        if (c == '{' || c == '[') {
            if (depth == parser.deepest) return NKUL_TOO_DEEP;
            kinds = kinds << 1 | (c == '{');
            depth++;
            at++;
            if (at < tokens.count && peek(at) == (c == '{' ? '}' : ']')) {
                at++;
                kinds >>= 1;
                depth--;
            } else {
                key = c == '{';
                continue;
            }
        } else if (c == '"') {
            if (closing(at) < 0) return NKUL_MALFORMED;
            at++;
        } else {
            if (!plainScalar(tokens.at[at])) return NKUL_MALFORMED;
            at++;
        }
        while (depth > 0 && at < tokens.count && peek(at) == (kinds & 1 ? '}' : ']')) {
            at++;
            kinds >>= 1;
            depth--;
        }
        if (depth == 0) return NKUL_FINE;
        if (at >= tokens.count || peek(at) != ',') return NKUL_MALFORMED;
        at++;
        key = kinds & 1;
    }
}

/// Passes over the value of a member that is no field. As with a field's, one broken word (NaN) or broken text costs nothing else.
int JSONRows::pass() {
    uint32_t start = at;
    uint8_t c = peek(at);
    int code = skip();
    bool word = c != '"' && c != '{' && c != '[';
    if (code == NKUL_MALFORMED && word && at + 1 < tokens.count && (peek(at + 1) == ',' || peek(at + 1) == '}')) {
        at++;
        code = NKUL_FINE;
    }
    if (code == NKUL_FINE && tokens.checkText && at < tokens.count
        && !simdjson::validate_utf8(reinterpret_cast<const char *>(body + tokens.at[start]), tokens.at[at] - tokens.at[start]))
        sink.unclean = true;
    return code;
}

int JSONRows::text(uint32_t field, uint32_t start, uint32_t end) {
    const FieldEntry &entry = table.entries[field];
    const uint8_t *p = body + start;
    uint32_t size = end - start;
    if (tokens.checkText && !simdjson::validate_utf8(reinterpret_cast<const char *>(p), size)) return NKUL_BAD_TEXT;
    if (entry.representation == NKUL_IDENTIFIER || (size > 0 && memchr(p, '\\', size) == nullptr)) {
        if (tokens.checkText)
            for (uint32_t place = 0; place < size; place++)
                if (p[place] < 0x20) return NKUL_BAD_TEXT;
        return put_text_value(sink, parser, table, field, p, size);
    }
    uint8_t *plain = parser.room(size + 1);
    int32_t written = unescape(p, size, plain);
    if (written < 0) return NKUL_BAD_TEXT;
    plain[written] = 0;
    return put_text_value(sink, parser, table, field, plain, uint32_t(written));
}

/// Reads a number, flag or null.
int JSONRows::scalar(uint32_t field) {
    const FieldEntry &entry = table.entries[field];
    const uint8_t *p = body + tokens.at[at], *next = nullptr;
    if (*p == '-' || *p == '+' || *p == '.' || is_digit(*p)) {
        int code = put_number(sink, table, field, p, next);
        return code != NKUL_MALFORMED && ends_scalar(*next) ? code : NKUL_MALFORMED;
    }
    if (!plainScalar(tokens.at[at])) return NKUL_MALFORMED;
    if (*p == 'n') {
        sink.clear(field);
        return NKUL_FINE;
    }
    if (entry.representation != NKUL_FLAG) return NKUL_WRONG_TYPE;
    sink.put(field, *p == 't');
    return NKUL_FINE;
}

/// Reads the value at `at` into a field's column, or leaves it out. Anything but NKUL_FINE ends the row.
int JSONRows::value(uint32_t field) {
    uint8_t c = peek(at);
    if (at >= tokens.count) return NKUL_MALFORMED;
    uint32_t start = at;
    bool again = sink.names(field);
    int code;
    if (c == '"') {
        // A UUID needs no search for its end.
        bool identifier = table.entries[field].representation == NKUL_IDENTIFIER && body[tokens.at[at]] == '"'
            && tokens.at[at] + 37 < length && body[tokens.at[at] + 37] == '"';
        int64_t end = identifier ? int64_t(tokens.at[at]) + 37 : closing(at);
        if (end < 0) return NKUL_MALFORMED;
        code = text(field, tokens.at[at] + 1, uint32_t(end));
        at++;
    } else if (c == '{' || c == '[') {
        code = skip();
        if (code == NKUL_FINE) code = NKUL_WRONG_TYPE;
    } else {
        code = scalar(field);
        at++;
        // One broken word (NaN): the value is lost, the row's structure is not.
        if (code == NKUL_MALFORMED && at < tokens.count && (peek(at) == ',' || peek(at) == '}')) code = NKUL_WRONG_TYPE;
    }
    if (code == NKUL_MALFORMED || code == NKUL_TOO_DEEP) {
        sink.leave(code, field, tokens.at[start], width(start));
        sink.fault(code, field, tokens.at[start], width(start));
        return code;
    }
    if (again) code = NKUL_TWICE;
    if (code != NKUL_FINE) sink.leave(code, field, tokens.at[start], width(start));
    return NKUL_FINE;
}

/// Reads the object at `at`; on NKUL_MALFORMED `at` is where it went wrong.
int JSONRows::object() {
    at++;
    if (at < tokens.count && peek(at) == '}') {
        at++;
        return NKUL_FINE;
    }
    for (uint32_t turn = 0;; turn++) {
        if (turn == parser.widest) return NKUL_TOO_WIDE;
        if (at + 1 >= tokens.count || peek(at) != '"' || peek(at + 1) != ':') return NKUL_MALFORMED;
        uint32_t field = fieldOf(at, turn);
        at += 2;
        int code = field == NKUL_NO_FIELD ? pass() : value(field);
        if (code != NKUL_FINE) return code;
        if (at >= tokens.count) return NKUL_MALFORMED;
        uint8_t c = peek(at++);
        if (c == ',') continue;
        if (c == '}') return NKUL_FINE;
        at--;
        return NKUL_MALFORMED;
    }
}

/// Reads one row; false if it is not JSON, and where it ends is not known.
bool JSONRows::row() {
    uint32_t start = at, first = tokens.at[at];
    int code;
    if (peek(at) == '{') {
        code = object();
        if (code != NKUL_FINE && !sink.faulty)
            sink.fault(code, NKUL_NO_FIELD, tokens.at[at], at < tokens.count ? width(at) : 0);
        if (code != NKUL_FINE) sink.lose();
    } else {
        code = skip();
        sink.fault(code == NKUL_FINE ? NKUL_NOT_AN_OBJECT : code, NKUL_NO_FIELD, first, width(start));
        sink.lose();
    }
    if (code == NKUL_FINE && tokens.checkText && !sink.unclean) {
        uint32_t size = tokens.at[at] - first;
        if (!simdjson::validate_utf8(reinterpret_cast<const char *>(body + first), size))
            sink.fault(NKUL_BAD_TEXT, NKUL_NO_FIELD, first, 0);
    }
    return code == NKUL_FINE;
}

/// After a malformed row that began at token `start`: moves to the comma or bracket behind it.
bool JSONRows::afterRow(uint32_t start) {
    int64_t depth = 0;
    uint64_t before = budget;
    for (uint32_t place = start; place < tokens.count && budget > 0; place++, budget--) {
        uint8_t c = peek(place);
        if (c == '{' || c == '[') depth++;
        if (depth == 0 && ((c == ',' && peek(place + 1) == '{') || (c == ']' && place + 1 == tokens.count))) {
            at = place;
            budget = before;  // it is passed over once
            return true;
        }
        if ((c == '}' || c == ']') && --depth < 0) break;
    }
    // An object begins where a key or value should stand: the row before was never closed.
    for (uint32_t place = at > start + 1 ? at - 1 : at; place <= at && place + 1 < tokens.count; place++) {
        if (place > start && peek(place) == ',' && peek(place + 1) == '{') {
            at = place;
            return true;
        }
    }
    return search(tokens.at[start < at ? at - 1 : at]);
}

/// Looks for `},{"`, which flat rows have between them and never inside, and begins anew there.
bool JSONRows::search(uint32_t from) {
    if (repaired == repairs) return false;
    auto blank = [&](uint32_t offset) {
        while (offset < length && (body[offset] == ' ' || body[offset] == '\n' || body[offset] == '\r' || body[offset] == '\t'))
            offset++;
        return offset;
    };
    for (uint32_t offset = from; offset < length; offset++) {
        if (body[offset] != '}') continue;
        uint32_t comma = blank(offset + 1);
        if (comma >= length || body[comma] != ',') continue;
        uint32_t brace = blank(comma + 1);
        if (brace >= length || body[brace] != '{') continue;
        uint32_t quote = blank(brace + 1);
        if (quote >= length || body[quote] != '"') continue;
        repaired++;
        tokens = scan(parser, body, comma, length, false);
        at = 0;
        return true;
    }
    return false;
}

void JSONRows::readArray() {
    at = 1;
    if (at < tokens.count && peek(at) == ']' && tokens.count == 2) return;
    for (;;) {
        if (at >= tokens.count) return damage(length);
        if (sink.result.rows == sink.rows.capacity) {
            sink.result.status = NKUL_TOO_MANY_ROWS;
            return;
        }
        uint32_t start = at, first = tokens.at[at];
        sink.begin(sink.result.rows++);
        bool readable = row();
        bool closed = readable && at < tokens.count && (peek(at) == ',' || peek(at) == ']');
        if (readable && !closed && at < tokens.count) {
            sink.fault(NKUL_MALFORMED, NKUL_NO_FIELD, tokens.at[at], width(at));
            sink.lose();
        }
        if (!closed && (at >= tokens.count ? !search(first) : !afterRow(start))) {
            if (!readable && sink.faulty) return damage(tokens.at[at < tokens.count ? at : tokens.count]);
            return damage(tokens.at[at]);
        }
        if (peek(at) == ']') {
            if (at + 1 < tokens.count) damage(tokens.at[at + 1]);
            return;
        }
        at++;
    }
}

void JSONRows::readLines() {
    while (at < tokens.count) {
        if (sink.result.rows == sink.rows.capacity) {
            sink.result.status = NKUL_TOO_MANY_ROWS;
            return;
        }
        uint32_t first = tokens.at[at];
        sink.begin(sink.result.rows++);
        if (row()) continue;
        const void *end = memchr(body + first, '\n', length - first);
        if (end == nullptr) return;
        uint32_t line = uint32_t(static_cast<const uint8_t *>(end) - body);
        // The walk may have passed the line's end: an object that was not closed.
        uint32_t reached = at;
        at = uint32_t(std::lower_bound(tokens.at, tokens.at + tokens.count, line) - tokens.at);
        if (reached <= at) continue;
        if (reached - at > budget) return damage(first);
        budget -= reached - at;
    }
}

void JSONRows::read() {
    uint32_t start = 0;
    while (start < length && (ends_scalar(body[start]) && body[start] != 0 && body[start] != ',' && body[start] != '}'
                              && body[start] != ']'))
        start++;
    bool array = start < length && body[start] == '[';
    tokens = tokenize(parser, body, length, !array);
    budget = returns * tokens.count;
    if (tokens.count == 0) {
        sink.result.status = NKUL_EMPTY;
    } else if (array) {
        readArray();
    } else {
        readLines();
    }
}

}  // namespace

}  // namespace nkul

extern "C" nkul_result nkul_parse_json(
    nkul_parser *parser, const nkul_table *table, const uint8_t *body, uint32_t length, const nkul_rows *rows) {
    nkul_result result{};
    try {
        uint32_t mark = length >= 3 && memcmp(body, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        parser->prepare(table->table);
        nkul::Sink sink{*rows, result, mark};
        nkul::JSONRows(*parser, table->table, body + mark, length - mark, sink).read();
        if (mark) result.damage_offset += mark;
    } catch (const std::bad_alloc &) {
        result.status = NKUL_NO_MEMORY;
    }
    return result;
}
