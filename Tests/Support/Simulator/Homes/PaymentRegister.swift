import GRDB

/// For which feedback each grant was, in all lives of a home: the provider's books must not pay one of them twice, whatever
/// the grants are called.
struct PaymentRegister {
    private struct Reason: Hashable {
        let device: Int
        let record: String
        let campaign: String
    }

    private var reasons: [String: Reason] = [:]

    /// Notes the grants that the dispatcher has, but for those of erased devices.
    mutating func note(_ db: Database) throws {
        for row in try Row.fetchAll(
            db, sql: "SELECT id, device, hex(record), campaign FROM grants WHERE device <> 0")
        {
            reasons[row[0]] = Reason(device: row[1], record: row[2], campaign: row[3])
        }
    }

    /// - Parameter payouts: how often the provider has paid each grant.
    /// - Throws: `SimulationFailure` if it paid a feedback twice for one campaign.
    func check(_ payouts: [String: Int]) throws {
        var paid: [Reason: String] = [:]
        for (grant, count) in payouts.sorted(by: { $0.key < $1.key }) where count > 0 {
            guard let reason = reasons[grant] else { continue }
            if let other = paid.updateValue(grant, forKey: reason) {
                throw SimulationFailure("grants \(other) and \(grant) were paid for the same feedback: \(reason)")
            }
        }
    }
}
