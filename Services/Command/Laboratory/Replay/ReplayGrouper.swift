import Models

/// Gathers rows to uploads, as phones do: up to a number of rows or for a time; urgent rows go at once and alone. Pure.
///
/// Memory: what waits is limited in bytes; over it, the oldest upload goes early.
struct ReplayGrouper {
    private let rowLimit: Int
    private let patience: Int64
    private let byteLimit: Int
    private var groups: [ReplayUpload.Sender: ReplayUpload] = [:]
    private var order: [(sender: ReplayUpload.Sender, firstRow: Int)] = []
    private var next = 0
    private var bytes = 0

    /// - Parameter patience: milliseconds of the recording after which an upload goes even if it is not full.
    init(rowLimit: Int = 100, patience: Int64 = 60_000, byteLimit: Int = 64 << 20) {
        self.rowLimit = rowLimit
        self.patience = patience
        self.byteLimit = byteLimit
    }

    /// Takes a row, written by `write`, and gives the uploads that go now.
    mutating func add(
        _ sender: ReplayUpload.Sender, row: Int, time: UnixMilliseconds, isUrgent: Bool, write: (inout [UInt8]) -> Void
    ) -> [ReplayUpload] {
        guard !isUrgent else { return [urgent(sender, row, time, write)] }
        var group = groups.removeValue(forKey: sender) ?? open(sender, row, time)
        bytes -= group.body.count
        group.body.append(UInt8(ascii: group.rows == 0 ? "[" : ","))
        write(&group.body)
        group.rows += 1
        guard group.rows < rowLimit else {
            group.due = time
            return [closed(group)]
        }
        bytes += group.body.count
        groups[sender] = group
        return bytes > byteLimit ? takeOldest(due: time).map { [$0] } ?? [] : []
    }

    /// The uploads that waited long enough at a time of the recording.
    mutating func due(at time: UnixMilliseconds) -> [ReplayUpload] {
        var uploads: [ReplayUpload] = []
        while let oldest = oldest, oldest.due <= time, let upload = takeOldest(due: oldest.due) {
            uploads.append(upload)
        }
        return uploads
    }

    /// All that waits.
    mutating func drain(at time: UnixMilliseconds) -> [ReplayUpload] {
        var uploads: [ReplayUpload] = []
        while let upload = takeOldest(due: time) { uploads.append(upload) }
        return uploads
    }

    /// Numbers of the first rows of all that waits, for one recording.
    func firstRows(of play: Int) -> some Sequence<Int> {
        groups.values.lazy.filter { $0.sender.play == play }.map(\.firstRow)
    }

    private mutating func open(_ sender: ReplayUpload.Sender, _ row: Int, _ time: UnixMilliseconds) -> ReplayUpload {
        order.append((sender, row))
        return ReplayUpload(sender: sender, firstRow: row, due: time + patience, body: [], rows: 0)
    }

    private func urgent(
        _ sender: ReplayUpload.Sender, _ row: Int, _ time: UnixMilliseconds, _ write: (inout [UInt8]) -> Void
    ) -> ReplayUpload {
        var upload = ReplayUpload(
            sender: sender, firstRow: row, due: time, body: [UInt8(ascii: "[")], rows: 1, isUrgent: true)
        write(&upload.body)
        return closed(upload)
    }

    private func closed(_ group: ReplayUpload) -> ReplayUpload {
        var upload = group
        upload.body.append(UInt8(ascii: "]"))
        return upload
    }

    /// The upload that waits longest; what is gone already is passed over.
    private var oldest: ReplayUpload? {
        mutating get {
            while next < order.count {
                if let group = groups[order[next].sender], group.firstRow == order[next].firstRow { return group }
                next += 1
            }
            order.removeAll(keepingCapacity: true)
            next = 0
            return nil
        }
    }

    private mutating func takeOldest(due: UnixMilliseconds) -> ReplayUpload? {
        guard var group = oldest else { return nil }
        groups[group.sender] = nil
        bytes -= group.body.count
        next += 1
        if next > 4_096, next * 2 > order.count {
            order.removeFirst(next)
            next = 0
        }
        group.due = due
        return closed(group)
    }
}
