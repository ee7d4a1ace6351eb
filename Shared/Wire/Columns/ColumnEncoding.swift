/// How the values of a column are stored.
public enum ColumnEncoding: UInt8, Sendable, CaseIterable {
    /// Zigzag varints of the values.
    case integer = 0
    /// Zigzag varints of the difference to the previous present value (the first to 0): times, coordinates, cells.
    case delta = 1
    /// 16 bytes a value, beside the deflated part: random identifiers, which deflate cannot shrink. UUIDs take less on the way.
    case fixed16 = 2
    /// Varint lengths, then the values one after another: text, blobs, JSON.
    case bytes = 3
    /// As `bytes`, but beside the deflated part: what is dense already, such as histograms.
    case plainBytes = 4

    /// Whether the values are in ``Column/integers``.
    public var isInteger: Bool { self == .integer || self == .delta }
    /// Whether the values are byte strings with ``Column/ends``.
    package var isBytes: Bool { self == .bytes || self == .plainBytes }
    /// Whether the values lie beside the deflated part.
    var isPlain: Bool { self == .fixed16 || self == .plainBytes }
}
