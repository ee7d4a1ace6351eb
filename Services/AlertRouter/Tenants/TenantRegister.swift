internal import Models

/// Which tenants there are, as the `operations` lane tells it. Pure.
///
/// It closes on doubt: a name that is not plain, a number that another tenant has or had, or a key that is none leads to no
/// endpoint at all.
struct TenantRegister {
    enum Event: Equatable {
        case put(TenantDocument)
        case remove(name: String)
    }

    enum Action: Equatable {
        case add(AlertTenant)
        /// Same number and name; what it owns, role or key are other ones.
        case change(AlertTenant, from: AlertTenant)
        case remove(AlertTenant)
        case refuse(name: String, reason: String)
    }

    static let longestName = 64
    /// Ports end at 65 535.
    static let highestNumber: Int64 = 32_767

    /// The tenants of the lane, by number; the built-in regulator is not among them.
    private(set) var tenants: [AlertTenant]
    private var spent: Set<Int64>

    /// - Parameter spent: numbers of tenants that were removed.
    init(tenants: [AlertTenant] = [], spent: Set<Int64> = []) {
        self.tenants = tenants.sorted { $0.number < $1.number }
        self.spent = spent
    }

    /// Takes in what the lane tells and says what to do about it.
    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .put(let document): put(document)
        case .remove(let name): remove(name)
        }
    }

    private mutating func put(_ document: TenantDocument) -> [Action] {
        // An exporter may list the built-in regulator too.
        if document.name == AlertTenant.regulator.name && document.number == 0 { return [] }
        if let reason = Self.fault(of: document) { return [.refuse(name: document.name, reason: reason)] }
        let new = AlertTenant(document)
        if let place = tenants.firstIndex(where: { $0.name == new.name && $0.number == new.number }) {
            let old = tenants[place]
            tenants[place] = new
            return old == new ? [] : [.change(new, from: old)]
        }
        guard !spent.contains(new.number), !tenants.contains(where: { $0.number == new.number }) else {
            return [.refuse(name: new.name, reason: "number \(new.number) belongs or belonged to another tenant")]
        }
        let removals = remove(new.name)
        tenants.append(new)
        tenants.sort { $0.number < $1.number }
        return removals + [.add(new)]
    }

    private mutating func remove(_ name: String) -> [Action] {
        guard let place = tenants.firstIndex(where: { $0.name == name }) else { return [] }
        let tenant = tenants.remove(at: place)
        spent.insert(tenant.number)
        return [.remove(tenant)]
    }

    private static func fault(of document: TenantDocument) -> String? {
        if TenantDocument.reservedNames.contains(document.name) { return "the name is reserved" }
        guard isPlain(document.name) else {
            return "a name is at most \(longestName) letters, digits, \"-\", \"_\" and \".\", a letter or digit first"
        }
        guard (1...highestNumber).contains(document.number) else {
            return "number \(document.number) is not in 1…\(highestNumber)"
        }
        guard document.clientPublicKey.utf8.count == 40 else { return "its key is not 40 characters of Z85" }
        return nil
    }

    /// A name becomes a file name, a ZAP domain and a part of JSON as it is.
    private static func isPlain(_ name: String) -> Bool {
        guard name.utf8.count <= longestName, let first = name.utf8.first, isAlphanumeric(first) else { return false }
        return name.utf8.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
