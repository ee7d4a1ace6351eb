import Foundation
import Models
import QoE
import Testing

@testable import NkulDevice

/// Clocks, batteries, data plans and SIM cards.
struct DevicePolicyTests {
    private static let hour: Int64 = 3_600_000

    @Test func `steady time goes on evenly whoever sets the clock, and never goes back`() {
        var clock = SteadyClock()
        func reading(_ wall: Int64, _ uptime: Int64, _ boot: String = "a") -> ClockReading {
            ClockReading(wall: wall, uptime: uptime, boot: boot)
        }
        #expect(clock.read(reading(1_000_000, 10)) == 1_000_000)
        #expect(clock.read(reading(1_005_000, 5_010)) == 1_005_000)
        // Set back by an hour, forth by two.
        #expect(clock.read(reading(1_006_000 - 3_600_000, 6_010)) == 1_006_000)
        #expect(clock.read(reading(1_007_000 + 3_600_000, 7_010)) == 1_007_000 && clock.shift == 3_600_000)
        // A new start, by a clock that is behind.
        #expect(clock.read(reading(1_000, 5, "b")) == 1_007_000)
        #expect(clock.read(reading(2_000, 1_005, "b")) == 1_008_000)
    }

    @Test func `records keep their true distance when the clock is set between them`() throws {
        let phone = try VirtualPhone()
        phone.service = { $0.isUpload ? nil : Answers.willing($0) }
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        try phone.pass(Self.hour)
        phone.wallError = -40 * 86_400_000
        try phone.pass(2 * Self.hour)
        phone.service = Answers.willing
        let before = phone.requests.count
        try phone.pass(2 * Self.hour)
        var times: [Int64] = []
        for upload in phone.requests.dropFirst(before).filter(\.isUpload) {
            let sentAt = try #require(upload.headers["X-Nkul-Sent-At"].flatMap { Int64($0) })
            // What the service makes of them: their distance from the moment of sending.
            times += upload.records.compactMap { ($0["captured_at_ms"] as? Int64).map { $0 - sentAt } }
        }
        #expect(times.count > 8 && times.allSatisfy { (-5 * Self.hour...0).contains($0) })
    }

    @Test func `the battery decides how often`() {
        let policy = SamplingPolicy()
        func interval(_ percent: Int?, _ motion: Motion = .still, charging: Bool = false, saving: Bool = false)
            -> Int64?
        {
            let battery = BatteryReading(percent: percent, isCharging: charging, isSaving: saving)
            return policy.interval(Conditions(path: .mobile, battery: battery, motion: motion)).map { $0 / 1_000 }
        }
        #expect(interval(80) == 900 && interval(80, .moving) == 300)
        #expect(interval(20) == 1_800 && interval(80, .moving, saving: true) == 600)
        #expect(interval(5) == nil && interval(5, .moving, charging: true) == 300 && interval(nil) == 900)
    }

