/// Why bytes could not be turned into a table (or a table into bytes).
///
/// Every case names what was being read, so that the message alone tells a torn file from a newer format.
public enum WireError: Error, Equatable, Sendable {
    /// The bytes end before `what` is complete.
    case truncated(what: String)
    /// The bytes contradict themselves at `what`.
    case corrupt(what: String)
    /// Bytes follow after the end of `what`.
    case trailingBytes(what: String)
    /// A format version this build does not know.
    case unsupportedFormat(what: String, version: UInt8)
    /// A column is stored in an encoding this build does not know.
    case unknownEncoding(column: UInt8, encoding: UInt8)
    /// `what` is larger than the limit; nothing was allocated for it.
    case tooLarge(what: String, limit: Int)
    /// The CRC-32 of `what` differs from the one recorded.
    case checksumMismatch(what: String, recorded: UInt32, computed: UInt32)
    /// zlib failed for a reason other than its input; `code` is its return value (`Z_MEM_ERROR` is −4).
    case compressor(code: Int32)
}

extension WireError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated(let what): "\(what) is truncated"
        case .corrupt(let what): "\(what) is corrupt"
        case .trailingBytes(let what): "bytes follow after the end of \(what)"
        case .unsupportedFormat(let what, let version):
            "\(what) has format version \(version), which this build does not know"
        case .unknownEncoding(let column, let encoding): "column \(column) has the unknown encoding \(encoding)"
        case .tooLarge(let what, let limit): "\(what) is over the limit of \(limit)"
        case .checksumMismatch(let what, let recorded, let computed):
            "\(what) has CRC-32 \(String(computed, radix: 16)), recorded was \(String(recorded, radix: 16))"
        case .compressor(let code): "zlib failed with code \(code)"
        }
    }
}

/// The bounds within which a payload is believed.
///
/// They are checked before memory is taken, so that a lying length costs nothing.
package enum WireLimits {
    /// Most rows of one table that may be encoded or decoded.
    package static let rows = 65_536
    /// Most values of one table, rows × stored columns: bounds decoded integers to 32 MiB.
    package static let values = 4_194_304
    /// Most bytes of the inflated section of a payload.
    package static let rawLength = 64 << 20
    /// Most bytes of a payload.
    package static let payloadLength = 64 << 20
    /// No deflate stream inflates by more than this factor (1 032 : 1 is zlib's bound).
    static let inflationFactor = 1_032
}
