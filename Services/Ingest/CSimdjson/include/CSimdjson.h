/// Reads JSON and CSV rows straight into columns (the hot path of nkul-ingest).
///
/// simdjson's first stage finds the structure of a body with vector instructions; a walk over that structure, driven by
/// a table of fields, writes values into dense arrays the caller owns. Nothing here knows a field by name, and nothing
/// grows with what a client sends: every array has the size the caller gave it.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that must be readable (and zero) behind the end of a body.
enum { NKUL_PADDING = 64 };

/// How a field's values are written, and what is stored for them.
enum {
    NKUL_IDENTIFIER = 0,    ///< UUID text; 16 bytes
    NKUL_NUMBER = 1,        ///< decimal number; value × 10^decimals, rounded half away from zero
    NKUL_DIGITS = 2,        ///< whole number
    NKUL_CHOICE = 3,        ///< text of a table (of ASCII, letters in any case, digits and pluses count) or a listed number; its code
    NKUL_FLAG = 4,          ///< true, false (as text in any case), 1, 0
    NKUL_INSTANT = 5,       ///< RFC 3339 text; Unix milliseconds
    NKUL_TEXT = 6           ///< text; offset << 32 | length in the rows' text
};

/// What is wrong with a row, or with a body.
enum {
    NKUL_FINE = 0,
    NKUL_MALFORMED = 1,     ///< not JSON, not CSV
    NKUL_NOT_AN_OBJECT = 2,
    NKUL_WRONG_TYPE = 3,    ///< a text, list, object or flag where something else belongs
    NKUL_BAD_FORMAT = 4,    ///< a text that is no UUID or no time
    NKUL_UNKNOWN_NAME = 5,  ///< a text or number that the table of choices does not have
    NKUL_NOT_WHOLE = 6,     ///< a fraction where a whole number belongs
    NKUL_TOO_BIG = 7,       ///< a number that no column can hold
    NKUL_BAD_TEXT = 8,      ///< broken UTF-8, broken escapes, raw control characters
    NKUL_TOO_DEEP = 9,      ///< nested deeper than allowed
    NKUL_WRONG_WIDTH = 10,  ///< a CSV row with more or fewer cells than the header
    NKUL_EMPTY = 11,        ///< nothing but white space
    NKUL_TOO_MANY_ROWS = 12,///< more rows than the arrays hold; nothing of the result counts
    NKUL_NO_HEADER = 13,    ///< a CSV whose first line names no known field
    NKUL_NO_MEMORY = 14,
    NKUL_TOO_WIDE = 15,     ///< more members than allowed
    NKUL_TWICE = 16,        ///< a field that a row gives more than once, or a column that a header names more than once
};

/// Levels of nesting that can be followed: one bit each.
enum { NKUL_DEEPEST = 64 };

enum { NKUL_NO_FIELD = 0xFFFF };

/// A name of a choice and its code.
typedef struct {
    const char *text;
    uint32_t length;
    int64_t code;
} nkul_name;

/// A number that stands for a choice.
typedef struct {
    int64_t number;
    int64_t code;
} nkul_number;

/// An end of a range that a number may be in, in stored units.
typedef struct {
    int64_t value;
    uint8_t high;           ///< numbers above it are not in the range, else those below it
} nkul_edge;

/// A field a row may have; its place in the table is its column's place in `nkul_rows.columns`.
typedef struct {
    const char *name;
    uint32_t name_length;
    uint8_t representation;
    uint8_t decimals;       ///< NKUL_NUMBER: digits kept behind the point, at most 9
    uint8_t whole;          ///< NKUL_NUMBER: fractions are an error, not rounded
    const nkul_name *names;
    uint32_t name_count;
    const nkul_number *numbers;
    uint32_t number_count;
    const nkul_edge *edges;
    uint32_t edge_count;
} nkul_field;

