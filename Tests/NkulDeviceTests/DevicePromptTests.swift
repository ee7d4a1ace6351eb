import Foundation
import Models
import QoE
import Testing

@testable import NkulDevice

/// UC-001: the person is asked when something happened, seldom, and what became of it is told.
struct DevicePromptTests {
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 3_600_000

    /// At 9:53 in Douala.
    private func phone() throws -> VirtualPhone {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        return phone
    }

    private func outcomes(_ phone: VirtualPhone) -> [String] {
        phone.requests.filter { $0.path == "/v1/me/prompts" }.flatMap(\.records).compactMap { $0["outcome"] as? String }
    }

    @Test func `a dropped call is asked about, and the answer names the question`() throws {
        let phone = try phone()
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        let prompt = try #require(phone.prompts.first)
        #expect(prompt.rule == .callDrop && phone.prompts.count == 1)
        try phone.take(.rated(Rating(stars: 4, promptID: prompt.id)))
        try phone.pass(3 * Self.hour)
        #expect(outcomes(phone) == ["shown", "answered"])
        let feedback = phone.requests.filter { $0.path == "/v1/feedback" }.flatMap(\.records)
        #expect(
            feedback.first?["prompt_id"] as? String == prompt.id && feedback.first?["trigger"] as? String == "prompt")
    }

    @Test func `a question that nobody answers is taken back, counts as ignored, and the next one waits longer`() throws
    {
        let phone = try phone()
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        try phone.pass(11 * Self.minute)
        #expect(phone.withdrawn.count == 1 && phone.state.openPrompt == nil)
        try phone.pass(2 * Self.hour)
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        #expect(phone.prompts.count == 1, "four hours after one that was ignored")
        try phone.pass(2 * Self.hour)
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        #expect(phone.prompts.count == 2)
        #expect(outcomes(phone).prefix(2) == ["shown", "ignored"])
    }

    @Test func `the service's policy is in force from its answer on, and asked for again by its tag`() throws {
        let phone = try phone()
        let policy = """
            {"policy_version":"7","time_zone":"Africa/Douala","rules":{"slow_speed":{"below_percent":50}},
            "pause":{"between_minutes":60,"after_ignored_minutes":240,"factor":2,"longest_minutes":10080},
            "daily_maximum":1,"emergency_bypass":true,"medians":[{"quadkey":"1222","download_kbps":1000}],"medians_as_of":null}
            """
        phone.service = { request in
            guard request.path == "/v1/me/prompt-policy?plmn=62401" else { return Answers.willing(request) }
            return request.headers["If-None-Match"] == "\"a\""
                ? DeviceResponse(status: 304) : DeviceResponse(status: 200, etag: "\"a\"", body: Array(policy.utf8))
        }
        try phone.pass(3 * Self.hour)
        #expect(phone.slow.policy?.policy_version == "7")
        #expect(phone.requests.contains { $0.headers["If-None-Match"] == "\"a\"" })
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        #expect(phone.prompts.isEmpty, "the policy has no rule of dropped calls")
    }

    @Test func `what is usual is that of the card's own network, in the finest cell around the phone`() throws {
        let text = """
            {"policy_version":"7","time_zone":"Africa/Douala","rules":{"slow_speed":{"below_percent":50}},
            "pause":{"between_minutes":60,"after_ignored_minutes":240,"factor":2,"longest_minutes":10080},
            "daily_maximum":1,"emergency_bypass":true,"medians":[
            {"plmn":"62401","quadkey":"","download_kbps":8000},{"plmn":"62402","quadkey":"","download_kbps":3000},
            {"plmn":"62402","quadkey":"1222","download_kbps":1000}],"medians_as_of":null}
            """
        let policy = try PhonePolicy(Array(text.utf8)), place = VirtualPhone.place
        #expect(policy.median(at: place, of: PLMN(mcc: 624, mnc: 1)) == 8_000)
        #expect(policy.median(at: place, of: PLMN(mcc: 624, mnc: 2)) == 1_000)
        #expect(policy.median(at: place, of: .unknown) == nil)
    }

    @Test func `nothing is asked at night but of an emergency, and no third tap is needed for it`() throws {
        let phone = try phone()
        try phone.pass(13 * Self.hour)
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        #expect(phone.prompts.isEmpty)
        try phone.take(.happened(Occurrence(.emergency, sim: VirtualPhone.sim)))
        #expect(phone.prompts.map(\.rule) == [.emergency])
    }

    @Test func `a question outlives the process, and its answer still belongs to it`() throws {
        let phone = try phone()
        try phone.takeAndDie(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        let open = try #require(phone.state.openPrompt)
        try phone.wake()
        try phone.take(.promptGone(id: open.prompt.id, isDismissed: true))
        try phone.pass(2 * Self.hour)
        #expect(outcomes(phone) == ["shown", "dismissed"])
    }
}
