/// Who asks for a copy of everything, and what is said to that.
extension ReferenceModel {
    /// What a device is told that asks for a copy.
    public enum CopyAnswer: Sendable, Equatable {
        /// It is the request by its identifier: a new one, or one that is open still.
        case request(String)
        case tooMany
        case erased
    }

    /// A device asks for a copy of what was accepted up to now.
    ///
    /// - Parameter request: its identifier, if it is a new one.
    public mutating func ask(device: Int, request: String, at time: Int) -> CopyAnswer {
        guard !erased.contains(device) else { return .erased }
        let asked = copies.values.filter { $0.device == device && $0.askedAt > time - ReferenceCopy.day }
        if let open = asked.first(where: { $0.isOpen(at: time) }) { return .request(open.request) }
        guard asked.count < 3 else { return .tooMany }
        copies[request] = ReferenceCopy(
            request: request, device: device, askedAt: time, rows: rows.filter { $0.device == device },
            consents: ledger.filter { $0.device == device },
            contributions: contributions.filter { $0.key.device == device },
            payout: payouts[device] ?? ReferencePayout())
        return .request(request)
    }

    /// Something of a device is erased: whatever copy is on its way would have it.
    mutating func withdrawCopies(of device: Int) {
        for (request, copy) in copies where copy.device == device { copies[request]?.isWithdrawn = true }
    }
}
