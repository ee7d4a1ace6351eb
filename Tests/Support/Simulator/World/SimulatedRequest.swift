import IngestCommands
import IngestUploads
import Models

/// What a phone asks of ingest and waits for.
enum SimulatedRequest {
    /// An upload as it was read; the answer says whether it is the last.
    case upload(SimulatedReading, answer: (_ isFinal: Bool) -> Void)
    /// Somebody new, with what is allowed; the answer is the device's number.
    case enrolment(Set<String>, answer: (_ device: UInt64) -> Void)
    /// What a device allows from now on.
    case consent(UInt64, Set<String>, answer: () -> Void)
    /// A device wants to be erased, or what it captured in a time or an area.
    case erasure(UInt64, SimulatedErasure, answer: () -> Void)
    /// A device says where its rewards go.
    case payout(UInt64, PayoutChange, PayoutNumber, answer: () -> Void)
    /// A device wants a copy of everything; the answer is the request that it is given, nil if it gets none.
    case access(UInt64, SimulatedAccess, answer: (_ request: String?) -> Void)
}

extension SimulatedRequest {
    var upload: IngestUploads.Upload? {
        if case .upload(let reading, _) = self { reading.parsed } else { nil }
    }

    /// What is asked of a commit, if it is no upload.
    ///
    /// - Parameter random: for who enrols.
    func command(_ random: inout SeededRandom, now: Int64) -> (any IngestCommand)? {
        switch self {
        case .upload: nil
        case .enrolment(let purposes, _): Self.enrolment(purposes, &random)
        case .consent(let device, let purposes, _):
            ConsentChange(device: device, consent: Consent(purposes), policyVersion: "1")
        case .payout(_, let change, _, _): change
        case .access(let device, let access, _):
            AccessChange(device: device, request: access.request, key: access.key, source: .device)
        case .erasure(let device, let erasure, _): Self.change(device, erasure, now: now)
        }
    }

    private static func change(_ device: UInt64, _ erasure: SimulatedErasure, now: Int64) -> ErasureChange {
        let part = ErasureScope(
            from: erasure.times?.lowerBound, to: erasure.times?.upperBound,
            cells: erasure.cells?.compactMap(Quadkey.init(text:)), requestedAt: now)
        return ErasureChange(
            device: device, request: erasure.request, scope: erasure.isEverything ? .everything : part, source: .device,
            dueAt: now + 1_000)
    }

    private static func enrolment(_ purposes: Set<String>, _ random: inout SeededRandom) -> Enrolment {
        let secret = (0..<48).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return Enrolment(
            deviceID: Array(secret[..<16]), tokenHash: Array(secret[16...]), platform: "android", appVersion: "1",
            consent: Consent(purposes), policyVersion: "1")
    }
}

/// An upload that ingest has read and not yet committed.
struct SimulatedReading {
    let index: Int
    let device: UInt64
    let records: [ReferenceRecord]
    let parsed: IngestUploads.Upload
    /// What the device allowed, as far as ingest knew when it read the upload.
    let purposes: Set<String>
    /// When it was read, and how far its device could be trusted then.
    let readAt: Int64
    let trust: ReferenceTrust
    /// What makes it the same upload when it comes again.
    let name: String
    let clockOffset: Int
}

extension Consent {
    /// The consent to purposes by their names.
    init(_ names: Set<String>) {
        self.init(Consent.purposes.filter { names.contains($0.name) }.map(\.purpose))
    }

    /// Names of the purposes.
    var names: Set<String> { Set(Consent.purposes.filter { contains($0.purpose) }.map(\.name)) }
}
