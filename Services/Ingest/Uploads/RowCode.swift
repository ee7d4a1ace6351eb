internal import CSimdjson

/// Why a row was rejected or a value left out; the raw value is the stable `code` in a receipt.
public enum RowCode: String, Sendable, CaseIterable {
    /// The row is not JSON or not CSV.
    case malformed
    /// The row is JSON, but no object.
    case notAnObject = "not_an_object"
    /// A text, list, object or flag stands where something else belongs.
    case wrongType = "wrong_type"
    /// A text is no UUID or no RFC 3339 time.
    case badFormat = "bad_format"
    /// A name or number that the field's list does not have.
    case unknownValue = "unknown_value"
    /// A fraction where a whole number belongs.
    case notWhole = "not_whole"
    /// Not plausible.
    case outOfRange = "out_of_range"
    /// A placeholder for "no value", as 2147483647: such fields are left out.
    case sentinel
    /// Broken UTF-8, a broken escape, or raw control characters.
    case badText = "bad_text"
    /// Nested too deeply.
    case tooDeep = "too_deep"
    /// More members than a record may have.
    case tooWide = "too_wide"
    /// A CSV row with more or fewer cells than the header.
    case wrongWidth = "wrong_width"
    /// A field that a record gives more than once.
    case givenTwice = "given_twice"
    /// A field that every record needs is missing.
    case missingField = "missing_field"
    /// A text is longer than its limit.
    case tooLong = "too_long"
    /// Captured longer ago than the acceptance horizon.
    case tooOld = "too_old"
    /// Captured in the future.
    case inFuture = "in_future"
    /// Captured while the subscriber did not consent to measurement.
    case notConsented = "not_consented"
    /// Of a time or place whose records the subscriber had erased.
    case erased

    init(parser code: UInt16) {
        switch Int(code) {
        case NKUL_NOT_AN_OBJECT: self = .notAnObject
        case NKUL_WRONG_TYPE: self = .wrongType
        case NKUL_BAD_FORMAT: self = .badFormat
        case NKUL_UNKNOWN_NAME: self = .unknownValue
        case NKUL_NOT_WHOLE: self = .notWhole
        case NKUL_TOO_BIG: self = .outOfRange
        case NKUL_BAD_TEXT: self = .badText
        case NKUL_TOO_DEEP: self = .tooDeep
        case NKUL_TOO_WIDE: self = .tooWide
        case NKUL_WRONG_WIDTH: self = .wrongWidth
        case NKUL_TWICE: self = .givenTwice
        default: self = .malformed
        }
    }
}

/// A row that ingest could not take, before anybody looked whether it was seen before.
package struct RowRejection: Sendable, Equatable {
    /// Place in the upload, from 0.
    package let row: Int
    package let code: RowCode
    /// Name of the field at fault, nil where it is the row as a whole.
    package let field: String?
    /// One sentence for the phone's author.
    package let detail: String

    package init(row: Int, code: RowCode, field: String?, detail: String) {
        self.row = row
        self.code = code
        self.field = field
        self.detail = detail
    }
}
