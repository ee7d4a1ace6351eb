public import Models

/// An order, and what a service reported of it.
public struct RetentionOutcome: Sendable, Equatable {
    public let order: RetentionOrderDocument
    public let report: RetentionReportDocument

    public init(order: RetentionOrderDocument, report: RetentionReportDocument) {
        self.order = order
        self.report = report
    }
}
