public import Models

/// How far a service is with an order; in memory only: after a crash it begins anew and finds less.
struct RetentionRun {
    enum Phase {
        case looking
        /// Journals are swept and logs emptied, so that what was removed is in no file.
        case cleaning
        case clean
        case reported
    }

    let order: RetentionOrderDocument
    /// Figures of another part of the service, by the kind's name.
    let parts: [String: RetentionFigures]
    var phase: Phase
    /// Those that are still to be looked at; the first is under way.
    var kinds: ArraySlice<any RetainedKind>
    var mark = RetentionMark.start
    /// Of the kind that is under way.
    var oldestKept: UnixMilliseconds?
    /// Of a dry run.
    var counts: [String: RetentionFigures] = [:]

    init(_ work: RetentionStore.Work, _ kinds: [any RetainedKind]) {
        order = work.order
        parts = work.parts
        phase = work.state == .open ? .looking : .cleaning
        self.kinds = kinds.filter { work.order.cutoff(of: $0.kind) != nil }[...]
    }
}

/// An order, and what a service reported of it.
public struct RetentionOutcome: Sendable, Equatable {
    public let order: RetentionOrderDocument
    public let report: RetentionReportDocument

    public init(order: RetentionOrderDocument, report: RetentionReportDocument) {
        self.order = order
        self.report = report
    }
}
