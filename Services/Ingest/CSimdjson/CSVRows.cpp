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
    enum Stop { separated, line, end, broken };
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
    uint8_t separator = ',';
    size_t named = 0;  // cells up to the last that has a name
    bool broken8 = false;

    Cell cell();
    bool header();
    Cell name(std::string &text);
    uint32_t known(uint32_t start, uint32_t &cells);
    void choose(uint32_t start);
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
    if (c == separator) return at++, separated;
    if (c == '\r') return at += at + 1 < length && body[at + 1] == '\n' ? 2 : 1, line;
    if (c == '\n') return at++, line;
    return broken;
}

/// Reads the cell at `at`. The text of a quoted cell with doubled quotes lies in the parser's scratch. Blanks around quotes do not
/// count.
CSVRows::Cell CSVRows::cell() {
    const uint8_t *p = body + at, *end = body + length, separator = this->separator;
    if (p < end && *p == ' ') {
        const uint8_t *first = p;
        while (first < end && *first == ' ') first++;
        if (first < end && *first == '"') p = first;
    }
    if (p == end || *p != '"') {
        const uint8_t *start = p;
        bool stray = false;
        while (p < end && *p != separator && *p != '\n' && *p != '\r') stray |= *p++ == '"';
        at = uint32_t(p - body);
        return {start, uint32_t(p - start), stray ? broken : stop(), false};
    }
    at = uint32_t(p - body);
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
    while (at < length && body[at] == ' ') at++;
    return {text, size, stop(), true};
}

void CSVRows::nextLine(uint32_t from) {
    for (at = from; at < length && body[at] != '\n' && body[at] != '\r'; at++) {
    }
    if (at < length) stop();
}

/// Reads a cell of the header: its name without blanks around it, in lower case.
CSVRows::Cell CSVRows::name(std::string &text) {
    Cell cell = this->cell();
    const uint8_t *p = cell.text, *end = p + cell.size;
    auto blank = [](uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (p < end && blank(*p)) p++;
    while (p < end && blank(end[-1])) end--;
    text.assign(reinterpret_cast<const char *>(p), size_t(end - p));
    for (char &c : text)
        if (c >= 'A' && c <= 'Z') c = char(c + 32);
    return cell;
}

/// How many columns of the header at `start` are known if the separator is what separates them.
uint32_t CSVRows::known(uint32_t start, uint32_t &cells) {
    std::string text;
    uint32_t known = 0;
    at = start;
    for (cells = 1;; cells++) {
        Cell cell = name(text);
        known += table.find(reinterpret_cast<const uint8_t *>(text.data()), uint32_t(text.size())) != NKUL_NO_FIELD;
        if (cell.stop != separated) return known;
    }
}

/// Finds what separates the cells of the header at `start`: what makes most of them known, or else what makes most cells.
void CSVRows::choose(uint32_t start) {
    uint32_t most = 0, mostCells = 0;
    uint8_t best = ',';
    for (uint8_t candidate : {',', ';', '\t', '|'}) {
        uint32_t cells;
        separator = candidate;
        uint32_t found = known(start, cells);
        if (found < most || (found == most && cells <= mostCells)) continue;
        most = found;
        mostCells = cells;
        best = candidate;
    }
    separator = best;
    at = start;
}

bool CSVRows::header() {
    while (at < length && (body[at] == '#' || atBlankLine())) nextLine(at);
    if (at >= length) {
        sink.result.status = NKUL_EMPTY;
        return false;
    }
    choose(at);
    parser.header.clear();
    std::vector<bool> seen(table.entries.size());
    std::string text;
    bool known = false;
    for (;;) {
        Cell cell = name(text);
        uint32_t field = table.find(reinterpret_cast<const uint8_t *>(text.data()), uint32_t(text.size()));
        parser.header.push_back(uint16_t(field));
        if (!text.empty()) named = parser.header.size();
        if (field != NKUL_NO_FIELD) {
            known = true;
            if (seen[field] && sink.result.status == NKUL_FINE) {
                sink.result.status = NKUL_TWICE;
                sink.result.column = uint16_t(field);
            }
            seen[field] = true;
        } else if (!text.empty()) {
            sink.result.unknown++;
            if (parser.unknown.size() < NKUL_UNKNOWN_NAMES) parser.unknown.push_back(text.substr(0, 40));
        }
        if (cell.stop == separated) continue;
        sink.result.separator = separator;
        sink.result.columns = uint32_t(parser.header.size());
        if (cell.stop == broken || !known) sink.result.status = NKUL_NO_HEADER;
        return sink.result.status == NKUL_FINE;
    }
}

int CSVRows::put(uint32_t field, const uint8_t *p, uint32_t size) {
    uint8_t representation = table.entries[field].representation;
    if (representation != NKUL_TEXT) trim(p, size);
    if (size == 0) return NKUL_FINE;
    if (broken8 && !simdjson::validate_utf8(reinterpret_cast<const char *>(p), size)) return NKUL_BAD_TEXT;
    int64_t digits;
    if (representation == NKUL_DIGITS && read_digits(p, size, digits)) {
        sink.put(field, digits);
        return NKUL_FINE;
    }
    if (representation != NKUL_NUMBER && representation != NKUL_DIGITS)
        return put_text_value(sink, parser, table, field, p, size);
    uint8_t pointed[64];
    if (separator != ',' && size < sizeof pointed && memchr(p, '.', size) == nullptr) {
        const void *comma = memchr(p, ',', size);
        if (comma != nullptr) {
            memcpy(pointed, p, size);
            pointed[static_cast<const uint8_t *>(comma) - p] = '.';
            pointed[size] = 0;
            p = pointed;
        }
    }
    // Behind a cell in the body stands a separator, quote, line end or zero byte: reading stops there by itself.
    const uint8_t *next = nullptr;
    int code = put_number(sink, table, field, p, next);
    return code != NKUL_MALFORMED && next == p + size ? code : NKUL_WRONG_TYPE;
}

void CSVRows::row() {
    uint32_t start = at;
    size_t place = 0;
    bool wide = false;
    for (;; place++) {
        uint32_t offset = at;
        Cell value = cell();
        if (value.stop == broken) {
            sink.fault(NKUL_MALFORMED, NKUL_NO_FIELD, offset, 0);
            sink.lose();
            return nextLine(start);
        }
        uint32_t field = place < parser.header.size() ? parser.header[place] : uint32_t(NKUL_NO_FIELD);
        wide |= place >= parser.header.size() && value.size > 0;
        if (field != NKUL_NO_FIELD) {
            int code = put(field, value.text, value.size);
            if (code != NKUL_FINE) sink.leave(code, field, offset, value.size + (value.quoted ? 2 : 0));
        }
        if (value.stop != separated) break;
    }
    if (place + 1 < named || wide) sink.fault(NKUL_WRONG_WIDTH, NKUL_NO_FIELD, start, 0);
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
        parser->unknown.clear();
        nkul::Sink sink{*rows, result, mark};
        nkul::CSVRows(*parser, table->table, body + mark, length - mark, sink).read();
    } catch (const std::bad_alloc &) {
        result.status = NKUL_NO_MEMORY;
    }
    return result;
}
