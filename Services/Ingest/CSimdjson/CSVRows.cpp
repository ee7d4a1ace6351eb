#include "Parser.hpp"
#include <new>

namespace nkul {

namespace {

class CSVRows {
public:
    CSVRows(nkul_parser &parser, const Table &table, const uint8_t *body, uint32_t length, Sink &sink)
        : parser(parser), table(table), body(body), length(length), sink(sink) {}

    void read();

private:
    enum Stop { comma, line, end, broken };
    struct Cell {
        const uint8_t *text;
        uint32_t size;
        Stop stop;
        bool quoted;
    };

    nkul_parser &parser;
    const Table &table;
    const uint8_t *body;
    uint32_t length;
    Sink &sink;
    uint32_t at = 0;
    bool broken8 = false;

    Cell cell();
    bool header();
    void row();
    int put(uint32_t field, const uint8_t *p, uint32_t size);
    void nextLine(uint32_t from);
    Stop stop();
    bool atBlankLine() const { return at < length && (body[at] == '\n' || body[at] == '\r'); }
};

/// Passes over what ends a cell.
CSVRows::Stop CSVRows::stop() {
    if (at >= length) return end;
    uint8_t c = body[at];
    if (c == ',') return at++, comma;
    if (c == '\r') return at += at + 1 < length && body[at + 1] == '\n' ? 2 : 1, line;
    if (c == '\n') return at++, line;
    return broken;
}

/// Reads the cell at `at`. The text of a quoted cell with doubled quotes lies in the parser's scratch.
CSVRows::Cell CSVRows::cell() {
    if (at >= length || body[at] != '"') {
        uint32_t start = at;
        bool stray = false;
        while (at < length && body[at] != ',' && body[at] != '\n' && body[at] != '\r') stray |= body[at++] == '"';
        uint32_t size = at - start;
        return {body + start, size, stray ? broken : stop(), false};
    }
    uint32_t start = ++at;
    bool doubled = false;
    for (;; at++) {
        if (at >= length) return {body + start, 0, broken, true};
        if (body[at] != '"') continue;
        if (at + 1 < length && body[at + 1] == '"') {
            doubled = true;
            at++;
            continue;
        }
        break;
    }
    uint32_t size = at++ - start;
    const uint8_t *text = body + start;
    if (doubled) {
        uint8_t *plain = parser.room(size + 1);
        uint32_t written = 0;
        for (uint32_t place = 0; place < size; place++) {
            plain[written++] = text[place];
            if (text[place] == '"') place++;
        }
        plain[written] = 0;
        text = plain;
        size = written;
    }
    return {text, size, stop(), true};
}

void CSVRows::nextLine(uint32_t from) {
    for (at = from; at < length && body[at] != '\n' && body[at] != '\r'; at++) {
    }
    if (at < length) stop();
}

bool CSVRows::header() {
    while (at < length && (body[at] == '#' || atBlankLine())) nextLine(at);
    if (at >= length) {
        sink.result.status = NKUL_EMPTY;
        return false;
    }
    parser.header.clear();
    bool known = false;
    for (;;) {
        Cell name = cell();
        uint32_t field = table.find(name.text, name.size);
        known |= field != NKUL_NO_FIELD;
        parser.header.push_back(uint16_t(field));
        if (name.stop == comma) continue;
        if (name.stop == broken || !known) sink.result.status = NKUL_NO_HEADER;
        return sink.result.status == NKUL_FINE;
    }
}

int CSVRows::put(uint32_t field, const uint8_t *p, uint32_t size) {
    if (table.entries[field].representation != NKUL_TEXT)
        while (size > 0 && (*p == ' ' || *p == '\t')) p++, size--;
    if (size == 0) return NKUL_FINE;
    if (broken8 && !simdjson::validate_utf8(reinterpret_cast<const char *>(p), size)) return NKUL_BAD_TEXT;
    return put_text_value(sink, parser, table, field, p, size);
}

void CSVRows::row() {
    uint32_t start = at;
    size_t place = 0;
    for (;; place++) {
        uint32_t offset = at;
        Cell value = cell();
        if (value.stop == broken) {
            sink.fault(NKUL_MALFORMED, NKUL_NO_FIELD, offset, 0);
            sink.lose();
            return nextLine(start);
        }
        uint32_t field = place < parser.header.size() ? parser.header[place] : uint32_t(NKUL_NO_FIELD);
        if (field != NKUL_NO_FIELD) {
            int code = put(field, value.text, value.size);
            if (code != NKUL_FINE) sink.leave(code, field, offset, value.size + (value.quoted ? 2 : 0));
        }
        if (value.stop != comma) break;
    }
    if (place + 1 != parser.header.size()) sink.fault(NKUL_WRONG_WIDTH, NKUL_NO_FIELD, start, 0);
}

void CSVRows::read() {
    broken8 = !simdjson::validate_utf8(reinterpret_cast<const char *>(body), length);
    if (!header()) return;
    while (at < length) {
        if (atBlankLine()) {
            nextLine(at);
            continue;
        }
        if (sink.result.rows == sink.rows.capacity) {
            sink.result.status = NKUL_TOO_MANY_ROWS;
            return;
        }
        sink.begin(sink.result.rows++);
        row();
    }
}

}  // namespace

}  // namespace nkul

extern "C" nkul_result nkul_parse_csv(
    nkul_parser *parser, const nkul_table *table, const uint8_t *body, uint32_t length, const nkul_rows *rows) {
    nkul_result result{};
    try {
        uint32_t mark = length >= 3 && memcmp(body, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        parser->prepare(table->table);
        nkul::Sink sink{*rows, result, mark};
        nkul::CSVRows(*parser, table->table, body + mark, length - mark, sink).read();
    } catch (const std::bad_alloc &) {
        result.status = NKUL_NO_MEMORY;
    }
    return result;
}
