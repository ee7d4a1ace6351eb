import Models
import NkulDevice
import TemporaryFiles

/// Many kits for a simulated week and a half against ingest's own engine; at the end a calm day in which everybody is online.
final class Week {
    /// Days of bad luck: longer than records are kept.
    static let days = 9
    static let calmDays = 2

    let seed: UInt64
    let service: WeekService
    private(set) var phones: [WeekPhone] = []
    private let directory: TemporaryDirectory
    private var clock: WeekClock
    private let start: Int64
    private var random: SplitMix64
    private(set) var failures: [String] = []
    private(set) var steps = 0

    init(phones count: Int, seed: UInt64) throws {
        self.seed = seed
        start = 1_760_000_000_000
        clock = WeekClock(now: start)
        service = try WeekService(now: start)
        random = SplitMix64(seed: seed, name: "network")
        directory = try TemporaryDirectory(inMemory: true)
        for number in 0..<count {
            phones.append(try WeekPhone(number, in: self, directory.path("phone-\(number)")))
        }
    }

    var now: Int64 { clock.now }
    /// Nothing bad happens any more.
    var isCalm: Bool { now >= start + Int64(Self.days) * WeekPhone.day }
    /// Nothing is there to be measured any more.
    var isOver: Bool { now >= start + Int64(Self.days) * WeekPhone.day + WeekPhone.day / 2 }

    func after(_ milliseconds: Int64, _ body: @escaping () throws -> Void) { clock.at(now + milliseconds, body) }

    func fail(_ text: String) {
        if failures.count < 20 { failures.append(text) }
    }

    /// The service, on a bad day: now and then it has no room.
    func answer(_ request: DeviceRequest) -> DeviceResponse? {
        if !isCalm, random.chance(percent: 3) { return DeviceResponse(status: 503, retryAfter: 1 + random.below(600)) }
        do { return try service.answer(request, now: now) } catch {
            fail("the service fails: \(error)")
            return nil
        }
    }

    func run() throws {
        let end = start + Int64(Self.days + Self.calmDays) * WeekPhone.day
        while let body = clock.next(before: end) {
            steps += 1
            try body()
        }
    }
}
