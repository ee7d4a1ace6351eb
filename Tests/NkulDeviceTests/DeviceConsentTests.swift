import Foundation
import QoE
import Testing

@testable import NkulDevice

/// What the person allows, and that it holds.
struct DeviceConsentTests {
    private static let hour: Int64 = 3_600_000

    private func phone(_ purposes: Set<String>) throws -> VirtualPhone {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        try phone.wake()
        try phone.take(.consented(ConsentChoice(purposes: purposes, policyVersion: "1")))
        return phone
    }

    @Test func `without consent to a place nobody looks for one, with a coarse one only its cell is told`() throws {
        let nowhere = try phone(["measurement"])
        try nowhere.pass(Self.hour)
        #expect(!nowhere.samples.isEmpty && nowhere.samples.allSatisfy { $0.isPlacePrecise == nil })
        #expect(nowhere.requests.flatMap(\.records).allSatisfy { $0["latitude"] == nil })
        let coarse = try phone(["measurement", "location_coarse"])
        try coarse.pass(Self.hour)
        #expect(coarse.samples.allSatisfy { $0.isPlacePrecise == false })
        let record = try #require(coarse.requests.filter(\.isUpload).first?.records.first)
        let latitude = try #require(record["latitude"] as? Double),
            accuracy = try #require(record["accuracy_m"] as? Double)
        #expect(abs(latitude - 4.05) < 0.05 && latitude != 4.05 && accuracy > 4_800)
    }

    @Test func `who takes measurement back has nothing sent any more, and the service is told`() throws {
        let phone = try phone(Set(ConsentChoice.everyPurpose))
        try phone.pass(300_000)
        #expect(phone.facts.ordinary.count > 0)
        try phone.take(.consented(ConsentChoice(purposes: ["rewards"], policyVersion: "1")))
        #expect(phone.facts.isEmpty && phone.counters["withdrawn"] ?? 0 > 0)
        let last = try #require(phone.requests.last)
        #expect(last.method == "PUT" && last.path == "/v1/me/consent")
        #expect(((last.json as? [String: Any])?["consent"] as? [String: Bool])?["measurement"] == false)
        let before = (phone.requests.count, phone.samples.count)
        try phone.pass(24 * Self.hour)
        #expect(phone.requests.count == before.0 && phone.samples.count == before.1)
    }

    @Test func `a consent is told before anything that needs it, as often as it takes`() throws {
        let phone = try phone(["measurement"])
        try phone.pass(1_000)
        phone.service = { $0.path == "/v1/me/consent" ? nil : Answers.willing($0) }
        try phone.take(.consented(VirtualPhone.everything))
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        try phone.pass(Self.hour)
        let after = phone.requests.drop { $0.path != "/v1/me/consent" }
        #expect(after.count > 3 && after.allSatisfy { $0.path == "/v1/me/consent" })
        phone.service = Answers.willing
        try phone.pass(2 * Self.hour)
        #expect(phone.counters["accepted"] ?? 0 > 0 && phone.state.heardConsent == phone.state.consentVersion)
    }

    @Test func `when the service knows of no consent the person is asked once, and nothing is lost`() throws {
        let phone = try phone(Set(ConsentChoice.everyPurpose))
        try phone.pass(1_000)
        phone.service = { $0.isUpload ? Answers.problem(403, "no_measurement_consent") : Answers.willing($0) }
        try phone.take(.rated(Rating(stars: 2)))
        let samples = phone.samples.count
        try phone.pass(5 * Self.hour)
        #expect(phone.consentQuestions == 1 && phone.samples.count == samples)
        phone.service = Answers.willing
        let before = phone.requests.count
        try phone.take(.consented(VirtualPhone.everything))
        #expect(phone.requests.dropFirst(before).first?.path == "/v1/me/consent")
        try phone.pass(Self.hour)
        #expect(phone.facts.pending[.urgent] == nil && phone.facts.urgent.count == 0)
        #expect(phone.counters["withdrawn"] == nil)
    }

    @Test func `events stay on the phone without consent to them, emergencies excepted`() throws {
        let phone = try phone(["measurement"])
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        #expect(phone.counters["made"] ?? 0 <= 1, "the sample alone")
        try phone.take(.happened(Occurrence(.emergency, sim: VirtualPhone.sim)))
        #expect(phone.requests.flatMap(\.records).contains { $0["event"] as? String == "emergency" })
    }

    @Test func `an erased device forgets everything and stays silent`() throws {
        let phone = try phone(Set(ConsentChoice.everyPurpose))
        try phone.pass(1_000)
        phone.service = { _ in Answers.problem(410, "device_erased") }
        try phone.take(.rated(Rating(stars: 1)))
        #expect(phone.facts.isEmpty && phone.state.token == nil && phone.state.end == .erased)
        let count = phone.requests.count
        try phone.restart()
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        try phone.pass(48 * Self.hour)
        #expect(phone.requests.count == count)
    }
}
