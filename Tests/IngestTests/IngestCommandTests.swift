import IngestSupport
import IngestUploads
import Lanes
import Models
import SubjectRights
import Testing
import Wire

@testable import IngestCommands
@testable import IngestCommit

/// How commands of a commit are put in order, answered and told.
@Suite struct IngestCommandTests {
    private let now = Reading.now

    private func enrolled(_ bench: EngineBench) throws -> UInt64 {
        let enrolment = Enrolment(
            deviceID: [UInt8](repeating: 1, count: 16), tokenHash: [UInt8](repeating: 2, count: 32),
            platform: "android", appVersion: "1", consent: .all, policyVersion: "1")
        return try bench.engine.commit([], commands: [enrolment], now: now).answers(to: Enrolment.self)[0].get().ordinal
    }

    @Test func `an erasure comes before what was asked for with it, and answers are in the order of the questions`()
        throws
    {
        let bench = try EngineBench(), device = try enrolled(bench)
        let commands: [any IngestCommand] = [
            ConsentChange(device: device, consent: .measurement, policyVersion: "2"),
            AccessChange(device: device, request: "copy", key: [1] + [UInt8](repeating: 7, count: 31), source: .device),
            ErasureChange(device: device, request: "gone", scope: .everything, source: .device, dueAt: now + 1_000),
            ConsentChange(device: device, consent: .all, policyVersion: "3"),
        ]
        let outcome = try bench.engine.commit([], commands: commands, now: now + 1)
        #expect(try outcome.answers(to: ErasureChange.self).map { try $0.get() } == [now + 1])
        #expect(outcome.answers(to: AccessChange.self) == [.failure(.deviceErased("gone"))])
        let consents = outcome.answers(to: ConsentChange.self)
        #expect(consents == [.failure(.deviceErased("gone")), .failure(.deviceErased("gone"))])
        #expect(
            outcome.answers.map { String(describing: $0.command) } == [
                "ConsentChange", "AccessChange", "ErasureChange", "ConsentChange",
            ])
        #expect(outcome.blocks[.requests]?.map(\.header.kind) == [RecordKind.erasureRequest.id])
    }

    @Test func `two enrolments and a consent keep their order, and each kind is told in one block`() throws {
        let bench = try EngineBench(), device = try enrolled(bench)
        func enrolment(_ byte: UInt8) -> Enrolment {
            Enrolment(
                deviceID: [UInt8](repeating: byte, count: 16), tokenHash: [UInt8](repeating: byte, count: 32),
                platform: "android", appVersion: "1", consent: .all, policyVersion: "1")
        }
        let change = ConsentChange(device: device, consent: .measurement, policyVersion: "2")
        let copy = AccessChange(
            device: device, request: "copy", key: [1] + [UInt8](repeating: 7, count: 31), source: .device)
        let outcome = try bench.engine.commit([], commands: [copy, change, enrolment(8), enrolment(9)], now: now + 1)
        #expect(try outcome.answers(to: Enrolment.self).map { try $0.get().ordinal } == [device + 1, device + 2])
        let blocks = try #require(outcome.blocks[.requests])
        #expect(
            blocks.map(\.header.kind) == [RecordKind.consent.id, RecordKind.nickname.id, RecordKind.accessRequest.id])
        let told = try EngineBench.rows(outcome, .requests)
        #expect(told[0][ColumnID.device]?.integers == [Int64(device) + 1, Int64(device) + 2, Int64(device)])
    }

    /// A command of one's own: a kind, a stage, and what it does.
    private struct Note: IngestCommand {
        static let stage = CommandStage.copying
        let device: UInt64

        func apply(in commit: inout CommandCommit) throws -> Result<Bool, DeviceAPIError> {
            commit.tellLast(Self.stage) { commit, barriers in
                try commit.tell(.promptPolicy, of: device, barriers.map { "\($0.lane.rawValue) \($0.block)" })
            }
            return .success(commit.isFull)
        }
    }

    @Test func `what is told last has its barrier behind the rows of the commit, and an erasure is told first`() throws
    {
        let bench = try EngineBench(), device = try enrolled(bench)
        let outcome = try bench.engine.commit(
            [try Reading.upload(#"[{"seq":1,"captured_at_ms":\#(now),"rating":3}]"#)],
            commands: [
                ErasureChange(
                    device: device, request: "part", scope: ErasureScope(from: 1, to: 2, cells: nil, requestedAt: now),
                    source: .device, dueAt: now + 1_000),
                Note(device: 70),
            ], now: now + 1)
        #expect(try outcome.answers(to: Note.self).map { try $0.get() } == [false])
        let blocks = try #require(outcome.blocks[.requests]), batch = try #require(outcome.blocks[.batch]?.last)
        #expect(blocks.map(\.header.kind) == [RecordKind.erasureRequest.id, RecordKind.promptPolicy.id])
        let texts = try EngineBench.rows(outcome, .requests).map { columns in
            String(decoding: try #require(columns[ColumnID.document]?.bytes), as: UTF8.self)
        }
        #expect(texts[0].contains("\"block\":\(batch.header.number)"))
        #expect(texts[1] == "[\"realtime 0\",\"batch \(batch.header.number)\",\"requests \(blocks[0].header.number)\"]")
    }

    /// The privacy worker withdraws each copy that it hears of before an erasure.
    @Test func `a copy asked for behind the erasure of a part is told behind it`() throws {
        let bench = try EngineBench(), device = try enrolled(bench)
        let commands: [any IngestCommand] = [
            AccessChange(device: device, request: "copy", key: [1] + [UInt8](repeating: 7, count: 31), source: .device),
            ErasureChange(
                device: device, request: "part", scope: ErasureScope(from: 1, to: 2, cells: nil, requestedAt: now),
                source: .device, dueAt: now + 1_000),
        ]
        let outcome = try bench.engine.commit([], commands: commands, now: now + 1)
        #expect(try outcome.answers(to: AccessChange.self)[0].get().isOpen)
        let kinds = outcome.blocks[.requests]?.map(\.header.kind)
        #expect(kinds == [RecordKind.erasureRequest.id, RecordKind.accessRequest.id])
    }

    @Test func `a command that throws takes the commit with it`() throws {
        struct Broken: IngestCommand {
            static let stage = CommandStage.paying
            struct Error: Swift.Error {}
            func apply(in commit: inout CommandCommit) throws -> Result<Bool, DeviceAPIError> { throw Error() }
        }
        let bench = try EngineBench(), device = try enrolled(bench)
        let erasure = ErasureChange(
            device: device, request: "gone", scope: .everything, source: .device, dueAt: now + 1_000)
        #expect(throws: Broken.Error.self) { try bench.engine.commit([], commands: [Broken(), erasure], now: now + 1) }
        let change = ConsentChange(device: device, consent: .measurement, policyVersion: "2")
        let outcome = try bench.engine.commit([], commands: [change], now: now + 2)
        #expect(throws: Never.self) { try outcome.answers(to: ConsentChange.self)[0].get() }
    }
}
