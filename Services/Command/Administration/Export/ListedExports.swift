import Foundation
import Models
import SubjectRights

/// A page of a list of exports, as its signature covers it.
struct ListedExports: Decodable {
    struct File: Decodable {
        let name: String
        /// Left out, as is the size, while it is rewritten.
        let sha256: String?
        let bytes: Int64?
    }
    let tenant: String
    let at_ms: Int64
    let files: [File]
    /// The `cursor` of the next page.
    let next: String?

    /// Whether one of the keys has signed a list.
    static func isSigned(_ list: CompactJWS, by keys: PublicKeys) -> Bool {
        keys.keys.contains { $0.verifies(list, for: .exports) }
    }

    /// Nil if the payload is no list.
    init?(_ list: CompactJWS) {
        guard let listed = try? JSONDecoder().decode(Self.self, from: Data(list.payload)) else { return nil }
        self = listed
    }
}

extension ListedExports.File {
    /// Whether the name can be that of a file beside others: a list comes from elsewhere, and a name must lead nowhere else.
    var isPlain: Bool {
        name.hasSuffix(".csv.gz") && !name.hasPrefix(".") && name.utf8.count <= 128
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }
}
