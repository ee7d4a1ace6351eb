public import Models

/// How a service stands on all lanes that it writes and reads, at one moment.
public struct LaneSurvey: Sendable, Equatable {
    public var journals: [JournalFigures]
    public var reads: [ReadFigures]
    public var now: UnixMilliseconds

    public init(journals: [JournalFigures] = [], reads: [ReadFigures] = [], now: UnixMilliseconds) {
        self.journals = journals
        self.reads = reads
        self.now = now
    }
}
