import Channels
import Models
import NotifierMessages
import Seeds
import ServiceKit
import Testing

@testable import Notifier

/// Whatever is killed, fails or gets lost, and whenever: who is told hears of each alarm once, in order, to its end.
@Suite struct TellingPropertyTests {
    /// What a receiver has, and what is true of the alarms: naive on purpose.
    private struct World {
        var random: SplitMix64
        let bench: NotifierBench
        var severities: [String: [Severity]] = [:]
        var cleared: Set<String> = []
        /// By alarm, transitions in the order of their first receipt; a repetition is known by its id.
        var heard: [String: [String]] = [:]
        var ids: Set<String> = []
        /// Of Alertmanager: by alarm and severity, whether it fires.
        var fires: [String: Bool] = [:]
        var open: [(number: UInt64, call: OutgoingCall)] = []

        /// Whether anything waits beside what fires and was told.
        var isWaiting: Bool {
            get throws {
                try bench.outbox { outbox in
                    try outbox.page(channel: nil, state: .waiting, limit: 1_000).contains { delivery in
                        delivery.transition != Delivery.firing || delivery.attempts > 0
                            || delivery.dueAt <= bench.now || delivery.changedAt == delivery.createdAt
                    }
                }
            }
        }

        mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

        mutating func receive(_ call: OutgoingCall) throws {
            guard case .alertmanager(let url, resend: let resend) = call.channel.kind else {
                for one in call.deliveries where ids.insert(one.id).inserted {
                    heard[one.alarm.id, default: []].append(one.transition)
                }
                return
            }
            let body = AlertmanagerMessage.request(call, to: url, resend: resend).body
            for alert in try JSONValue(bytes: body).array ?? [] {
                let labels = alert["labels"]
                let key = "\(labels?["alarm"]?.string ?? "") \(labels?["severity"]?.string ?? "")"
                fires[key] = (alert["endsAt"]?.string ?? "") > Timestamp.text(call.at)
            }
        }
    }

    @Test(arguments: 1...UInt64(Seeds.share(of: 40)))
    func `each alarm is told from its beginning to its end, over kills, failures and lost answers`(_ seed: UInt64)
        throws
    {
        var world = World(random: SplitMix64(seed: seed), bench: try NotifierBench())
        try world.bench.webhook()
        try world.bench.manager(resend: 5)
        for _ in 0..<120 { try step(&world) }
        // In the end everybody answers.
        for _ in 0..<400 where try world.open.isEmpty == false || world.isWaiting {
            for (number, call) in try world.open + world.bench.calls() {
                try world.receive(call)
                try world.bench.answer(number, .delivered)
            }
            world.open = []
            try world.bench.tick(after: 4_000)
        }
        for (alarm, severities) in world.severities {
            let changes = (1..<severities.count).map { "changed:\($0)" }
            let end = world.cleared.contains(alarm) ? ["cleared"] : []
            #expect(world.heard[alarm] == ["raised"] + changes + end, "seed \(seed) \(alarm)")
            for severity in Set(severities) {
                let isOn = !world.cleared.contains(alarm) && severity == severities.last
                #expect(
                    world.fires["\(alarm) \(severity.rawValue)"] ?? false == isOn, "seed \(seed) \(alarm) \(severity)")
            }
        }
        #expect(try world.bench.outbox { try $0.count(.dead) } == 0)
    }

    private func step(_ world: inout World) throws {
        let going = world.severities.keys.filter { !world.cleared.contains($0) }.sorted()
        switch world.pick(10) {
        case 0, 1:
            let name = "a\(world.severities.count)"
            world.severities[name] = [.major]
            try world.bench.alarm(name, .major)
        case 2 where !going.isEmpty:
            let name = going[world.pick(going.count)]
            let severity = world.severities[name]!.last == .major ? Severity.critical : .major
            world.severities[name]!.append(severity)
            try world.bench.alarm(name, severity)
        case 3 where !going.isEmpty:
            let name = going[world.pick(going.count)]
            world.cleared.insert(name)
            try world.bench.clear(name)
        case 4:
            try world.bench.restart()
            world.open = []
        case 5: try world.bench.tick(after: Int64(world.pick(8_000)))
        default:
            world.open += try world.bench.calls()
            guard !world.open.isEmpty else { return }
            let (number, call) = world.open.remove(at: world.pick(world.open.count))
            switch world.pick(4) {
            case 0: try world.bench.answer(number, .failed("down"))
            case 1:
                // It was taken, and the answer was lost.
                try world.receive(call)
                try world.bench.answer(number, .failed("no answer"))
            default:
                try world.receive(call)
                try world.bench.answer(number, .delivered)
            }
        }
    }
}
