import IngestCommands
import IngestCommit
import Models
import Storage
import Testing
import Wire

@testable import IngestSupport
@testable import IngestUploads

@Suite struct ConsentChangeTests {
    private let now = Reading.now
    private let minute: Int64 = 60_000
    private let day: Int64 = 86_400_000
    /// What rows of a device say that enrolled today.
    private let new: RowFlags = [.notTrusted, .young]

    /// The commit is held: the upload is read and checked, then the consent changes, then it is committed.
    @Test func `a row obeys the consent that was withdrawn between parse and commit`() throws {
        let phone = try ConsentBench(.all)
        let held = try phone.upload(captured: [now, now + 1])
        #expect(held.value(ColumnID.latitude) != nil && held.isUrgent)
        try phone.change([.measurement, .rewards], at: now + 10)
        let (receipt, rows) = try phone.commit(held, at: now + 20)
        #expect(try receipt.get().accepted == 2)
        #expect(rows.count == 1 && rows[0].rowCount == 2)
        for column in ConsentFilter.placeColumns + [ColumnID.event] { #expect(rows[0][column] == nil) }
        #expect(rows[0][ColumnID.latency]?.integers == [200, 200])
        #expect(rows[0][ColumnID.consentVersion]?.integers == [2, 2])
        let flags = new.union([.consentReduced, .notForOperators, .notForResearch])
        #expect(rows[0][ColumnID.flags]?.integers == [flags.rawValue, flags.rawValue])
    }

    @Test func `what lost its event is no longer urgent`() throws {
        let phone = try ConsentBench(.all)
        let held = try phone.upload(captured: [now])
        let emergency = try phone.upload(captured: [now], event: "emergency")
        try phone.change([.measurement, .locationPrecise], at: now)
        let outcome = try phone.bench.engine.commit([held, emergency], now: now)
        #expect(try EngineBench.rows(outcome, .realtime).map { $0[ColumnID.seq]?.integers } == [[2]])
        #expect(try EngineBench.rows(outcome, .batch).map { $0[ColumnID.seq]?.integers } == [[1]])
    }

    @Test func `a change in the same commit holds for its uploads`() throws {
        let phone = try ConsentBench(.all)
        let held = try phone.upload(captured: [now])
        let change = ConsentChange(
            device: phone.device.ordinal, consent: [.measurement, .locationCoarse], policyVersion: "2025-1")
        let outcome = try phone.bench.engine.commit([held], commands: [change], now: now)
        let rows = try #require(try EngineBench.rows(outcome, .batch).first)
        let coarse = try #require(ConsentFilter.coarse(38_480_123, 115_021_000, accuracy: 80))
        #expect(rows[ColumnID.latitude]?.integers == [coarse.latitude])
        #expect(rows[ColumnID.accuracy]?.integers == [coarse.accuracy])
        let again = try #require(
            ConsentFilter.coarse(coarse.latitude, coarse.longitude, accuracy: coarse.accuracy))
        #expect(again == coarse)
    }

    @Test func `measurement withdrawn in between is 403 and nothing is stored`() throws {
        let phone = try ConsentBench(.all)
        let held = try phone.upload(captured: [now])
        try phone.change([], at: now + 10)
        let refused = try phone.commit(held, at: now + 20)
        #expect(refused.receipt == .failure(.noMeasurementConsent) && refused.rows.isEmpty)
        #expect(throws: DeviceAPIError.noMeasurementConsent) { try phone.upload(captured: [now]) }
        try phone.change(.all, at: now + 30)
        #expect(try phone.commit(held, at: now + 40).receipt.get().accepted == 1)
    }

    @Test func `rows are also judged by the consent under which they were captured`() throws {
        let phone = try ConsentBench([.measurement, .callEvents])
        try phone.change([], at: now + minute)
        try phone.change(.all, at: now + 2 * minute)
        let times = [now, now + minute - 1, now + minute, now + 2 * minute - 1, now + 2 * minute, now + 3 * minute]
        let (receipt, rows) = try phone.commit(phone.upload(captured: times), at: now + 3 * minute)
        #expect(try receipt.get().accepted == 4 && receipt.get().rejected == 2)
        #expect(try receipt.get().items.map(\.index) == [2, 3])
        #expect(try receipt.get().items.allSatisfy { $0.code == "not_consented" && $0.id != nil })
        #expect(rows[0][ColumnID.seq]?.integers == [1, 2, 5, 6])
        let latitude = try #require(rows[0][ColumnID.latitude])
        #expect((0..<4).map { latitude.integer($0) } == [nil, nil, 38_480_123, 38_480_123])
        #expect(rows[0][ColumnID.consentVersion]?.integers == [3, 3, 3, 3])
        let flags = try #require(rows[0][ColumnID.flags])
        let before = new.union([.consentReduced, .notForOperators, .notForResearch, .notForRewards]).rawValue
        #expect((0..<4).map { flags.integer($0) } == [before, before, new.rawValue, new.rawValue])
    }