    @Test func `the service may have less measured than the maker allows, and never more`() throws {
        let maker = SamplingPolicy()
        #expect(maker.limited(by: .builtIn) == maker)
        var rules = SamplingRules.builtIn
        (rules.movingSeconds, rules.stillSeconds, rules.leastBatteryPercent) = (600, 3_600, 30)
        rules.lowBattery = .init(belowPercent: 50, factor: 4)
        rules.tests = .init(everySeconds: 86_400, wifiBytes: 1_000_000, mobileBytes: 0)
        let less = maker.limited(by: rules)
        #expect(
            less
                == SamplingPolicy(
                    movingMilliseconds: 600_000, stillMilliseconds: 3_600_000, lowPercent: 50, lowFactor: 4,
                    leastPercent: 30, testSeconds: 86_400, testBytes: 1_000_000, mobileTestBytes: 0))
        #expect(less.limited(by: .builtIn) == less)
        rules.tests.everySeconds = 0
        #expect(maker.limited(by: rules).testSeconds == 0)
    }

    @Test func `a sampling policy holds from its answer on, is asked for by its tag, and outlives the process`() throws
    {
        let phone = try VirtualPhone()
        var rules = SamplingRules.builtIn
        rules.stillSeconds = 3_600
        let body = [UInt8](try JSONEncoder().encode(rules))
        phone.service = { request in
            guard request.path == "/v1/me/sampling-policy" else { return Answers.willing(request) }
            return request.headers["If-None-Match"] == "\"b\""
                ? DeviceResponse(status: 304) : DeviceResponse(status: 200, etag: "\"b\"", body: body)
        }
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        try phone.pass(Self.hour)
        #expect(phone.slow.sampling == rules)
        var before = phone.samples.count
        try phone.pass(4 * Self.hour)
        #expect((3...5).contains(phone.samples.count - before), "one an hour")
        #expect(phone.requests.contains { $0.path.hasSuffix("sampling-policy") && $0.headers["If-None-Match"] != nil })
        try phone.restart()
        #expect(phone.slow.sampling == rules)
        // What is no policy changes nothing.
        phone.service = { $0.path == "/v1/me/sampling-policy" ? Answers.done : Answers.willing($0) }
        try phone.wake()
        before = phone.samples.count
        try phone.pass(4 * Self.hour)
        #expect(phone.slow.sampling == rules && phone.samples.count - before <= 5)
    }

    @Test func `medians are asked for of the phone's own networks, anew when there is another card`() throws {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        try phone.pass(3 * Self.hour)
        func asked() -> [String] { phone.requests.map(\.path).filter { $0.hasPrefix("/v1/me/prompt-policy") } }
        #expect(!asked().isEmpty && Set(asked()) == ["/v1/me/prompt-policy?plmn=62401"])
        let before = asked().count
        phone.sample.sims.append(SIMReading(slot: 1, mcc: 624, mnc: 2, networkType: .lte, carriesData: false))
        try phone.pass(16 * 60_000)
        #expect(asked().dropFirst(before).first == "/v1/me/prompt-policy?plmn=62401,62402")
    }

    @Test func `an event writes a few hundred bytes, however many medians there are`() throws {
        let phone = try VirtualPhone()
        let medians = (0..<2_000).map { #"{"plmn":"62401","quadkey":"\#(122_220_000 + $0)","download_kbps":1000}"# }
        let policy = """
            {"policy_version":"7","time_zone":"Africa/Douala","rules":{},
            "pause":{"between_minutes":60,"after_ignored_minutes":240,"factor":2,"longest_minutes":10080},
            "daily_maximum":1,"emergency_bypass":true,"medians":[\(medians.joined(separator: ","))]}
            """
        phone.service = {
            $0.path.hasPrefix("/v1/me/prompt-policy")
                ? DeviceResponse(status: 200, etag: "\"a\"", body: Array(policy.utf8)) : Answers.willing($0)
        }
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        try phone.pass(Self.hour)
        #expect(phone.slow.policy?.medians?.count == 2_000)
        let slow = try #require(phone.loop.store.slow)
        #expect(slow.count > 100_000 && phone.loop.store.state?.count ?? 0 < 6_000)
        try phone.restart()
        #expect(phone.slow.policy?.medians?.count == 2_000)
    }

    @Test func `a data plan that is used up stops what is not urgent until the next day or Wi-Fi`() throws {
        var settings = DeviceSettings(platform: "test", appVersion: "1")
        settings.quota = DataQuota(mobileBytes: 2_000)
        let phone = try VirtualPhone(settings)
        phone.service = Answers.willing
        phone.conditions.path = .mobile
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        try phone.pass(5 * Self.hour)
        let used = try #require(phone.state.days.last).mobileBytes
        #expect(used >= 2_000 && used < 4_000 && phone.facts.ordinary.count > 5)
        let before = phone.uploads.count
        try phone.take(.rated(Rating(stars: 1)))
        #expect(phone.uploads.count == before + 1, "urgent records go")
        phone.conditions.path = .wifi
        try phone.wake()
        #expect(phone.facts.ordinary.count == 0)
    }

    @Test func `nothing but what is urgent goes while roaming`() throws {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        phone.conditions = Conditions(path: .mobile, isRoaming: true)
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        try phone.pass(3 * Self.hour)
        #expect(phone.requests.filter(\.isUpload).isEmpty && phone.facts.ordinary.count > 5)
    }

    @Test func `each SIM card is a report, or those that were chosen, or the operator that the person named`() throws {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        phone.sample.sims = [
            SIMReading(slot: 0, mcc: 624, mnc: 1, networkType: .lte, carriesData: true),
            SIMReading(slot: 1, mcc: 624, mnc: 2, networkType: .umts, carriesData: false),
        ]
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        #expect(phone.facts.ordinary.count == 2)
        try phone.take(.simChosen(.slots([1])))
        try phone.pass(Self.hour)
        try phone.take(.simChosen(.manual(mcc: 624, mnc: 4)))
        phone.sample.sims = []
        try phone.pass(2 * Self.hour)
        let records = phone.requests.filter(\.isUpload).flatMap(\.records)
        let networks = records.map { "\($0["mnc"] ?? "") \($0["plmn_source"] ?? "") \($0["sim_slot"] ?? "")" }
        #expect(networks.prefix(2) == ["1 sim 0", "2 sim 1"] && networks[2] == "2 sim 1")
        #expect(networks.last == "4 manual 0" && !networks.dropFirst(2).contains("1 sim 0"))
    }

    @Test func `speed by Wi-Fi is never told as a mobile network's`() throws {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        phone.sample.speed = SpeedReading(downloadKbps: 9_000, bytes: 1_000)
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        try phone.pass(Self.hour)
        let records = phone.requests.filter(\.isUpload).flatMap(\.records).filter { $0["download_kbps"] != nil }
        #expect(records.count == 1 && records[0]["network_type"] as? String == "WIFI" && records[0]["mnc"] == nil)
    }

    @Test func `a day of an ordinary person takes less than 3 % of a battery, by the stated model`() throws {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        // A night at home, half a day by mobile data, two hours of it on the way.
        try phone.pass(14 * Self.hour)
        phone.conditions = Conditions(path: .mobile, battery: BatteryReading(percent: 80), motion: .moving)
        try phone.pass(2 * Self.hour)
        phone.conditions.motion = .still
        try phone.pass(8 * Self.hour)
        let days = phone.state.days, model = EnergyModel()
        let percent = days.reduce(0) { $0 + model.percent($1) }
        let bytes = days.reduce(0) { $0 + $1.sentBytes + $1.receivedBytes }
        print(
            "a day of the kit:", days.reduce(0) { $0 + $1.wakeUps }, "wake-ups,",
            days.reduce(0) { $0 + $1.radioSeconds },
            "s of radio,", bytes, "bytes,", percent, "% of a battery")
        #expect(percent > 0.3 && percent < 3 && bytes < 200_000)
    }
}
