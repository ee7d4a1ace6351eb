import QoE
import Testing

@testable import NkulDevice

/// UC-003, background collection, step by step; `docs/requirements.md` lists the tests of the other steps.
struct BackgroundCollectionTests {
    private static let hour: Int64 = 3_600_000

    private func phone() throws -> VirtualPhone {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        return phone
    }

    private func records(_ phone: VirtualPhone) -> [[String: Any]] {
        phone.requests.filter(\.isUpload).flatMap(\.records)
    }

    @Test
    func `UC-003 1: what the radio sees and where it was is kept each quarter of an hour, without anybody's doing`()
        throws
    {
        let phone = try phone()
        try phone.pass(6 * Self.hour)
        let records = records(phone)
        #expect((22...25).contains(records.count) && phone.prompts.isEmpty)
        #expect(records.allSatisfy { $0["rsrp_dbm"] != nil && $0["latitude"] != nil && $0["mnc"] != nil })
    }

    @Test func `UC-003 1a: with a low battery nothing is measured, and only what is urgent is sent, until it charges`()
        throws
    {
        let phone = try phone()
        try phone.pass(5 * 60_000)
        phone.conditions.battery = BatteryReading(percent: 5)
        try phone.wake()
        let before = (phone.samples.count, phone.uploads.count)
        try phone.pass(8 * Self.hour)
        #expect(phone.samples.count == before.0 && phone.uploads.count == before.1)
        try phone.take(.rated(Rating(stars: 1)))
        #expect(phone.uploads.count == before.1 + 1 && phone.facts.urgent.count == 0)
        phone.conditions.battery = BatteryReading(percent: 6, isCharging: true)
        try phone.wake()
        try phone.pass(Self.hour)
        #expect(phone.samples.count > before.0 && phone.uploads.count > before.1 + 1)
    }

    @Test func `UC-003 1b: without a fix a record is kept without a place, and none stands for it`() throws {
        let phone = try phone()
        phone.sample.place = nil
        try phone.pass(2 * Self.hour)
        let last = try #require(records(phone).last)
        #expect(last["latitude"] == nil && last["accuracy_m"] == nil && last["rsrp_dbm"] != nil)
    }

    @Test func `UC-003 1c: without service that is what is recorded`() throws {
        let phone = try phone()
        phone.sample.sims = [SIMReading(slot: 0, mcc: 624, mnc: 1, networkType: .none, carriesData: true)]
        phone.conditions.path = .none
        try phone.wake()
        try phone.pass(2 * Self.hour)
        #expect(phone.facts.ordinary.count > 5)
        phone.conditions.path = .mobile
        try phone.wake()
        try phone.pass(Self.hour)
        let silent = records(phone).filter { $0["network_type"] as? String == "NONE" }
        #expect(silent.count > 5 && silent.allSatisfy { $0["rsrp_dbm"] == nil })
    }

    @Test func `UC-003 2a: after six days offline all of it follows at once, and counts once`() throws {
        let phone = try phone()
        phone.conditions.path = .none
        try phone.wake()
        try phone.pass(6 * 24 * Self.hour)
        let waiting = phone.facts.ordinary.count
        #expect(waiting > 550)
        phone.conditions.path = .wifi
        try phone.wake()
        try phone.pass(60_000)
        #expect(phone.counters["accepted"] ?? 0 >= waiting && phone.counters["expired"] == nil)
        let numbers = records(phone).compactMap { $0["seq"] as? Int }
        #expect(Set(numbers).count == numbers.count)
        #expect(phone.uploads.allSatisfy { $0.body.count < 50_000 })
    }

    @Test func `UC-003 2b: what the service refuses for good is counted by its code, and the rest goes on`() throws {
        let phone = try phone()
        phone.service = { $0.isUpload ? Answers.problem(422, "nothing_readable") : Answers.willing($0) }
        try phone.pass(Self.hour)
        #expect(phone.counters["refused_nothing_readable"] ?? 0 > 0)
        phone.service = Answers.willing
        try phone.pass(2 * Self.hour)
        #expect(phone.counters["accepted"] ?? 0 > 0)
    }
}
