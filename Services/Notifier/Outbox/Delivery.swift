internal import Channels
internal import Crypto
internal import Foundation
internal import GRDB
internal import Models
internal import NotifierMessages

/// A row of the outbox.
struct Delivery: Equatable {
    /// Of Alertmanager: an alarm as long as it fires. It is sent again and again, and ends with the alarm.
    static let firing = "firing"

    let id: String
    let channel: String
    /// Whose channel it is; nil of one from before that was noted.
    let tenant: String?
    let alarm: String
    let transition: String
    var previous: Severity?
    var document: [UInt8]
    var state = DeliveryDocument.State.waiting
    var attempts: Int64 = 0
    var reason = ""
    var createdAt: UnixMilliseconds
    var changedAt: UnixMilliseconds
    var dueAt: UnixMilliseconds

    init(
        _ channel: Channel, alarm: AlarmFact, transition: String, previous: Severity? = nil, now: UnixMilliseconds,
        dueAt: UnixMilliseconds? = nil
    ) {
        id = Self.id(channel: channel.id, alarm: alarm.id, transition: transition)
        self.channel = channel.id
        tenant = channel.tenant
        self.alarm = alarm.id
        self.transition = transition
        self.previous = previous
        document = alarm.bytes
        createdAt = now
        changedAt = now
        self.dueAt = dueAt ?? now
    }

    /// A one-time code for the contact whose channel it is. Its document stays sealed.
    init(_ channel: Channel, _ code: LoginCodeDocument, now: UnixMilliseconds) throws {
        alarm = "code-" + code.id
        transition = Self.codeWord
        id = Self.id(channel: channel.id, alarm: alarm, transition: transition)
        self.channel = channel.id
        tenant = channel.tenant
        document = try SortedJSON.bytes(of: code)
        (createdAt, changedAt, dueAt) = (code.at, now, now)
    }

    /// Of a one-time code.
    static let codeWord = "code"

    var isCode: Bool { transition == Self.codeWord }

    /// The code in clear; nil if it is none, is over, or does not open.
    func code(with privateKey: (String) -> [UInt8]?, now: UnixMilliseconds) -> OutgoingCall.Code? {
        guard isCode, let sealed = try? JSONDecoder().decode(LoginCodeDocument.self, from: Data(document)),
            now < sealed.at + LoginCodeDocument.lifetime,
            let text = LoginCodeSeal.open(sealed, with: privateKey)
        else { return nil }
        return OutgoingCall.Code(delivery: id, text: text)
    }

    /// The same for the same channel, alarm and transition, for ever: half a SHA-256 in hexadecimal.
    static func id(channel: String, alarm: String, transition: String) -> String {
        Hexadecimal.text(SHA256.hash(data: Array("\(channel)\u{0}\(alarm)\u{0}\(transition)".utf8)).prefix(16))
    }

    /// As the lane tells it.
    var told: DeliveryDocument {
        DeliveryDocument(
            id: id, channel: channel, tenant: tenant, alarm: alarm, transition: transition, state: state,
            attempts: attempts, reason: reason, createdAt: createdAt, changedAt: changedAt)
    }

    /// As a sender is given it; nil if its document is none.
    var outgoing: OutgoingCall.Delivery? {
        AlarmFact(document).map {
            OutgoingCall.Delivery(id: id, alarm: $0, transition: transition, previous: previous)
        }
    }

    init(_ row: Row) {
        id = row["id"]
        channel = row["channel"]
        tenant = row["tenant"]
        alarm = row["alarm"]
        transition = row["transition"]
        previous = (row["previous"] as String?).flatMap(Severity.init(rawValue:))
        document = Array(row["document"] as Data)
        state = DeliveryDocument.State(number: row["state"])
        attempts = row["attempts"]
        reason = row["reason"]
        createdAt = row["created_at"]
        changedAt = row["changed_at"]
        dueAt = row["due_at"]
    }
}

extension DeliveryDocument.State {
    /// As the database has it.
    var number: Int64 {
        switch self {
        case .waiting: 0
        case .delivered: 1
        case .dead: 2
        }
    }

    init(number: Int64) { self = Self.allCases.first { $0.number == number } ?? .dead }
}
