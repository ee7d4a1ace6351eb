internal import IngestSupport
internal import NIOHTTP1

extension RequestHead {
    /// The request brings a signature, whatever it is worth.
    var isSigned: Bool { component("signature") != nil || component("signature-input") != nil }

    /// The value of a component that a signature may cover (RFC 9421 §2), nil if the request has it not.
    ///
    /// Fields are named in lower case; one that comes several times has its values joined by comma and space.
    func component(_ name: String) -> String? {
        switch name {
        case "@method": return head.method.rawValue
        case "@path": return String(head.uri.prefix { $0 != "?" })
        case "@query": return "?" + query
        case "@request-target": return head.uri
        case "@authority": return head.headers.first(name: "host")?.lowercased()
        default:
            guard !name.hasPrefix("@"), name == name.lowercased() else { return nil }
            let values = head.headers[name]
            return values.isEmpty ? nil : values.map(Self.trimmed).joined(separator: ", ")
        }
    }

    private static func trimmed(_ value: String) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
        let bytes = value.utf8.drop(while: isSpace)
        return String(decoding: bytes.reversed().drop(while: isSpace).reversed(), as: UTF8.self)
    }
}
