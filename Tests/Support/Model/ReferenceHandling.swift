/// What the contacts of one tenant have done about an alarm that is open, as simply as it can be said.
public struct ReferenceHandling: Sendable, Equatable {
    public enum Act: Sendable, Hashable, CaseIterable {
        case acknowledge, unacknowledge, offer, accept, comment, shelve, unshelve
    }

    public private(set) var owner: String?
    public private(set) var offeredBy: String?
    public private(set) var offeredTo: String?
    public private(set) var isShelved = false
    public private(set) var comments: [String] = []
    /// Acts that were carried out.
    public private(set) var version = 0

    public init() {}

    /// Carries an act out, or refuses it and changes nothing.
    ///
    /// - Parameters:
    ///   - other: to whom it is offered.
    ///   - text: of a comment.
    /// - Returns: whether it was carried out.
    public mutating func take(_ act: Act, by contact: String, other: String, text: String) -> Bool {
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

    /// A day passes: acknowledgement and shelving run out, and then the alarm ends, which takes an offer with it.
    public mutating func passDay() {
        if owner != nil || isShelved {
            if owner != nil { (owner, offeredBy, offeredTo) = (nil, nil, nil) }
            isShelved = false
            version += 1
        }
        if offeredTo != nil {
            (offeredBy, offeredTo) = (nil, nil)
            version += 1
        }
    }
}
