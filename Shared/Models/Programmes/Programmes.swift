/// The programmes that a service runs with, checked once at its start. Immutable; used by all threads.
public struct Programmes: Sendable {
    public let all: [Programme]
    /// The kinds that phones may send, programme by programme.
    public let kinds: [ProgrammeKind]
    /// By number of the kind.
    private let byNumber: [ProgrammeKind?]
    private let recordKinds: [RecordKind?]

    /// - Throws: ``ProgrammeError``, which names programme, kind and column.
    public init(_ programmes: [Programme]) throws(ProgrammeError) {
        try ProgrammeCheck.run(programmes)
        all = programmes
        kinds = programmes.flatMap(\.kinds)
        var byNumber = [ProgrammeKind?](repeating: nil, count: 256)
        var recordKinds = [RecordKind?](repeating: nil, count: 256)
        for kind in RecordKind.platform { recordKinds[Int(kind.id)] = kind }
        for kind in kinds {
            byNumber[Int(kind.kind.id)] = kind
            recordKinds[Int(kind.kind.id)] = kind.kind
        }
        self.byNumber = byNumber
        self.recordKinds = recordKinds
    }

    /// What is known of a kind that phones send; nil for others.
    public func kind(_ number: UInt8) -> ProgrammeKind? { byNumber[Int(number)] }

    /// What is known of a kind that phones send, by its name in recordings and messages.
    public func kind(named name: String) -> ProgrammeKind? { kinds.first { $0.kind.name == name } }

    /// Any kind, the platform's too; nil if nothing here knows it.
    public func record(_ number: UInt8) -> RecordKind? { recordKinds[Int(number)] }

    /// All kinds of records, by number.
    public var records: [RecordKind] { recordKinds.compactMap(\.self) }

    /// The programme that a kind belongs to.
    public func programme(of kind: UInt8) -> Programme? { all.first { $0.kinds.contains { $0.kind.id == kind } } }

    /// Kinds that meet a condition, for subscriptions.
    public func recordKinds(where isWanted: (ProgrammeKind) -> Bool) -> [RecordKind] {
        kinds.filter(isWanted).map(\.kind)
    }

    /// Names of the fields of some kinds in the order of CSV headers: those of the first kind, then what each further one adds.
    ///
    /// Names stand for columns here, as those from 128 on mean something else in each kind.
    public static func names(_ kinds: [ProgrammeKind]) -> [String] {
        var seen: Set<String> = []
        return kinds.flatMap { $0.kind.fields.map(\.name) }.filter { seen.insert($0).inserted }
    }
}
