public import Models

/// Is told what a service does on its lanes, for figures. Calls come per step, push or second, never per record, and must
/// return at once.
public protocol LaneObserver: AnyObject, Sendable {
    /// A step was committed, so long after its blocks were taken. On the loop's thread.
    ///
    /// - Parameter now: after the commit.
    func stepped(_ outcome: EffectOutcome, of batch: LaneBatch, took: Duration, now: UnixMilliseconds)

    /// A round of housekeeping was committed. On the thread that owns the journals.
    func maintained(_ done: [LaneName: JournalMaintenance])

    /// How things stand; about once a second, on the thread that owns the journals.
    func looked(_ survey: LaneSurvey)

    /// Committed blocks were given to the sockets, so long after they were published. On the socket thread.
    func pushed(after delay: Duration)
}
