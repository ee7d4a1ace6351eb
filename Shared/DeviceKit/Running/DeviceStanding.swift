/// How the kit stands, for a page of the app or a test.
public struct DeviceStanding: Sendable, Equatable {
    /// As the service calls the phone; nil before it has enrolled.
    public let deviceID: String?
    /// The person has consented to measurement, as far as the phone knows.
    public let isMeasuring: Bool
    /// The person had everything erased: the kit does nothing any more.
    public let isErased: Bool
    /// Records without a receipt, those of uploads on their way included.
    public let unsent: Int
    /// Bytes of records that wait, encrypted.
    public let waitingBytes: Int
    /// What became of records since the store was made: `made` `accepted` `duplicates` `rejected_…` `conflicts` `renumbered`
    /// `expired` `overflow` `withdrawn` `erased` `refused_…`; `uploads` were made; `seq` is the last counter.
    public let counters: [String: Int64]
    /// What the kit took of the phone, the last eight days, today at the end.
    public let days: [DayLedger]
    /// The question that is open.
    public let prompt: Prompt?

    init(_ loop: DeviceLoop) {
        let state = loop.core.state, facts = loop.store.facts
        deviceID = state.deviceID
        isMeasuring = loop.core.isMeasuring
        isErased = state.end == .erased
        unsent = facts.urgent.count + facts.ordinary.count + facts.pending.values.reduce(0) { $0 + $1.rows }
        waitingBytes = facts.waitingBytes
        counters = loop.store.counters
        days = state.days
        prompt = state.openPrompt?.prompt
    }
}
