public import Models
public import Wire

/// What the effects of one transaction append to the lanes the service writes.
public struct Emission: Sendable {
    private var builders: [LaneName: BlockBuilder] = [:]

    public init() {}

    /// Adds rows to a lane; rows of one lane and kind are merged in the order they are added.
    public mutating func append(to lane: LaneName, kind: RecordKind, columns: Columns) {
        builders[lane, default: BlockBuilder()].append(kind: kind, columns: columns)
    }

    /// Rows waiting for a lane.
    public func rowCount(_ lane: LaneName) -> Int { builders[lane]?.rowCount ?? 0 }

    /// The tables to append, lanes in the order of their numbers (realtime first); empty afterwards.
    mutating func take() -> [(lane: LaneName, kind: RecordKind, columns: Columns)] {
        defer { builders = [:] }
        return builders.keys.sorted { $0.id < $1.id }.flatMap { lane in
            builders[lane]!.take().map { (lane: lane, kind: $0.kind, columns: $0.columns) }
        }
    }
}
