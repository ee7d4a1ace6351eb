internal import GRDB
internal import Models

extension RewardDispatcherStore {
    /// Grants of a device in the order in which their feedback was received.
    ///
    /// - Parameter count: how many, and all others of the last one's millisecond.
    /// - Returns: the grants, and after which time there are more; nil if there are none.
    func grants(
        of device: UInt64, receivedAfter time: UnixMilliseconds, atLeast count: Int, _ db: Database
    ) throws -> (grants: [Grant], next: UnixMilliseconds?) {
        let device = Int64(bitPattern: device)
        let times = try UnixMilliseconds.fetchAll(
            db.cachedStatement(
                sql: "SELECT received_at FROM grants WHERE device = ? AND received_at > ? ORDER BY received_at LIMIT ?"),
            arguments: [device, time, count])
        guard let last = times.last else { return ([], nil) }
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM grants WHERE device = ? AND received_at > ? AND received_at <= ? ORDER BY received_at, id
                    """), arguments: [device, time, last])
        return (try ids.compactMap { try grant(GrantID(stored: $0), db) }, times.count < count ? nil : last)
    }
}
