/// What is left when its time is over.
extension ReferenceModel {
    /// A run was ordered at a time, and everybody has executed it.
    public mutating func retain(at time: Int) { retention?.run(at: time) }

    /// Accepted rows that must be among the raw rows: those of whole days go.
    public var rawRows: [ReferenceRow] { rows.filter { keeps("raw_rows", of: $0.receivedAt) } }

    /// The ledger without consents that newer ones took the place of long ago.
    public var keptLedger: [ReferenceLedgerEntry] {
        ledger.filter { entry in
            let newer = ledger.first { $0.device == entry.device && $0.version == entry.version + 1 }
            return newer.map { keeps("consents", of: $0.receivedAt) } ?? true
        }
    }

    /// Which devices' records count in which alarms, with the time of the first. Alarms that are doubtful are
    /// left out, and devices that had a part erased: what they have to do with an alarm may have gone with it.
    public var contributions: [ReferenceContribution: Int] {
        var first: [ReferenceContribution: Int] = [:]
        let doubtful = doubtfulAlarms, unsure = partlyErased
        for (alarm, state) in keptAlarms where !doubtful.contains(alarm.place) {
            for row in state.rows where !unsure.contains(row.device) {
                let one = ReferenceContribution(alarm: alarm, device: row.device)
                first[one] = min(first[one] ?? .max, row.receivedAt)
            }
        }
        return first.filter { keeps("contributions", of: $0.value) }
    }

    /// Whether something of a kind is still there.
    public func keeps(_ kind: String, of time: Int) -> Bool { retention?.keeps(kind, of: time) ?? true }
}
