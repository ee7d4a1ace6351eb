internal import IngestSupport
internal import Models

/// What ingest keeps of a device's rewards, beside its newest grants.
struct Subscriber: Sendable, Equatable {
    /// Whole XAF.
    var paid: Int64 = 0
    var pending: Int64 = 0
    /// Grants that there ever were.
    var granted: Int64 = 0
    /// Of these, the ones that are still in the copy.
    var kept: Int64 = 0
    var days = RewardedDays()
    /// The newest grant that was dropped from the copy; all up to it are counted and no longer kept.
    var dropped: PagePosition?
}
