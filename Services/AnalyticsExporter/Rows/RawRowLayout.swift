internal import Crypto
public import Models

/// What raw rows are here, as programmes declare it: which kinds are kept and shown, and the columns of a download.
///
/// Immutable; used by all threads.
public final class RawRowLayout: Sendable {
    package let programmes: Programmes
    /// Kinds that tenants are shown row by row, in the order of documents.
    package let kinds: [RecordKind]
    /// Every column of a download. `seq` and the device's ordinal are never among them.
    let columns: [OutputColumn]
    /// The line of names that a CSV begins with.
    package let header: [UInt8]
    /// A fingerprint of the column names and of how texts are written, the first bytes of a SHA-256; it changes when they do,
    /// and exports are made anew.
    package let number: Int64
    /// Changed when the same rows are to become other bytes of CSV. 1: formulas are neutralised.
    private static let form = "1"
    /// Fields that all kinds share (columns below 128), by name.
    private let shared: [String: Field]
    /// Numbers of the kinds that are shown, as an SQL list; others, such as outcomes of prompts, lie in the same files.
    package let kindList: String

    public init(_ programmes: Programmes) {
        self.programmes = programmes
        let shown = programmes.kinds.filter(\.isRawRow)
        kinds = shown.map(\.kind)
        columns = OutputColumn.all(shown)
        header = Array((columns.map(\.name).joined(separator: ",") + "\r\n").utf8)
        number = SHA256.hash(data: header + Self.form.utf8).prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        shared = kinds.flatMap(\.fields).filter { $0.column < 128 }.reduce(into: [:]) { $0[$1.name] = $1 }
        kindList = kinds.map { String($0.id) }.joined(separator: ", ")
    }

    /// The field of a name in blocks of a kind; nil if they cannot have it.
    ///
    /// A column that all kinds share is printed in whatever block it stands.
    func field(named name: String, of kind: RecordKind) -> Field? {
        kind.field(named: name) ?? kind.serverFields.first { $0.name == name } ?? shared[name]
    }

    /// Whether blocks of a kind are kept as they come.
    func isKept(_ kind: UInt8) -> Bool { programmes.kind(kind) != nil }

    /// Whether tenants are shown rows of a kind.
    package func isShown(_ kind: UInt8) -> Bool { programmes.kind(kind)?.isRawRow ?? false }

    /// Whose rows of a kind are.
    package func scope(of kind: UInt8) -> RowScope { programmes.kind(kind)?.scope ?? .networks }
}
