internal import Models

/// What decides about a record's reward.
struct RewardedRecord: Equatable {
    /// Name of its kind.
    var kind: String
    /// The device's ordinal.
    var device: UInt64
    var record: RecordIdentifier
    var receivedAt: UnixMilliseconds
    /// The network of the SIM; unknown where the kind has none.
    var plmn: PLMN
    /// The phone said that its position was made up.
    var isMocked: Bool
    /// What ingest noticed: whether the subscriber consented to rewards, how far the device is trusted.
    var flags: RowFlags
}