/// Where a field's values go. `presence`, `left` and `beyond` have one bit a row and must be zero at first.
///
/// Values are read the same whether they stand bare, in quotes or in a cell; blanks around them do not count.
typedef struct {
    int64_t *integers;      ///< one a row; where a value was left out, why; undefined where absent
    uint8_t *identifiers;   ///< 16 bytes a row (null for all but identifiers); undefined where absent
    uint64_t *presence;
    uint64_t *left;         ///< values that were given, could not be read and are absent for that
    uint64_t *beyond;       ///< values that were rounded to an edge of the field beyond which they lie
} nkul_column;

/// What `integers` hold where a value was left out:
///
///     code, 16 bits | bytes of the value as it is written, at most 64, 16 bits | its offset in the body, 32 bits
enum { NKUL_LEFT_CODE = 48, NKUL_LEFT_LENGTH = 32 };

/// What is wrong with a row as a whole.
typedef struct {
    uint32_t row;
    uint16_t field;         ///< place in the table, or NKUL_NO_FIELD
    uint16_t code;
    uint32_t offset;        ///< of the value, in the body
    uint32_t length;        ///< of the value as it is written, at most 64
} nkul_fault;

/// Room for rows, owned by the caller.
typedef struct {
    const nkul_column *columns;
    uint32_t capacity;      ///< rows
    nkul_fault *faults;     ///< `capacity` of them
    uint8_t *text;          ///< as many bytes as the body has
} nkul_rows;

typedef struct {
    uint16_t status;        ///< NKUL_FINE, or why no row was read
    uint16_t damage;        ///< NKUL_FINE, or why reading stopped before the end
    uint32_t rows;
    uint32_t faults;        ///< in ascending order of rows, at most one a row
    uint32_t left;          ///< values that were left out, of all rows
    uint32_t beyond;        ///< values that were rounded to an edge, of all rows
    uint32_t unreadable;    ///< rows that were no object or no JSON or CSV at all
    uint32_t damage_offset; ///< in the body
    uint32_t text_length;
    uint8_t separator;      ///< CSV: what stands between cells
    uint16_t column;        ///< NKUL_TWICE: the field that the header names more than once
    uint32_t columns;       ///< CSV: cells of the header
    uint32_t unknown;       ///< columns with a name that is no field's
} nkul_result;

typedef struct nkul_table nkul_table;
typedef struct nkul_parser nkul_parser;

/// Copies a table of fields. It is immutable and may be used by any number of threads. Null if memory is short.
nkul_table *nkul_table_create(const nkul_field *fields, uint32_t count);
void nkul_table_destroy(nkul_table *table);

/// Scratch of one thread at a time. Null if memory is short.
nkul_parser *nkul_parser_create(void);
void nkul_parser_destroy(nkul_parser *parser);
/// From now on a JSON row has at most so many levels of nesting (NKUL_DEEPEST at first) and members (any number at first).
void nkul_parser_limit(nkul_parser *parser, uint8_t depth, uint32_t members);

/// Reads one object, an array of objects, or objects one after another (NDJSON).
///
/// `body` has `length` bytes and NKUL_PADDING zero bytes behind them. A bad row costs only itself where the next row
/// can be found; else `damage` says from where on nothing was read.
nkul_result nkul_parse_json(
    nkul_parser *parser, const nkul_table *table, const uint8_t *body, uint32_t length, const nkul_rows *rows);

/// Reads CSV (RFC 4180; lines end with CRLF, LF or CR; the first line names the fields).
///
/// Cells are separated by commas, semicolons, tabs or bars: by what makes most names of the header known. Blanks around names and
/// their case do not count. Where commas do not separate, numbers may have a decimal comma, as spreadsheets write both together. Empty
/// cells behind the last column that has a name may be there or not.
nkul_result nkul_parse_csv(
    nkul_parser *parser, const nkul_table *table, const uint8_t *body, uint32_t length, const nkul_rows *rows);

/// Columns whose names are kept.
enum { NKUL_UNKNOWN_NAMES = 16 };

/// The name of an unknown column of the CSV that was read last, at most 40 bytes of it; null behind the last that is kept.
const char *nkul_parser_unknown(const nkul_parser *parser, uint32_t index, uint32_t *length);

#ifdef __cplusplus
}
#endif
