internal import Models

/// What a tenant's contacts make of an alarm, as far as its channels are concerned.
struct AlarmCare: Equatable {
    /// Whom the last step of an escalation calls.
    struct Call: Equatable {
        /// Its number, of all calls about the alarm.
        var number: Int64
        var contacts: Set<String>
        var channels: Set<String>
    }

    /// Of the handling: rises with each change.
    var version: Int64 = 0
    /// Somebody looks after it.
    var isAcknowledged = false
    /// It is shelved, or was raised during planned work.
    var isHidden = false
    /// How often channels were to tell it again.
    var reminders: Int64 = 0
    var call: Call?
    /// Whoever has it offers it to another contact.
    var offer: Offer?

    struct Offer: Equatable {
        var to: String
        var at: UnixMilliseconds
    }

    /// Whether it keeps people from being called.
    var isForestalling: Bool { isAcknowledged || isHidden }

    /// Nobody has begun.
    static let none = AlarmCare()

    init() {}

    init(_ handling: AlarmHandling) {
        version = handling.version
        isAcknowledged = handling.acknowledgement != nil
        isHidden = handling.isHidden
        reminders = handling.reminders
        offer = handling.offer.map { Offer(to: $0.to, at: $0.at) }
        if let last = handling.escalation, !last.contacts.isEmpty || !last.channels.isEmpty {
            call = Call(number: last.calls, contacts: Set(last.contacts), channels: Set(last.channels))
        }
    }
}
