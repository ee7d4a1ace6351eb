internal import Crypto

/// The columns of an export: those of a download of raw rows.
enum ExportLayout {
    /// The line of names.
    static let header = RowPrinter.header

    /// Of other columns it is another one: the first bytes of the SHA-256 of their names.
    static let number = SHA256.hash(data: header).prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
}
