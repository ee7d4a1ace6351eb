/// The framing of a compressed stream.
public enum CompressionFormat: Sendable {
    /// gzip, RFC 1952; members may follow one another.
    case gzip
    /// zlib, RFC 1950 (HTTP's `deflate`).
    case zlib
    /// Either, told apart by the first bytes. For inflating only; deflates as gzip.
    case auto

    var windowBits: Int32 {
        switch self {
        case .gzip: 31
        case .zlib: 15
        case .auto: 47
        }
    }
}
