internal import GRDB
internal import IngestSupport
internal import Lanes
internal import Models
internal import ServiceKit
internal import SubjectRights

/// What ingest declares of the rights of subjects, beside its copies, for which it waits. What it holds it gives with the answer
/// (``DeviceCopy``).
extension IngestEngine {
    /// Every table of `ingest/state.sqlite` beside its journals.
    static let tables: [HeldTable] = [
        // Names are overwritten where they stand, and their row stays as an empty one: its neighbours are never moved, so that
        // nowhere in the file is a copy that SQLite left behind.
        .personal(
            "device_names",
            PersonalRows(
                of: "ordinal",
                erased: .emptied(
                    """
                    device_id = zeroblob(16), token_hash = zeroblob(32), device_key = zeroblob(length(device_key))
                    """),
                copied: .lines(["device"]), kept: .asLongAs("the device"))),
        .personal(
            "devices",
            PersonalRows(of: "ordinal", erased: .deleted(), copied: .lines(["device"]), kept: .asLongAs("the device"))),
        .personal(
            "upload_keys",
            PersonalRows(
                of: "device", erased: .emptied("key_hash = zeroblob(32)"), copied: .lines(["device"]),
                kept: .asLongAs("the device"))),
        .personal(
            "passkeys",
            PersonalRows(
                of: "device",
                erased: .emptied(IngestStore.emptiedPasskey), copied: .lines(["device"]),
                kept: .asLongAs("the device"))),
        .personal(
            "memories",
            PersonalRows(
                of: "device",
                erased: .deleted(PersonalRows.Deletion(overwriting: "memory = zeroblob(length(memory))")),
                copied: .lines(["device"]), kept: .asLongAs("the device"))),
        .personal(
            "memory_changes",
            PersonalRows(
                of: "device", erased: .by("IngestRecords: slice by slice; numbers stay"),
                copied: .none("counted with the memory"), kept: .asLongAs("it is not in the memory"))),
        .personal(
            "receipts",
            PersonalRows(
                of: "device", erased: .deleted(PersonalRows.Deletion(overwriting: "body = zeroblob(length(body))")),
                copied: .lines(["upload_receipt"]), kept: .until(.receipts, time: "given_at", bytes: "length(body)"))),
        .personal(
            "erasure_requests",
            PersonalRows(
                of: "device", erased: .emptied("device = NULL"), copied: .lines(["erasure_request"]),
                kept: .asLongAs("proof of it is asked for: without the device"))),
        .personal(
            "access_requests",
            PersonalRows(
                of: "device", erased: .by("IngestStore.forgetAccess: with the key"), copied: .lines(["access_request"]),
                kept: .asLongAs("30 days"))),
        .personal(
            "access_keys",
            PersonalRows(
                of: nil, erased: .by("IngestStore.forgetAccess: overwritten where they stand"),
                copied: .none("a secret that opens the copy"), kept: .asLongAs("the request is open"))),
        .personal(
            "push_devices",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .lines(["device"]), kept: .asLongAs("the person has it on"))),
        .personal(
            "push_prompts",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .lines(["push_prompt"]),
                kept: .asLongAs("31 days, and the person has it on"))),
        .free("erased_tokens", "keyed hashes of tokens of erased devices, for 30 days"),
        .free("code_batches", "codes that operators hand out"),
        .free("activation_codes", "hashes of codes; which device used one is not kept"),
        .personal(
            "failed_authentications",
            PersonalRows(
                of: nil, erased: .by("nobody: an address prefix is not known to be anybody's"),
                copied: .none("an address prefix is not known to be anybody's"),
                kept: .until(.failedAuthentications, time: "minute", unit: 60_000))),
    ]

    /// - Parameter journals: whose blocks' age is reported.
    static func subjects(_ records: IngestRecords, _ journals: [Journal]) -> SubjectDeclaration {
        SubjectDeclaration(
            service: ServiceName.ingest.rawValue, on: .requests, reads: [], waitsFor: [copies], records: records,
            retained: tables.retained + [JournalAges(journals)])
    }
}

/// How old the oldest block is that waits for a reader. Blocks go as soon as everybody has read them; so one that is older than
/// it may be is not removed here but told of: the reader it waits for is what somebody has to look at.
final class JournalAges: RetainedKind {
    let kind = RetentionKind.journals
    private let journals: [Journal]

    init(_ journals: [Journal]) { self.journals = journals }

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook { RetentionLook(items: [], next: nil) }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {}

    func oldest(_ db: Database) throws -> UnixMilliseconds? {
        try journals.compactMap { try $0.oldestCommit(db) }.min()
    }
}
