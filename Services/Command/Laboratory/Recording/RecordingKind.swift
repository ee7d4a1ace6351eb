internal import Alarms
public import Models
internal import QoE

/// What a row of a recording is: a kind of record that a programme lets phones send.
public struct RecordingKind: Sendable, Hashable {
    /// The record kind whose columns it has.
    public let recordKind: RecordKind
    /// Where phones send it.
    let path: String

    init(_ kind: ProgrammeKind) {
        recordKind = kind.kind
        path = kind.path
    }

    /// The kind of that name; nil if no programme has one.
    public init?(name: String, _ programmes: Programmes) {
        guard let kind = programmes.kind(named: name) else { return nil }
        self.init(kind)
    }

    /// Name in recordings.
    public var name: String { recordKind.name }

    public static let report = RecordingKind(ProgrammeKind.report)
    public static let feedback = RecordingKind(ProgrammeKind.feedback)
    /// What became of a prompt.
    public static let prompt = RecordingKind(ProgrammeKind.prompt)

    public static func == (left: Self, right: Self) -> Bool { left.recordKind.id == right.recordKind.id }

    public func hash(into hasher: inout Hasher) { hasher.combine(recordKind.id) }
}

extension Programmes {
    /// What `nkul` reads and plays: registered here, as each service registers its own where it is put together.
    public static let registered: Programmes = .ofThisBuild
}
