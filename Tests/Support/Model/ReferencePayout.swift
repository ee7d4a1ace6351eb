/// Where a device's rewards go, and what it said before.
public struct ReferencePayout: Sendable {
    /// The phone number, E.164; nil if it was withdrawn.
    public private(set) var phone: String?
    /// Every number it ever gave.
    public private(set) var given: Set<String> = []
    /// How often that changed.
    public private(set) var changes = 0

    public init() {}

    mutating func give(_ phone: String) {
        self.phone = phone
        given.insert(phone)
        changes += 1
    }

    mutating func withdraw() {
        guard phone != nil else { return }
        phone = nil
        changes += 1
    }
}

extension ReferenceModel {
    /// A device says where its rewards go, if it has consented to any: false if not.
    public mutating func give(_ phone: String, of device: Int) -> Bool {
        guard purposes(of: device).contains("rewards") else { return false }
        payouts[device, default: ReferencePayout()].give(phone)
        return true
    }
}
