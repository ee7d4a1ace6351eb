/// What ingest remembers of one device in two layers, so that an upload writes what it changed and not all there is.
///
///     base     everything up to some upload: read, hardly ever written
///     delta    everything since, of the same form: written anew with each upload, small
///
/// Both together are the device's memory; ``merged`` is the one layer that says the same.
struct LayeredMemory: Equatable {
    private(set) var base: DeviceMemory
    private(set) var delta: DeviceMemory
    /// Bytes of the base as it is stored.
    let baseSize: Int
    /// True if the base as it is stored holds what was forgotten since.
    private(set) var isBaseStale = false

    init(base: DeviceMemory = DeviceMemory(), delta: DeviceMemory = DeviceMemory(), baseSize: Int = 0) {
        self.base = base
        self.delta = delta
        self.baseSize = baseSize
    }

    /// What a counter was used for before; if nothing, it is remembered for this record.
    mutating func claim(_ identity: RowIdentity, day: UInt32) -> SeqWindows.Finding {
        let known = base.windows.finding(identity)
        return known == .unknown ? delta.windows.claim(identity, day: day) : known
    }

    /// What a counter was used for before; remembers nothing.
    func finding(_ identity: RowIdentity) -> SeqWindows.Finding {
        let known = base.windows.finding(identity)
        return known == .unknown ? delta.windows.finding(identity) : known
    }

    /// Remembers an id that is not there yet.
    mutating func insert(_ identity: RowIdentity, capturedDay: UInt32) {
        delta.ids.insert(identity, capturedDay: capturedDay)
    }

    /// Marks the ids of a table that are known.
    func mark(_ table: inout IDLookup) {
        table.mark(base.ids)
        table.mark(delta.ids)
    }

    /// Which version of its consent the device has (``DeviceMemory/mark(ofConsent:)``).
    var consentMark: UInt8 {
        get { delta.consentMark != 0 ? delta.consentMark : base.consentMark }
        set { delta.consentMark = newValue }
    }

    /// True if rows that obey a version of the consent must be looked at again.
    func hasOtherConsent(than version: Int64) -> Bool {
        consentMark != 0 && consentMark != DeviceMemory.mark(ofConsent: version)
    }

    /// Forgets what is beyond the horizon; the batches of receipts whose text goes, too.
    mutating func prune(now: Int64) -> [BatchID] {
        let (old, wasForgotten) = base.prune(now: now)
        isBaseStale = isBaseStale || wasForgotten
        return old + delta.prune(now: now).gone
    }

    /// The receipt of a repetition: same batch, same body.
    func receipt(_ batch: BatchID, fingerprint: UInt32) -> ReceiptNote? {
        guard
            base.receipts.contains(where: { $0.batch == batch })
                || delta.receipts.contains(where: { $0.batch == batch })
        else { return nil }
        return receipts.last { $0.batch == batch && $0.fingerprint == fingerprint }
    }

    /// Adds a receipt; the batches of receipts that had to go for it and had a text.
    mutating func add(_ note: ReceiptNote) -> [BatchID] {
        let mayBeTooMany = base.receipts.count + delta.receipts.count >= DeviceMemory.receiptCount
        let before = mayBeTooMany ? receipts.filter { $0.batch != note.batch } : []
        delta.add(note)
        return before.prefix(max(0, before.count + 1 - DeviceMemory.receiptCount)).filter(\.hasItems).map(\.batch)
    }

    /// Both layers as one.
    var merged: DeviceMemory {
        guard base != DeviceMemory() else { return delta }
        var memory = DeviceMemory()
        memory.windows = base.windows.union(delta.windows)
        memory.ids = base.ids.union(delta.ids)
        memory.receipts = receipts
        memory.consentMark = consentMark
        return memory
    }

    /// The last sixteen, one of a batch, oldest first.
    private var receipts: [ReceiptNote] {
        let old = base.receipts.filter { note in !delta.receipts.contains { $0.batch == note.batch } }
        return old.suffix(DeviceMemory.receiptCount - delta.receipts.count) + delta.receipts
    }
}
