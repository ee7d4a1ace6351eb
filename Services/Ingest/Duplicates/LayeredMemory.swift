package import IngestUploads

/// What ingest remembers of one device in layers, so that an upload writes what it changed and not all there is.
///
///     base      everything up to some upload: read, hardly ever written
///     changes   what came since, oldest first, each layer that of one upload or of several
///     delta     what this upload adds
///
/// All have one form and together are the device's memory; ``merged`` is the one layer that says the same.
package struct LayeredMemory: Equatable {
    /// Changes as they are stored.
    package struct Layer: Equatable {
        var memory: DeviceMemory
        /// Of the row that has them.
        package let number: Int64
        /// Bytes that they take.
        package let size: Int

        package init(memory: DeviceMemory, number: Int64, size: Int) {
            self.memory = memory
            self.number = number
            self.size = size
        }
    }

    private(set) var base: DeviceMemory
    private(set) var changes: [Layer]
    private(set) var delta = DeviceMemory()
    /// Bytes of the base as it is stored.
    package let baseSize: Int
    /// True if the base as it is stored holds what was forgotten since.
    package private(set) var isBaseStale = false
    /// The first of the changes of which that is so; as many as there are, if of none.
    private var firstStale: Int

    package init(base: DeviceMemory = DeviceMemory(), changes: [Layer] = [], baseSize: Int = 0) {
        self.base = base
        self.changes = changes
        self.baseSize = baseSize
        firstStale = changes.count
    }

    /// What a counter was used for before; if nothing, it is remembered for this record.
    mutating func claim(_ identity: RowIdentity, day: UInt32) -> SeqWindows.Finding {
        let known = storedFinding(identity)
        return known == .unknown ? delta.windows.claim(identity, day: day) : known
    }

    /// What a counter was used for before; remembers nothing.
    func finding(_ identity: RowIdentity) -> SeqWindows.Finding {
        let known = storedFinding(identity)
        return known == .unknown ? delta.windows.finding(identity) : known
    }

    private func storedFinding(_ identity: RowIdentity) -> SeqWindows.Finding {
        var known = base.windows.finding(identity), layer = 0
        while known == .unknown, layer < changes.count {
            known = changes[layer].memory.windows.finding(identity)
            layer += 1
        }
        return known
    }

    /// The highest counter that is remembered; 0 if none is.
    var highestCounter: Int64 {
        changes.reduce(max(base.windows.highest, delta.windows.highest)) { max($0, $1.memory.windows.highest) }
    }

    /// Remembers an id that is not there yet.
    mutating func insert(_ identity: RowIdentity, capturedDay: UInt32) {
        delta.ids.insert(identity, capturedDay: capturedDay)
    }

    /// Marks the ids of a table that are known.
    func mark(_ table: inout IDLookup) {
        table.mark(base.ids)
        for layer in changes { table.mark(layer.memory.ids) }
        table.mark(delta.ids)
    }

    /// Which version of its consent the device has (``DeviceMemory/mark(ofConsent:)``).
    package var consentMark: UInt8 {
        get {
            if delta.consentMark != 0 { return delta.consentMark }
            return changes.last { $0.memory.consentMark != 0 }?.memory.consentMark ?? base.consentMark
        }
        set { delta.consentMark = newValue }
    }

    /// True if rows that obey a version of the consent must be looked at again.
    package func hasOtherConsent(than version: Int64) -> Bool {
        let mark = consentMark
        return mark != 0 && mark != DeviceMemory.mark(ofConsent: version)
    }

    /// Forgets what is beyond the horizon; the batches of receipts whose text goes, too. Before anything is added.
    package mutating func prune(now: Int64) -> [BatchID] {
        var gone: [BatchID]
        (gone, isBaseStale) = base.prune(now: now)
        for index in changes.indices {
            let (old, wasForgotten) = changes[index].memory.prune(now: now)
            gone += old
            if wasForgotten { firstStale = min(firstStale, index) }
        }
        guard !gone.isEmpty else { return gone }
        // The same batch may have come again since.
        let kept = receipts
        return gone.filter { batch in !kept.contains { $0.batch == batch } }
    }

    /// The receipt of a repetition: same batch, same body.
    package func receipt(_ batch: BatchID, fingerprint: UInt32) -> ReceiptNote? {
        let isKnown =
            base.receipts.contains { $0.batch == batch } || delta.receipts.contains { $0.batch == batch }
            || changes.contains { $0.memory.receipts.contains { $0.batch == batch } }
        return isKnown ? receipts.last { $0.batch == batch && $0.fingerprint == fingerprint } : nil
    }

    /// Adds a receipt; the batches of receipts that had to go for it and had a text.
    package mutating func add(_ note: ReceiptNote) -> [BatchID] {
        let count = changes.reduce(base.receipts.count + delta.receipts.count) { $0 + $1.memory.receipts.count }
        let before = count >= DeviceMemory.receiptCount ? receipts.filter { $0.batch != note.batch } : []
        delta.add(note)
        return before.prefix(max(0, before.count + 1 - DeviceMemory.receiptCount)).filter(\.hasItems).map(\.batch)
    }

    /// The changes that stay as they are stored when the delta is: up to the last that is more than a quarter longer than all behind
    /// it, so that n equal uploads are log₂ n layers and a record is written log₂ n times, and that neighbours differ by a quarter at
    /// least, whatever comes (the logarithmic method of Bentley and Saxe). From the first on of which something was forgotten, none stays.
    package var keptLayers: ArraySlice<Layer> {
        var kept = changes.count, size = delta.encodedSize
        while kept > firstStale || kept > 0 && changes[kept - 1].size <= size + size / 4 {
            kept -= 1
            size += changes[kept].size
        }
        return changes[..<kept]
    }

    /// The delta with the changes behind the first `kept`.
    package func delta(behind kept: Int) -> DeviceMemory {
        changes[kept...].reversed().reduce(delta) { $1.memory.union($0) }
    }

    /// All layers as one.
    package var merged: DeviceMemory { base.union(delta(behind: 0)) }

    /// The last sixteen, one of a batch, oldest first.
    private var receipts: [ReceiptNote] {
        let changes = changes.reduce(base.receipts) { DeviceMemory.receipts($0, and: $1.memory.receipts) }
        return DeviceMemory.receipts(changes, and: delta.receipts)
    }
}
