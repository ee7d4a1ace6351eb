/// One of the two uploads that may be on their way: a few urgent records, or all that waits.
enum UploadSlot: Int64, Sendable, CaseIterable, Codable {
    case urgent = 1
    case bulk = 2
}

/// An upload that is to be made of records that wait.
struct UploadOrder: Sendable, Equatable {
    var slot: UploadSlot
    /// `Idempotency-Key`.
    var key: String
    /// What has to be added to steady time for the wall clock of this moment.
    var shift: Int64
    var rows: Int
    var bytes: Int
}

/// Why records leave the queue without being counted by the service.
enum DropReason: Sendable, Equatable {
    case expired, overflow, withdrawn, erased
    /// The service will not have the upload: its code.
    case refused(String)

    var counter: String {
        switch self {
        case .expired: "expired"
        case .overflow: "overflow"
        case .withdrawn: "withdrawn"
        case .erased: "erased"
        case .refused(let code): "refused_\(code)"
        }
    }
}

/// What the service said about an upload.
struct Settlement: Sendable, Equatable {
    var accepted = 0
    var duplicates = 0
    /// By code.
    var rejected: [String: Int] = [:]
    /// Places in the upload of records whose counter was used before: they get another, above `usedCounter`, once.
    var again: [Int] = []
    var usedCounter: Int64 = 0
}

/// Something that is done to the queue, in one transaction with the state of the kit.
enum QueueChange: Sendable, Equatable {
    case keep(RecordDraft)
    case form(UploadOrder)
    case settle(UploadSlot, Settlement)
    /// The records of an upload wait again: it was too large for the service.
    case dissolve(UploadSlot)
    case giveUp(UploadSlot, DropReason)
    /// Drops what was captured before a time, uploads included of which everything was.
    case expire(before: Int64)
    /// Drops the oldest records that wait until so many bytes are left.
    case trim(toBytes: Int)
    case dropEverything(DropReason)
}

/// How the queue stands.
struct QueueFacts: Sendable, Equatable {
    /// Records that wait for an upload.
    struct Waiting: Sendable, Equatable {
        var count = 0
        var bytes = 0
        /// When the oldest was captured, steady milliseconds.
        var oldest: Int64?
    }

    /// An upload that has no receipt yet.
    struct Pending: Sendable, Equatable {
        var kind: DeviceRecordKind
        var key: String
        var rows: Int
        /// As it is sent.
        var bytes: Int
        var isCompressed: Bool
        var shift: Int64
        /// More waited than went into it.
        var isFull: Bool
        /// When its newest record was captured, steady milliseconds.
        var newest: Int64
    }

    var urgent = Waiting()
    var ordinary = Waiting()
    var pending: [UploadSlot: Pending] = [:]

    func waiting(_ slot: UploadSlot) -> Waiting { slot == .urgent ? urgent : ordinary }
    var isEmpty: Bool { urgent.count == 0 && ordinary.count == 0 && pending.isEmpty }
    var waitingBytes: Int { urgent.bytes + ordinary.bytes }
}
