internal import Channels
internal import GRDB
internal import Models
internal import NotifierMessages

/// Puts down what became of calls, in the caller's transaction.
struct Settling {
    let db: Database
    let now: UnixMilliseconds
    let schedule: RetrySchedule
    let random: () -> UInt64
    /// As the lane is to tell them.
    private(set) var told: [DeliveryDocument] = []
    private(set) var dead = 0

    init(_ db: Database, now: UnixMilliseconds, _ schedule: RetrySchedule, random: @escaping () -> UInt64) {
        self.db = db
        self.now = now
        self.schedule = schedule
        self.random = random
    }

    /// - Returns: when the channel may be called again, of a call that failed.
    mutating func settle(
        _ call: ChannelFlow.Call, _ answer: SendAnswer, resend: UnixMilliseconds?
    ) throws -> UnixMilliseconds? {
        let outbox = OutboxStore(db), jitter = random()
        var rest: UnixMilliseconds?
        for (id, severity) in call.deliveries {
            // An alarm that fired may be over meanwhile, and its row gone.
            guard var delivery = try outbox.delivery(id), delivery.state == .waiting else { continue }
            switch answer {
            case .delivered: deliver(&delivery, as: severity, resend)
            case .failed(let reason, let after):
                fail(&delivery, reason, after, resend, jitter)
                rest = min(rest ?? .max, delivery.dueAt)
            case .gone(let reason): end(&delivery, reason)
            }
            try outbox.save(delivery)
        }
        return rest.map { min($0, now + ChannelFlow.longestRest) }
    }

    private mutating func deliver(_ delivery: inout Delivery, as severity: Severity?, _ resend: UnixMilliseconds?) {
        let isNews =
            delivery.transition != Delivery.firing || delivery.attempts > 0
            || delivery.changedAt == delivery.createdAt
        var document = delivery.told
        (document.state, document.reason, document.changedAt) = (.delivered, "", now)
        if isNews { told.append(document) }
        (delivery.reason, delivery.changedAt) = ("", max(now, delivery.createdAt + 1))
        if delivery.transition == Delivery.firing, let resend {
            // The alarm may have become worse or better while the call was on the way.
            let isCurrent = delivery.outgoing?.alarm.severity == severity
            (delivery.attempts, delivery.dueAt) = (0, isCurrent ? now + resend : now)
        } else {
            delivery.state = .delivered
        }
    }

    private mutating func fail(
        _ delivery: inout Delivery, _ reason: String, _ after: UnixMilliseconds?, _ resend: UnixMilliseconds?,
        _ jitter: UInt64
    ) {
        delivery.attempts += 1
        delivery.changedAt = max(now, delivery.createdAt + 1)
        delivery.reason = String(reason.prefix(300))
        if delivery.transition == Delivery.firing, let resend {
            // How an alarm stands is told until it is over.
            delivery.dueAt = now + max(min(schedule.pause(delivery.attempts, jitter), resend), min(after ?? 0, resend))
        } else if let next = schedule.next(
            attempts: delivery.attempts, createdAt: delivery.createdAt, now: now, retryAfter: after, random: jitter),
            !delivery.isCode || next < delivery.createdAt + LoginCodeDocument.lifetime
        {
            delivery.dueAt = next
        } else {
            end(&delivery, delivery.reason)
        }
    }

    private mutating func end(_ delivery: inout Delivery, _ reason: String) {
        (delivery.state, delivery.reason, delivery.changedAt) = (.dead, String(reason.prefix(300)), now)
        dead += 1
        told.append(delivery.told)
    }
}
