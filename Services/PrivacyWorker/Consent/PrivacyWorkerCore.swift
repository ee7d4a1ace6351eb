public import Models

/// What a consent that came by the requests lane means for the ledger and the audit log. Pure.
///
/// Every record is kept as it came: the ledger proves what was said, it does not judge it. What it can tell, and says in the
/// audit log, is how a consent stands to the one before.
public enum PrivacyWorkerCore {
    /// What is written into the audit log for a consent.
    public enum Action: String, Sendable, CaseIterable {
        /// The first consent of a device.
        case given = "consent.given"
        /// A purpose more, none less, or another text that was agreed to.
        case changed = "consent.changed"
        /// A purpose less.
        case withdrawn = "consent.withdrawn"
        /// Not newer than what is known: ingest was restored from an older copy.
        case outOfOrder = "consent.out_of_order"
    }

    /// - Parameter before: the newest consent of the device in the ledger, nil if it has none.
    public static func action(_ new: ConsentDocument, after before: ConsentDocument?) -> Action {
        guard let before else { return .given }
        if new.version <= before.version { return .outOfOrder }
        return Set(before.purposes).isSubset(of: new.purposes) ? .changed : .withdrawn
    }
}
