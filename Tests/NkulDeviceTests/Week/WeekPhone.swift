import Models
import QoE

@testable import NkulDevice

/// A phone of the simulated week: its kit, its bad luck, and what it really recorded.
final class WeekPhone {
    static let day: Int64 = 86_400_000
    static let hour: Int64 = 3_600_000

    unowned let week: Week
    let settings: DeviceSettings
    private let path: String
    private let key: [UInt8]
    var random: SplitMix64
    private(set) var loop: DeviceLoop?
    /// Rises with each death: what was on its way for the process before means nothing.
    private(set) var life = 0
    private var alarms = 0
    private var boot = 0
    private var booted: Int64
    private(set) var wallError: Int64 = 0
    private var offline: [ClosedRange<Int64>] = []
    private(set) var isDiskFull = false
    /// Records by counter, and when each was truly captured.
    private(set) var truth: [Int64: Int64] = [:]
    /// When consent was withdrawn.
    private(set) var withdrawals: [Int64] = []
    private(set) var deaths = 0
    private(set) var fullDisks = 0
    private(set) var jumps = 0
    private(set) var mostWaiting = 0
    /// Tokens that it had: one, unless answers to enrolments were lost.
    private(set) var tokens: Set<String> = []

    init(_ number: Int, in week: Week, _ path: String) throws {
        self.week = week
        self.path = path
        var random = SplitMix64(seed: week.seed, name: "phone \(number)")
        key = (0..<32).map { UInt8(($0 + number) & 255) }
        booted = week.now - random.below(WeekPhone.day)
        self.random = random
        var settings = DeviceSettings(platform: "test", appVersion: "1")
        settings.sampling = SamplingPolicy(
            movingMilliseconds: 20 * 60_000, stillMilliseconds: 45 * 60_000, testSeconds: 0)
        // One in ten has hardly any room.
        if number % 10 == 3 { settings.queueBytes = 12_000 }
        self.settings = settings
        try open()
        planLuck(number)
    }

    var hasLittleRoom: Bool { settings.queueBytes < 100_000 }

    // MARK: Luck

    private func planLuck(_ number: Int) {
        let start = week.now
        at(0) { $0.begin() }
        // Offline for hours or days; some for longer than records are kept.
        for day in 0..<Week.days where random.chance(percent: 30) {
            let from = start + Int64(day) * WeekPhone.day + random.below(WeekPhone.day)
            let longest = random.chance(percent: 20) ? 2 * WeekPhone.day : 6 * WeekPhone.hour
            offline.append(from...(from + random.below(longest)))
        }
        if number % 12 == 5 { offline.append(start...(start + Int64(Week.days) * WeekPhone.day)) }
        for span in offline { at(span.upperBound + 1 - start) { $0.wake() } }
        for hour in 0..<(Week.days * 24) {
            let moment = Int64(hour) * WeekPhone.hour + random.below(WeekPhone.hour)
            if random.chance(percent: 8) { at(moment) { $0.die() } }
            if random.chance(percent: 2) { at(moment) { $0.restartPhone() } }
            if random.chance(percent: 3) { at(moment) { $0.jump() } }
            if random.chance(percent: 10) { at(moment) { $0.somethingHappens() } }
            if number % 4 == 1, random.chance(percent: 2) { at(moment) { $0.fillDisk() } }
        }
        if number % 8 == 2 {
            let from = WeekPhone.day + random.below(4 * WeekPhone.day)
            at(from) { $0.withdraw() }
            at(from + random.below(WeekPhone.day)) { $0.consent() }
        }
    }

    /// Plans something for so many milliseconds after now.
    private func at(_ milliseconds: Int64, _ body: @escaping (WeekPhone) -> Void) {
        week.after(milliseconds) { [unowned self] in body(self) }
    }

    private var network: NetworkPath {
        let now = week.now
        if !week.isCalm, offline.contains(where: { $0.contains(now) }) { return .none }
        return LocalTime.isNight(now) ? .wifi : .mobile
    }

    private var conditions: Conditions {
        Conditions(
            path: network, battery: BatteryReading(percent: 70), motion: random.chance(percent: 30) ? .moving : .still)
    }

    // MARK: Life

    private func open() throws {
        loop = try DeviceLoop(
            DeviceStore(path: path, key: key, isSynced: false), settings, seed: random.next())
        if isDiskFull { try loop?.store.limit(bytes: 0) }
    }

    private func begin() {
        consent()
        wake()
    }

    private func die() {
        guard !week.isCalm else { return }
        dieNow()
    }

    private func dieNow() {
        guard loop != nil else { return }
        deaths += 1
        life += 1
        try? loop?.store.close()
        loop = nil
        at(60_000 + random.below(2 * WeekPhone.hour)) { phone in
            do { try phone.open() } catch { phone.week.fail("a store does not open: \(error)") }
            phone.wake()
        }
    }

    private func restartPhone() {
        boot += 1
        booted = week.now
        dieNow()
    }

    /// Somebody sets the clock, by minutes, hours, or months.
    private func jump() {
        guard loop != nil else { return }
        jumps += 1
        let far = [60_000, WeekPhone.hour, 40 * WeekPhone.day][random.below(3)]
        wallError = random.below(2 * far) - far
        // The system tells.
        wake()
    }

