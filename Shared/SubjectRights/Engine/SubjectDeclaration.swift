public import Models

/// What a service, or a part of one, declares of the rights of subjects: who it is, what it has seen when a subject's rows have
/// all come, and what it holds. The engine does the rest, the same everywhere.
public struct SubjectDeclaration {
    /// Who signs, gives and reports, by the name of its program without `nkul-`.
    public var service: String
    /// The lane on which receipts, parts of copies and reports travel; nil for a part of a service, which signs and gives nothing
    /// itself and only says when it is done.
    public var lane: LaneName?
    /// Every lane that it reads; those of ingest have barriers.
    public var reads: [LaneName]
    /// Services that must have signed before: the writers of lanes derived from a subject's rows.
    public var waitsFor: Set<String> = []
    /// How it forgets what it holds.
    public var records: any SubjectRecords
    /// How it gives what it holds; nil of one that gives it another way.
    public var copy: (any SubjectCopy)?
    /// What it keeps for a time only, in the order in which it is looked at.
    public var retained: [any RetainedKind] = []
    /// Whether retention removes keys of its state lanes: then superseded records go from their journals, too.
    public var retiresKeys = false

    public init(
        service: String, on lane: LaneName?, reads: [LaneName], waitsFor: Set<String> = [],
        records: any SubjectRecords, copy: (any SubjectCopy)? = nil, retained: [any RetainedKind] = [],
        retiresKeys: Bool = false
    ) {
        self.service = service
        self.lane = lane
        self.reads = reads
        self.waitsFor = waitsFor
        self.records = records
        self.copy = copy
        self.retained = retained
        self.retiresKeys = retiresKeys
    }
}
