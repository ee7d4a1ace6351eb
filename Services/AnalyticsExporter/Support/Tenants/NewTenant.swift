internal import Models
package import ServiceKit

/// A tenant that is to be added, checked.
package struct NewTenant: Sendable, Equatable {
    static let namePattern = "1…32 of a-z, 0-9 and -, the first a letter"

    package let name: String
    let plmns: [String]
    /// Texts of ``Scope``, ascending.
    let scopes: [String]
    let isRegulator: Bool
    let showsOriginalIDs: Bool

    /// - Throws: `ControlError` that names what is wrong.
    package init(
        name: String, plmns: [String], scopes: [String] = [], isRegulator: Bool, showsOriginalIDs: Bool
    ) throws(ControlError) {
        guard Self.isName(name), !TenantDocument.reservedNames.contains(name) else {
            let reserved = TenantDocument.reservedNames.sorted().joined(separator: " or ")
            throw .argument("name", "is \"\(name)\"; expected \(Self.namePattern), not \(reserved)")
        }
        let networks = plmns.map(PLMN.init(text:))
        if let place = networks.firstIndex(where: { $0 == nil || $0 == .unknown }) {
            throw .argument("plmns", "has \"\(plmns[place])\"; expected five or six digits (MCC and MNC)")
        }
        let others = scopes.map(Scope.init(text:))
        if let place = others.firstIndex(where: { $0 == nil || $0?.scheme == Scope.plmn }) {
            throw .argument("scopes", "has \"\(scopes[place])\"; expected a scheme and a number, as site:12")
        }
        guard isRegulator || !plmns.isEmpty || !scopes.isEmpty else {
            throw .argument("plmns", "is empty; a tenant has at least one network or scope, or is a regulator")
        }
        guard isRegulator || !showsOriginalIDs else {
            throw .argument("original_ids", "is only for a regulator")
        }
        self.name = name
        self.plmns = Set(networks.compactMap { $0 }).sorted().map(\.text)
        self.scopes = Set(others.compactMap { $0 }).sorted().map(\.text)
        self.isRegulator = isRegulator
        self.showsOriginalIDs = showsOriginalIDs
    }

    /// Names stand in file names, ZAP domains and keys of lanes.
    static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && (97...122).contains(text.utf8.first!)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