    @Test func `the requests lane is told of enrolment and changes`() throws {
        let bench = try EngineBench()
        let enrolment = Enrolment(
            deviceID: [1], tokenHash: [2], platform: "p", appVersion: "1", consent: [.measurement],
            policyVersion: "2025-1", ageBand: "under_16", hasGuardian: true)
        let first = try bench.engine.commit([], commands: [enrolment], now: now)
        let device = try first.answers(to: Enrolment.self)[0].get().ordinal
        let change = ConsentChange(device: device, consent: [.measurement, .research], policyVersion: "2025-2")
        let second = try bench.engine.commit([], commands: [change], now: now + 5)
        #expect(
            try ConsentBench.documents(first) == [
                ConsentDocument(
                    version: 1, purposes: ["measurement"], policyVersion: "2025-1", ageBand: "under_16", guardian: true)
            ])
        #expect(
            try ConsentBench.documents(second) == [
                ConsentDocument(
                    version: 2, purposes: ["measurement", "research"], policyVersion: "2025-2", ageBand: "under_16",
                    guardian: true)
            ])
        let rows = try EngineBench.rows(second, .requests)[0]
        #expect(rows[ColumnID.receivedAt]?.integers == [now + 5])
        #expect(second.blocks[.requests]?.first?.header.subjects == [device])
    }

    @Test func `saying the same again changes nothing`() throws {
        let phone = try ConsentBench(.all)
        let first = try phone.change([.measurement], at: now + 1)
        let again = try phone.change([.measurement], at: now + 2)
        #expect(try again.answers(to: ConsentChange.self)[0].get() == first.answers(to: ConsentChange.self)[0].get())
        #expect(again.blocks[.requests] ?? [] == [])
    }

    @Test func `a full requests lane refuses changes and nothing else`() throws {
        let phone = try ConsentBench(.all, requestsLimit: 1)
        #expect(throws: DeviceAPIError.full(.requests)) { try phone.change([], at: now) }
        let enrolment = Enrolment(
            deviceID: [1], tokenHash: [2], platform: "p", appVersion: "1", consent: [.measurement],
            policyVersion: "2025-1")
        let outcome = try phone.bench.engine.commit([], commands: [enrolment], now: now)
        #expect(outcome.answers(to: Enrolment.self) == [.failure(.full(.requests))])
        #expect(try phone.commit(phone.upload(captured: [now]), at: now).receipt.get().accepted == 1)
    }

    @Test func `the history is bounded by time and by number`() throws {
        let phone = try ConsentBench([.measurement, .locationPrecise])
        try phone.change(.all, at: now)
        try phone.change([.measurement], at: now + 9 * day)
        #expect(phone.device.past == [PastConsent(until: now + 9 * day, consent: .all)])
        for change in 1...40 {
            try phone.change(change % 2 == 0 ? [.measurement] : .all, at: now + 9 * day + Int64(change))
        }
        #expect(phone.device.past.count == ConsentHistory.mostPeriods)
        #expect(phone.device.past[0].consent == [.measurement])
        #expect(phone.device.past.map(\.until) == phone.device.past.map(\.until).sorted())
        let token = [UInt8](0..<32)
        #expect(try phone.bench.database.read { try IngestStore($0).device(tokenHash: token) } == phone.device)
    }

    @Test func `a clock that was set back does not bring an older consent back`() {
        var history = ConsentHistory()
        history.end(.all, at: 100)
        history.end([], at: 50)
        let device = DeviceIdentity(ordinal: 1, consent: [.measurement], consentVersion: 3, past: history.past)
        #expect(device.consent(at: 99) == .all && device.consent(at: 100) == [.measurement])
    }
}
