internal import Lanes
internal import Models
internal import ServiceKit

/// Shows how ingest stands on the lanes it reads: at `/metrics`, and at `/readyz` where somebody has to act. A writer that is
/// away is no reason not to be ready.
final class CopiesObserver: LaneObserver {
    private let metrics: LaneMetrics
    private let readiness: Readiness
    private let client: LaneClient

    init(_ metrics: LaneMetrics, _ readiness: Readiness, _ client: LaneClient) {
        self.metrics = metrics
        self.readiness = readiness
        self.client = client
    }

    func stepped(_ outcome: EffectOutcome, of batch: LaneBatch, took: Duration, now: UnixMilliseconds) {
        metrics.stepped(outcome, of: batch, took: took, now: now)
        readiness.hold(Copies.condition)
    }

    func maintained(_ done: [LaneName: JournalMaintenance]) { metrics.maintained(done) }

    func looked(_ survey: LaneSurvey) {
        metrics.looked(survey)
        readiness.show(client.statuses)
    }

    func pushed(after delay: Duration) { metrics.pushed(after: delay) }
}
