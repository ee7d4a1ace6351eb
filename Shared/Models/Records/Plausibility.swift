/// What is plausible in a kind's records beyond the range of each field.
public struct Plausibility: Sendable, Hashable {
    /// Ranges that hold where another column has a certain value.
    public let narrower: [NarrowerRange]
    /// Values within plausible ranges that phones write where they have none.
    public let placeholders: [Placeholder]

    public init(narrower: [NarrowerRange] = [], placeholders: [Placeholder] = []) {
        self.narrower = narrower
        self.placeholders = placeholders
    }

    /// The range of a column by the code in another.
    public struct NarrowerRange: Sendable, Hashable {
        public let column: UInt8
        /// The column that decides: a choice.
        public let by: UInt8
        /// In stored units, by code; nil where the field's own range stands.
        public let ranges: [ClosedRange<Int64>?]

        public init(_ column: UInt8, by: UInt8, _ ranges: [ClosedRange<Int64>?]) {
            self.column = column
            self.by = by
            self.ranges = ranges
        }
    }

    /// Stored values that together mean "not known".
    public struct Placeholder: Sendable, Hashable {
        /// All of them are met.
        public let conditions: [ColumnCondition]
        /// As it is told to who sent it.
        public let text: String

        public init(_ conditions: [ColumnCondition], text: String) {
            self.conditions = conditions
            self.text = text
        }
    }
}

/// A column that is removed from rows whose subscriber does not allow it.
public struct ColumnConsent: Sendable, Hashable {
    public let column: UInt8
    /// Name of the purpose: `call_events`.
    public let purpose: String
    /// The stored value that may be told all the same: that of an emergency.
    public let exception: Int64?

    public init(_ column: UInt8, purpose: String, except exception: Int64? = nil) {
        self.column = column
        self.purpose = purpose
        self.exception = exception
    }
}
