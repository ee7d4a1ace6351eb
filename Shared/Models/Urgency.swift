/// Which lane a record travels on (call drop, no service, emergency, rating ≤ 2 are urgent).
public enum Urgency {
    /// The highest rating that is urgent.
    public static let highestUrgentRating: Int64 = 2

    /// True if a record with this event code and this rating is urgent.
    ///
    /// `trigger` counts too: what a subscriber sends as an emergency is one.
    public static func isUrgent(event: Int64?, rating: Int64?, trigger: Int64? = nil) -> Bool {
        if let event, NetworkEvent(rawValue: event)?.isUrgent == true { return true }
        if let rating, rating <= highestUrgentRating { return true }
        return trigger == 2
    }
}
