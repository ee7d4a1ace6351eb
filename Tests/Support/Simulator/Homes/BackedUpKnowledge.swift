import IngestUploads
import Models
import ServiceKit

/// What the run knew of each service at the moment of its database in a backup. A restored home is compared with that.
struct BackedUpKnowledge {
    /// Of ingest, and so of what phones were told.
    struct OfIngest {
        let model: ReferenceModel
        let devices: [UInt64: DeviceIdentity]
        let receipts: [String: [UInt8]]
        let feedbackBlocks: [LaneName: Set<UInt64>]
        let payoutBlocks: Set<UInt64>
        let erasures: Set<String>
    }

    /// Of a reader: what it was told that it missed, and where it began.
    struct OfReader {
        var missed: [LaneName: Set<UInt64>] = [:]
        var firstCursors: [LaneName: UInt64] = [:]
    }

    /// How a grant came to its end.
    struct Settlement {
        let device: Int
        let at: Int
        /// Whole XAF, 0 if it was rejected.
        let paid: Int
    }

    /// Of the dispatcher and its provider.
    struct OfRewards {
        let model: ReferenceRewards
        let appliedBlocks: [LaneName: Set<UInt64>]
        let settlements: [String: Settlement]
        /// References that the provider had replaced.
        let replaced: Int
    }

    /// Of the operators: what the exporter had done of what they asked for.
    struct OfOperators {
        let tenants: [ReferenceTenant]
        let removed: [ReferenceTenant]
        let waiting: Set<Int>
    }

    var ingest: OfIngest?
    var rewards: OfRewards?
    var operators: OfOperators?
    /// By service.
    var readers: [ServiceName: OfReader] = [:]
    /// The last number of an alert message, by tenant.
    var alerts: [Int: Int] = [:]
    /// What clients of the exporter were given.
    var places: GivenPlaces.Last?
}
