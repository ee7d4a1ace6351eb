internal import Models

/// An alarm as a rule knows it.
struct Episode: Sendable, Equatable {
    let number: Int64
    var raised: Int32
    var cleared: Int32?
    /// False while rows ahead of the watermark alone say so; the watermark will confirm it, maybe with an earlier time.
    var isConfirmed: Bool
    /// As it was told.
    var severity: Severity
    /// Most devices at a time, up to the watermark.
    var peak = 0
    var isSampled = false
    /// Those whose rows count in it, of ever so many those of least hash; in order of the hash.
    var members: [Member] = []
    /// Number of the storm's parent that it is a child of; nil if of none.
    var parent: Int64?

    struct Member: Sendable, Equatable {
        let ordinal: UInt32
        /// Minute of the first row that counts.
        var first: Int32
    }

    /// Devices to be told.
    var devices: Int { max(peak, members.count) }

    /// Takes in a device; true if that is new, or earlier than was known.
    mutating func take(_ ordinal: UInt32, at minute: Int32) -> Bool {
        let hash = SplitMix64.mixed(UInt64(ordinal))
        var low = 0, high = members.count
        while low < high {
            let middle = (low + high) / 2
            if SplitMix64.mixed(UInt64(members[middle].ordinal)) < hash { low = middle + 1 } else { high = middle }
        }
        if low < members.count, members[low].ordinal == ordinal {
            guard minute < members[low].first else { return false }
            members[low].first = minute
            return true
        }
        if members.count >= DeviceWindow.mostDevices {
            isSampled = true
            guard low < members.count else { return false }
            members.removeLast()
        }
        members.insert(Member(ordinal: ordinal, first: minute), at: low)
        return true
    }

    /// The first minute that ends a window with so many members; nil if none does.
    func reached(_ count: Int, within length: Int32) -> Int32? {
        let firsts = members.map(\.first).sorted()
        guard count > 0, firsts.count >= count else { return nil }
        for end in (count - 1)..<firsts.count where firsts[end] - firsts[end - count + 1] < length {
            return firsts[end]
        }
        return nil
    }

    func write(_ writer: inout WindowWriter) {
        writer.put(signed: number)
        writer.put(signed: Int64(raised))
        writer.put(cleared)
        writer.put(UInt8(isConfirmed ? 1 : 0) | (isSampled ? 2 : 0))
        writer.put(severity.rawValue)
        writer.put(peak)
        writer.put(signed: parent ?? 0)
        writer.put(members.count)
        for member in members {
            writer.put(member.ordinal)
            writer.put(signed: Int64(member.first))
        }
    }

    init(number: Int64, raised: Int32, isConfirmed: Bool, severity: Severity) {
        self.number = number
        self.raised = raised
        self.isConfirmed = isConfirmed
        self.severity = severity
    }

    init(_ reader: inout WindowReader) throws(StateError) {
        number = try reader.signed()
        raised = Int32(clamping: try reader.signed())
        cleared = try reader.minute()
        let flags: UInt8 = try reader.narrow()
        isConfirmed = flags & 1 != 0
        isSampled = flags & 2 != 0
        guard let severity = Severity(rawValue: try reader.text()) else { throw StateError.damaged }
        self.severity = severity
        peak = try reader.whole()
        let parentNumber = try reader.signed()
        parent = parentNumber == 0 ? nil : parentNumber
        for _ in 0..<(try reader.count()) {
            members.append(Member(ordinal: try reader.narrow(), first: Int32(clamping: try reader.signed())))
        }
    }
}
