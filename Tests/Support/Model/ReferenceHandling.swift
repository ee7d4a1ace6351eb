/// What the contacts of one tenant have done about an alarm that is open, as simply as it can be said.
public struct ReferenceHandling: Sendable, Equatable {
    public enum Act: Sendable, Hashable, CaseIterable {
        case acknowledge, unacknowledge, offer, accept, comment, shelve, unshelve
    }

    /// What happens to it.
    public enum Event: Sendable {
        /// Something is done by a contact; to another it is offered, or it is a comment with a text.
        case act(Act, by: String, other: String, text: String)
        /// So many hours pass, in which acknowledgement (eight) and shelving (one) may run out.
        case sleep(hours: Int)
        /// The alarm is over.
        case end
    }

    public private(set) var owner: String?
    public private(set) var offeredBy: String?
    public private(set) var offeredTo: String?
    public private(set) var isShelved = false
    public private(set) var comments: [String] = []
    /// Acts that were carried out, and ends of what they had begun.
    public private(set) var version = 0
    private var isOver = false

    public init() {}

    /// What has become of it after all of that, and how many acts were carried out.
    public static func after(_ events: [Event]) -> (handling: ReferenceHandling, done: Int) {
        var handling = ReferenceHandling(), done = 0
        for event in events {
            switch event {
            case .act(let act, let contact, let other, let text):
                done += handling.take(act, by: contact, other: other, text: text) ? 1 : 0
            case .sleep(let hours): handling.sleep(hours)
            case .end: handling.end()
            }
        }
        return (handling, done)
    }

    /// Carries an act out, or refuses it and changes nothing.
    ///
    /// - Parameters:
    ///   - other: to whom it is offered.
    ///   - text: of a comment.
    /// - Returns: whether it was carried out.
    public mutating func take(_ act: Act, by contact: String, other: String, text: String) -> Bool {
        if isOver, act != .comment { return false }
        switch act {
        case .acknowledge, .offer:
            if let owner, owner != contact { return false }
            if act == .acknowledge { owner = contact } else { (offeredBy, offeredTo) = (contact, other) }
        case .unacknowledge:
            guard owner != nil else { return false }
            (owner, offeredBy, offeredTo) = (nil, nil, nil)
        case .accept:
            guard offeredTo == contact else { return false }
            (owner, offeredBy, offeredTo) = (contact, nil, nil)
        case .comment: comments.append(text)
        case .shelve: isShelved = true
        case .unshelve:
            guard isShelved else { return false }
            isShelved = false
        }
        version += 1
        return true
    }

    /// Time passes: what was begun runs out, unless the alarm was over before.
    mutating func sleep(_ hours: Int) {
        let isForgotten = owner != nil && hours >= 8
        guard !isOver, isForgotten || isShelved else { return }
        if isForgotten { (owner, offeredBy, offeredTo) = (nil, nil, nil) }
        isShelved = false
        version += 1
    }

    /// The alarm is over: who has it stays to be seen, and nothing else that was begun.
    mutating func end() {
        guard !isOver else { return }
        isOver = true
        guard owner != nil || offeredTo != nil || isShelved else { return }
        (offeredBy, offeredTo, isShelved) = (nil, nil, false)
        version += 1
    }
}