    private func fillDisk() {
        guard !isDiskFull, loop != nil else { return }
        isDiskFull = true
        fullDisks += 1
        try? loop?.store.limit(bytes: 0)
        at(random.below(6 * WeekPhone.hour)) { phone in
            phone.isDiskFull = false
            try? phone.loop?.store.limit(bytes: nil)
        }
    }

    private func withdraw() {
        guard let loop, loop.core.isMeasuring else { return }
        if take(.consented(ConsentChoice(purposes: ["rewards"], policyVersion: "1"))) { withdrawals.append(week.now) }
    }

    /// Insists, as a person would.
    private func consent() {
        guard loop?.core.isMeasuring != true else { return }
        let choice = ConsentChoice(purposes: Set(ConsentChoice.everyPurpose), policyVersion: "1", ageBand: "18+")
        if loop == nil || !take(.consented(choice)) { at(10 * 60_000) { $0.consent() } }
    }

    private func somethingHappens() {
        let sim = SIMReading(slot: 0, mcc: 624, mnc: 1, networkType: .lte, carriesData: true)
        switch random.below(4) {
        case 0: take(.happened(Occurrence(.callDrop, sim: sim)))
        case 1: take(.happened(Occurrence(.noService, seconds: 90, sim: sim)))
        default: take(.rated(Rating(stars: 1 + random.below(5), comment: "ça rame")))
        }
    }

    func wake() { take(.woke(conditions)) }

    /// - Returns: false if there was no process, or no room.
    @discardableResult
    func take(_ event: DeviceEvent) -> Bool {
        guard loop != nil else { return false }
        let now = week.now
        let reading = ClockReading(wall: now + wallError, uptime: now - booted, boot: "\(boot)")
        let before = loop?.store.counters["seq"] ?? 0
        do {
            let effects = try loop!.take(event, at: reading)
            note(from: before, at: now)
            // Dies between what is kept and what is done.
            if !week.isCalm, random.below(300) == 0 {
                dieNow()
                return true
            }
            for effect in effects { perform(effect) }
            return true
        } catch DeviceStoreError.full {
            alarm(after: DeviceLoop.storagePause)
            return false
        } catch {
            week.fail("a kit fails: \(error)")
            return false
        }
    }

    private func note(from before: Int64, at now: Int64) {
        guard let store = loop?.store else { return }
        let after = store.counters["seq"] ?? 0
        if after > before { for seq in (before + 1)...after { truth[seq] = now } }
        mostWaiting = max(mostWaiting, store.facts.waitingBytes)
        if let token = loop?.core.state.token { tokens.insert(token) }
    }

    private func alarm(after milliseconds: Int64) {
        alarms += 1
        let (alarm, life) = (alarms, life)
        at(milliseconds) { phone in if phone.alarms == alarm, phone.life == life { phone.wake() } }
    }

    private func perform(_ effect: DeviceEffect) {
        let life = life
        switch effect {
        case .wake(let after): alarm(after: after)
        case .sample:
            at(500 + random.below(4_000)) { phone in
                guard phone.life == life else { return }
                phone.take(.sampled(phone.week.isOver ? Sample(sims: [], place: nil) : phone.see(), phone.conditions))
            }
        case .send(let call, let request): send(call, request)
        case .show(let prompt):
            at(5_000 + random.below(900_000)) { phone in
                switch phone.random.below(3) {
                case 0: phone.take(.rated(Rating(stars: 3, promptID: prompt.id)))
                case 1: phone.take(.promptGone(id: prompt.id, isDismissed: true))
                default: break
                }
            }
        case .withdraw, .askForConsent, .upload, .ask: break
        }
    }

    private func see() -> Sample {
        let sim = SIMReading(
            slot: 0, mcc: 624, mnc: 1 + random.below(2), networkType: .lte, cellID: 4_711 + random.below(50),
            rsrp: -80 - Double(random.below(Int64(300))) / 10, carriesData: true)
        return Sample(
            sims: [sim],
            place: PlaceReading(
                latitude: 4 + Double(random.below(Int64(1_000))) / 10_000, longitude: 9.7, accuracyMetres: 12,
                source: .network))
    }

    /// Of what is sent some is lost on the way there, and some on the way back.
    private func send(_ call: DeviceCall, _ request: DeviceRequest) {
        let life = life, path = network, delay = 50 + random.below(Int64(2_000))
        let luck = week.isCalm ? 99 : path == .none ? 0 : random.below(Int64(100))
        at(delay) { phone in
            let answer = luck < 12 ? nil : phone.week.answer(request)
            let isHeard = luck >= 22
            phone.at(isHeard ? phone.random.below(1_000) : 30_000) { phone in
                guard phone.life == life else { return }
                phone.take(
                    .answered(
                        call,
                        DeviceExchange(
                            response: isHeard ? answer : nil, sentBytes: request.body.count + 300, receivedBytes: 200),
                        milliseconds: 1_000, path: path))
            }
        }
    }
}

/// Hours as people in Cameroon have them.
enum LocalTime {
    static func isNight(_ time: Int64) -> Bool {
        let hour = (time / WeekPhone.hour + 1) % 24
        return hour < 7 || hour > 20
    }
}
