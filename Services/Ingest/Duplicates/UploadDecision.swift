package import IngestUploads
package import Models
internal import Wire

/// Which rows of an upload count, decided against what is remembered of its device. Pure: memory in, memory out.
///
/// The duplicate check comes before the time check, so that a record that was accepted is a duplicate for as long as it is
/// remembered, and never becomes "too old".
package struct UploadDecision {
    /// Rows of `upload.rows` that are accepted, ascending.
    package private(set) var accepted: [Int32] = []
    /// Those of them that travel on the real-time lane.
    package private(set) var urgent: [Int32] = []
    /// Urgent rows among them that do not, as the device has sent too many.
    package private(set) var deferred = 0
    /// Those of them whose counter was used for another record before.
    package private(set) var reused: [Int32] = []
    package private(set) var duplicates = 0
    package private(set) var conflicts = 0
    package private(set) var rejected: Int
    package private(set) var items: [ReceiptItem] = []
    /// Rows that would be accepted if the batch journal were not full.
    package private(set) var heldBack = 0

    private let upload: Upload
    private let now: UnixMilliseconds
    private let today: UInt32
    private let onlyUrgent: Bool
    private let hasUrgent: Bool
    private var urgentLeft: Int
    /// What the counters of rows were used for before; empty if each is asked when its row is decided.
    private var findings: [SeqWindows.Finding] = []
    private var lookup: IDLookup?
    private var lookupHasAll = false

    /// Decides, and remembers the accepted rows in `memory`.
    ///
    /// - Parameters:
    ///   - onlyUrgent: rows of the batch lane are held back: neither accepted nor remembered.
    ///   - urgentLeft: urgent rows that may travel on the real-time lane; further ones are like any other.
    package init(
        _ upload: Upload, _ memory: inout LayeredMemory, now: UnixMilliseconds, onlyUrgent: Bool, urgentLeft: Int = .max
    ) {
        hasUrgent = upload.isUrgent
        self.urgentLeft = urgentLeft
        self.upload = upload
        self.now = now
        self.onlyUrgent = onlyUrgent
        today = DeviceMemory.day(now)
        rejected = upload.rejections.count
        accepted.reserveCapacity(upload.identities.count)
        if upload.identities.contains(where: { $0.seq == 0 }) { buildLookup(memory, all: false) }
        upload.rows.withIntegers(of: ColumnID.capturedAt) { captured in
            if !onlyUrgent, !hasAscendingCounters { findings = claimed(captured, &memory) }
            for row in upload.identities.indices { decide(row, captured?[row] ?? now, &memory) }
        }
        for rejection in upload.rejections { add(rejection) }
        if !upload.rejections.isEmpty { items.sort { $0.index < $1.index } }
    }

    private var hasAscendingCounters: Bool {
        zip(upload.identities, upload.identities.dropFirst()).allSatisfy { $0.seq <= $1.seq }
    }

    /// Claims the counters of all rows in ascending order, those of one counter in the order of their rows: one that comes before
    /// others that are remembered has all of these moved.
    private func claimed(_ captured: UnsafeBufferPointer<Int64>?, _ memory: inout LayeredMemory) -> [SeqWindows.Finding]
    {
        var findings = [SeqWindows.Finding](repeating: .unknown, count: upload.identities.count)
        let rows = upload.identities.indices.filter { upload.identities[$0].seq != 0 }
        for row in rows.sorted(by: { (upload.identities[$0].seq, $0) < (upload.identities[$1].seq, $1) }) {
            let identity = upload.identities[row]
            findings[row] =
                isInTime(captured?[row] ?? now) ? memory.claim(identity, day: today) : memory.finding(identity)
        }
        return findings
    }

    private func isInTime(_ captured: UnixMilliseconds) -> Bool {
        captured >= now - AcceptanceHorizon.back && captured <= now + AcceptanceHorizon.ahead
    }

    private func finding(_ row: Int, _ mayClaim: Bool, _ memory: inout LayeredMemory) -> SeqWindows.Finding {
        guard findings.isEmpty else { return findings[row] }
        let identity = upload.identities[row]
        return mayClaim ? memory.claim(identity, day: today) : memory.finding(identity)
    }

    private mutating func decide(_ row: Int, _ captured: UnixMilliseconds, _ memory: inout LayeredMemory) {
        let identity = upload.identities[row]
        let isInTime = isInTime(captured)
        let mayClaim = isInTime && (!onlyUrgent || hasUrgent && urgentLeft > 0 && upload.isUrgent(row))
        var isReused = false
        if identity.seq != 0 {
            switch finding(row, mayClaim, &memory) {
            case .duplicate: return addDuplicate(row)
            case .conflict: return addConflict(row, memory)
            case .unknown: return finish(row, captured, isInTime, mayClaim)
            case .reused:
                isReused = true
                if !lookupHasAll { buildLookup(memory, all: true) }
            }
        }
        switch lookup!.finding(identity) {
        case .duplicate: return addDuplicate(row)
        case .conflict: return addConflict(row, memory)
        case .unknown: break
        }
        if mayClaim {
            memory.insert(identity, capturedDay: DeviceMemory.day(captured))
            lookup!.remember(identity)
            if isReused { reused.append(Int32(row)) }
        }
        finish(row, captured, isInTime, mayClaim)
    }

    /// Counts a row that was not known.
    private mutating func finish(_ row: Int, _ captured: UnixMilliseconds, _ isInTime: Bool, _ isClaimed: Bool) {
        guard isInTime else { return addUntimely(row, captured) }
        guard isClaimed else { return heldBack += 1 }
        accepted.append(Int32(row))
        if hasUrgent, upload.isUrgent(row) { addUrgent(row) }
        let isReused = reused.last == Int32(row), leftOut = leftOut(row)
        guard isReused || upload.listsAll || !leftOut.isEmpty else { return }
        items.append(
            ReceiptItem(
                index: upload.place(row), id: id(row), status: .accepted, code: isReused ? "seq_reused" : nil,
                leftOut: leftOut))
    }

    private mutating func addUrgent(_ row: Int) {
        guard urgentLeft > 0 else { return deferred += 1 }
        urgentLeft -= 1
        urgent.append(Int32(row))
    }

    /// Accepted rows that travel on the batch lane.
    package var ordinary: [Int32] {
        var rest = urgent[...]
        return accepted.filter { row in
            guard rest.first == row else { return true }
            rest.removeFirst()
            return false
        }
    }

    private mutating func addDuplicate(_ row: Int) {
        duplicates += 1
        items.append(ReceiptItem(index: upload.place(row), id: id(row), status: .duplicate, leftOut: leftOut(row)))
    }

    /// Counts a row whose id is known with other content; without an id of its own, it is its counter that is.
    private mutating func addConflict(_ row: Int, _ memory: LayeredMemory) {
        conflicts += 1
        let seq = upload.identities[row].seq, hasID = upload.rows.identifier(of: ColumnID.id, row) != nil
        items.append(
            ReceiptItem(
                index: upload.place(row), id: id(row), status: .conflict, code: hasID ? "id_conflict" : "seq_conflict",
                field: hasID ? "id" : "seq",
                detail: hasID
                    ? "the id was used for a record that says something else, which stands"
                    : "the counter \(seq) was used for a record that says something else, which stands; count on from "
                        + "\(memory.highestCounter + 1), or give records an id",
                leftOut: leftOut(row)))
    }

    private func leftOut(_ row: Int) -> [LeftOutValue] {
        upload.leftOut.isEmpty ? [] : upload.leftOut[upload.place(row)] ?? []
    }

    private mutating func addUntimely(_ row: Int, _ captured: UnixMilliseconds) {
        let code: RowCode = captured > now ? .inFuture : .tooOld
        // A phone can say any time at all: the difference of two may need a 65th bit.
        let seconds = (Int128(now) - Int128(captured)).magnitude / 1_000
        rejected += 1
        items.append(
            ReceiptItem(
                index: upload.place(row), id: id(row), status: .rejected, code: code.rawValue,
                field: "captured_at",
                detail: code == .inFuture
                    ? "captured \(SpanInWords.text(seconds: seconds)) ahead of the server's clock; at most 5 minutes are accepted"
                    : "captured \(SpanInWords.text(seconds: seconds)) ago; at most 8 days are accepted"))
    }

    private mutating func add(_ rejection: RowRejection) {
        items.append(
            ReceiptItem(
                index: rejection.row, id: upload.rejectedIDs[rejection.row], status: .rejected,
                code: rejection.code.rawValue,
                field: rejection.field, detail: rejection.detail))
    }

    private mutating func buildLookup(_ memory: LayeredMemory, all: Bool) {
        var table = IDLookup(capacity: upload.identities.count)
        for identity in upload.identities where all || identity.seq == 0 { table.add(identity) }
        memory.mark(&table)
        lookup = table
        lookupHasAll = all
    }

    private func id(_ row: Int) -> RecordIdentifier? { upload.identifier(row) }
}
