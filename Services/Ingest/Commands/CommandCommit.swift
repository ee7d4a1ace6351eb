package import IngestSupport
internal import Lanes
package import Models
package import SubjectRights
package import Wire

/// The commit in which commands are carried out: the tables, what is refused from now on, and what the requests lane is told.
///
/// Confined to one transaction. A command that tells the lane something refuses when ``isFull``; otherwise its readers would not
/// hear of it.
public struct CommandCommit {
    /// Tells the lane something that carries the barrier: the positions of all lanes behind everything else of the commit.
    typealias Tell = (inout CommandCommit, _ barriers: [Position]) throws -> Void

    let store: IngestStore
    let memories: MemoryStore
    /// Names devices that are erased.
    let suppression: SuppressionKey
    /// Executes erasures here.
    let erasures: ErasureExecutor
    let now: UnixMilliseconds
    /// The requests lane takes nothing.
    let isFull: Bool
    /// What may no longer be stored, by commands of this commit too.
    package var gate: ErasureGate
    /// What is to be counted when the commit is on disk.
    package private(set) var counts: [@Sendable (IngestMetrics) -> Void] = []
    private var rows: [(kind: RecordKind, rows: RequestRows)] = []
    private var last: [(stage: CommandStage, tell: Tell)] = []

    package init(
        store: IngestStore, memories: MemoryStore, suppression: SuppressionKey, erasures: ErasureExecutor,
        gate: ErasureGate, now: UnixMilliseconds, isFull: Bool
    ) {
        self.store = store
        self.memories = memories
        self.suppression = suppression
        self.erasures = erasures
        self.gate = gate
        self.now = now
        self.isFull = isFull
    }

    /// Has something counted when the commit is on disk.
    mutating func count(_ counted: @escaping @Sendable (IngestMetrics) -> Void) { counts.append(counted) }

    /// Tells the requests lane a record about a device, or about none: all records of a kind are alike in this.
    mutating func tell(_ kind: RecordKind, of device: UInt64?, _ document: some Encodable) throws {
        let place = rows.firstIndex { $0.kind.id == kind.id }
        if place == nil { rows.append((kind, RequestRows())) }
        try rows[place ?? rows.count - 1].rows.append(device, document)
    }

    /// Tells it when all other rows of the commit are in their journals, so that they are before the barrier. Stages are told in
    /// the order in which they are applied: a copy asked for behind an erasure is told behind it, or the privacy worker would
    /// withdraw it.
    mutating func tellLast(_ stage: CommandStage, _ tell: @escaping Tell) { last.append((stage, tell)) }

    /// Appends what the requests lane is told; to be called behind all other rows of the commit.
    ///
    /// - Parameters:
    ///   - barriers: where all lanes are.
    ///   - append: appends rows to the requests lane.
    package mutating func finish(
        barriers: () -> [Position], append: (RecordKind, Columns) throws -> [Block]
    ) throws -> [Block] {
        var blocks = try flush(append)
        for stage in CommandStage.allCases where last.contains(where: { $0.stage == stage }) {
            let barriers = barriers()
            for (_, tell) in last.filter({ $0.stage == stage }) { try tell(&self, barriers) }
            blocks += try flush(append)
        }
        return blocks
    }

    /// A kind at a time, in the order in which they were first told.
    private mutating func flush(_ append: (RecordKind, Columns) throws -> [Block]) throws -> [Block] {
        defer { rows = [] }
        return try rows.flatMap { try append($0.kind, $0.rows.columns(now)) }
    }
}
