extension RowCode {
    /// What it says of the record and of the field that is named with it, for documents.
    public var meaning: (text: String, field: String) {
        switch self {
        case .malformed: ("the record is not JSON or not CSV, or the body breaks off there", "none")
        case .notAnObject: ("the record is JSON, but no object", "none")
        case .wrongType: ("a text, list, object or flag stands where something else belongs", "that field")
        case .badFormat: ("a text is no UUID or no RFC 3339 time", "that field")
        case .unknownValue: ("a name or number that the field's list does not have", "that field")
        case .notWhole: ("a fraction where a whole number belongs", "that field")
        case .outOfRange: ("not plausible", "that field; `latitude` where both coordinates are exactly 0")
        case .sentinel: ("a placeholder for \"no value\", as 2147483647; leave the field out", "that field")
        case .badText: ("broken UTF-8, a broken escape or raw control characters", "that field")
        case .tooDeep: ("nested deeper than allowed (64 levels, `NKUL_INGEST_JSON_DEPTH`)", "that field")
        case .tooWide: ("more members than a record may have", "none")
        case .wrongWidth: ("a CSV row with more or fewer cells than the header", "none")
        case .givenTwice: ("a record gives the field more than once", "that field")
        case .missingField:
            ("a field that every record needs is missing", "that field; `id` where `seq` is missing too")
        case .tooLong: ("a text is longer than its limit", "that field")
        case .tooOld: ("captured more than 8 days ago", "`captured_at`")
        case .inFuture: ("captured more than 5 minutes ahead of the server's clock", "`captured_at`")
        case .erased: ("belongs to what was erased at the subscriber's wish", "none")
        case .notConsented: ("captured while the subscriber did not consent to measurement", "none")
        }
    }
}

/// How long something is, for people: `40 seconds`, `12 minutes`, `9 days`, `56 years`.
package enum SpanInWords {
    private static let units: [(seconds: UInt128, name: String)] = [
        (31_557_600, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
    ]

    /// In the largest unit of which there are two, rounded down.
    package static func text(seconds: UInt128) -> String {
        let unit = units.first { seconds >= 2 * $0.seconds } ?? (1, "second")
        let count = seconds / unit.seconds
        return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }
}
