/// An accepted record as it must appear, once, among the raw rows.
public struct ReferenceRow: Sendable, Equatable {
    /// The device that sent it, as the run numbers them.
    public var device: Int
    /// `report` or `feedback`.
    public var kind: String
    /// The record's UUID in lower case: the phone's own, or the one that follows from device and `seq`.
    public var id: String
    /// When ingest committed it, Unix milliseconds.
    public var receivedAt: Int
    /// When it was captured, corrected by the phone's clock, Unix milliseconds.
    public var capturedAt: Int
    /// Every stored number by field name: scaled numbers, codes of words, 1 and 0 of flags.
    public var stored: [String: Int]
    /// The device had used this `seq` for another record.
    public var isSeqReused: Bool
    /// The record itself, without what consent does not cover.
    public var record: ReferenceRecord
    /// What its subscriber allows to be done with it.
    public var purposes: Set<String>
    /// Which consent of the device it obeys, from 1.
    public var consentVersion: Int
    /// Consent has taken something away.
    public var isReduced: Bool
    /// An urgent record that its device may not send as such: it raises no alarm.
    public var isDeferred = false
    /// How far its device could be trusted when the upload was read.
    public var trust = ReferenceTrust()
    /// When the upload was read, Unix milliseconds.
    public var arrivedAt: Int

    /// The column `flags`, 0 if there is nothing to say.
    public var flags: Int {
        let facts = [
            isSeqReused, isReduced, !purposes.contains("operator_sharing"), !purposes.contains("research"),
            !purposes.contains("rewards"), !trust.isTrusted, isYoung,
        ]
        return zip([1, 2, 4, 8, 16, 32, 64], facts).reduce(0) { $1.1 ? $0 + $1.0 : $0 }
    }

    /// Its device had enrolled less than 24 hours before.
    public var isYoung: Bool { trust.isYoung(at: arrivedAt) }

    /// Text of the SIM's network, `-` if it is not known.
    public var sim: String { ReferenceStatistics.plmn(self, "mcc", "mnc") }

    /// Text of the network that served it, `-` if the record names none.
    public var serving: String { ReferenceStatistics.plmn(self, "serving_mcc", "serving_mnc") }
}
