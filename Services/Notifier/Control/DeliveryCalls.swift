internal import GRDB
internal import Lanes
internal import Models
internal import NotifierMessages
internal import ServiceKit
internal import Storage
internal import SubjectRights

/// What the notifier answers on its control socket: `channel.key`, `channel.status`, `channel.test`, `delivery.list` and
/// `delivery.resend`.
struct DeliveryCalls: Sendable {
    /// Deliveries of one answer at most.
    static let mostDeliveries: Int64 = 500

    let loop: EffectLoop
    let clock: WallClock

    var all: [ControlCall] {
        [
            .typed("channel.key", JSONValue.self) { _ in try await perform { effects, _ in effects.keys.document } },
            .typed("channel.status", JSONValue.self) { _ in try await status() },
            .typed("channel.test", JSONValue.self) { try await test(try $0.text("id")) },
            .typed("delivery.list", JSONValue.self) { try await list($0) },
            .typed("delivery.resend", JSONValue.self) { try await resend($0) },
        ]
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (NotifierEffects, Database) throws -> Value
    ) async throws -> Value {
        try await loop.perform { engine in
            guard let effects = (engine.effects as? SubjectRightsEffects)?.service as? NotifierEffects else {
                preconditionFailure("the notifier's engine has its effects")
            }
            return try engine.database.write { try body(effects, $0) }
        }
    }

    private func status() async throws -> [JSONValue] {
        try await perform { effects, db in
            let book = effects.book, outbox = OutboxStore(db)
            return try ChannelStore(db).all().map { stored in
                let problem = book.problems[stored.id]
                let last = try outbox.page(channel: stored.id, state: nil, limit: 1).first
                return [
                    "id": .string(stored.id), "usable": .bool(problem == nil), "problem": .string(problem ?? ""),
                    "waiting": .integer(Int64(try outbox.waiting(stored.id))),
                    "dead": .integer(Int64(try outbox.page(channel: stored.id, state: .dead, limit: 1_000).count)),
                    "last_reason": .string(last?.reason ?? ""),
                ]
            }
        }
    }

    /// `{channel?, state?, limit?}`.
    private func list(_ arguments: JSONValue) async throws -> [DeliveryDocument] {
        let channel = try arguments.optionalText("channel"), word = try arguments.optionalText("state")
        let state = word.flatMap(DeliveryDocument.State.init(rawValue:))
        guard word == nil || state != nil else {
            let words = DeliveryDocument.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError.argument("state", "is \"\(word!.prefix(32))\"; expected one of \(words)")
        }
        let limit = Int(try arguments.integer("limit", default: 50, in: 1...Self.mostDeliveries))
        return try await perform { _, db in
            try OutboxStore(db).page(channel: channel, state: state, limit: limit).map(\.told)
        }
    }

    /// `{id}` or `{channel}`: one dead letter, or all of a channel.
    private func resend(_ arguments: JSONValue) async throws -> JSONValue {
        let id = try arguments.optionalText("id"), channel = try arguments.optionalText("channel"), now = clock.now()
        guard (id == nil) != (channel == nil) else {
            throw ControlError.argument("id", "or channel must be given, not both")
        }
        return try await perform { effects, db in
            let outbox = OutboxStore(db)
            var letters: [Delivery]
            if let id {
                guard let one = try outbox.delivery(id) else {
                    throw ControlError.notFound("there is no delivery \"\(id.prefix(64))\"")
                }
                guard one.state == .dead else {
                    throw ControlError.refused("delivery \(id) is \(one.state.rawValue), not dead")
                }
                letters = [one]
            } else {
                letters = try outbox.page(channel: channel, state: .dead, limit: 1_000).reversed()
            }
            for letter in letters {
                guard effects.book.usable[letter.channel] != nil else {
                    throw ControlError.refused("channel \(letter.channel) cannot be used")
                }
                var again = letter
                (again.state, again.attempts, again.changedAt, again.dueAt) = (.waiting, 0, now, now)
                again.createdAt = now
                try outbox.restart(again)
                effects.hurry(letter.channel)
            }
            return ["resent": .integer(Int64(letters.count))]
        }
    }

    /// Tells a channel of a test and waits for what becomes of it, a little less long than a control call may take.
    private func test(_ channel: String) async throws -> DeliveryDocument {
        let now = clock.now()
        let id = try await perform { effects, db in
            guard let usable = effects.book.usable[channel] else {
                let problem = effects.book.problems[channel].map { "channel \(channel) cannot be used: \($0)" }
                throw problem.map { ControlError.refused($0) }
                    ?? ControlError.notFound("there is no channel \"\(channel.prefix(64))\"")
            }
            let delivery = Delivery(usable.channel, alarm: .test(at: now), transition: "test:\(now)", now: now)
            try OutboxStore(db).add(delivery)
            effects.hurry(channel)
            return delivery.id
        }
        for _ in 0..<90 {
            try await Task.sleep(for: .milliseconds(100))
            let found = try await perform { _, db in try OutboxStore(db).delivery(id)?.told }
            if let found, found.state != .waiting || found.attempts > 0 { return found }
        }
        throw ControlError(
            code: ControlError.timeout,
            message: "the test waits: see \"nkul admin channel deliveries --channel \(channel)\"")
    }
}
