/// One column of a record kind: its number, its name in JSON and CSV, how values are read, and what is plausible.
///
/// Values are stored as `Int64` in *stored units*: the value in its natural unit times ``Representation`` scale, rounded
/// half away from zero (so −84.3 dBm with scale 10 is −843).
public struct Field: Sendable, Hashable {
    /// How a value is written in JSON or CSV, and what is stored for it.
    public enum Representation: Sendable, Hashable {
        /// A UUID; 16 bytes are stored.
        case identifier
        /// A decimal number in the field's unit; stored = value × scale.
        case number(scale: Int64)
        /// A whole number, which phones often deliver as text of decimal digits (MCC, MNC, cell identities).
        case digits
        /// One of a table of names; stored = its code.
        case choice(Choices)
        /// `true` or `false` (CSV also `1` and `0`); stored = 1 or 0.
        case flag
        /// A point in time: RFC 3339 text under the field's name, Unix milliseconds under the name with `_ms` added.
        case instant
        /// Text of at most so many characters as a person counts them (grapheme clusters); UTF-8 bytes are stored.
        case text(maximumCharacters: Int)
    }

    /// How a column of this field lies in a block (`Wire` draws it).
    public enum Storage: UInt8, Sendable {
        case integer = 0, delta = 1, fixed16 = 2, bytes = 3
    }

    /// Number of the column (``ColumnID``).
    public let column: UInt8
    /// Name in JSON and CSV.
    public let name: String
    public let representation: Representation
    /// Natural unit, for documents and messages; empty where there is none.
    public let unit: String
    /// Plausible values in stored units. Some are narrower where another column has certain values: ``Plausibility``.
    public let range: ClosedRange<Int64>
    /// True if neighbouring rows are close, so that differences are stored.
    public let isDelta: Bool
    /// What the field means beyond its name, unit and range, in Markdown; empty where the name says it all.
    public let meaning: String

    public init(
        _ column: UInt8, _ name: String, _ representation: Representation, unit: String = "",
        range: ClosedRange<Int64> = 0...Int64.max, delta: Bool = false, meaning: String = ""
    ) {
        self.column = column
        self.name = name
        self.representation = representation
        self.unit = unit
        self.range = range
        self.isDelta = delta
        self.meaning = meaning
    }

    /// Stored units per natural unit (1 for everything that is not a scaled number).
    public var scale: Int64 {
        if case .number(let scale) = representation { return scale }
        return 1
    }

    /// True if a fraction is no value of the field. Counters and numbers without a unit are whole; figures of a unit are rounded.
    public var isWhole: Bool {
        switch representation {
        case .number(let scale): scale == 1 && unit.isEmpty
        case .digits: true
        default: false
        }
    }

    /// How the field's column lies in a block.
    public var storage: Storage {
        switch representation {
        case .identifier: .fixed16
        case .text: .bytes
        default: isDelta ? .delta : .integer
        }
    }
}
