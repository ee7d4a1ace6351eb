import Foundation
import Lanes
import Models
import Storage
import Testing
import Wire

@testable import RewardDispatcher

@Suite struct PayoutTests {
    private let start = RewardBench.start
    private let directory: TemporaryKeys

    init() throws { directory = try TemporaryKeys() }

    private func bench(path: String = ":memory:", numberGap: Int64 = 0) throws -> (RewardBench, PayoutBench) {
        let keys = try PayoutKeys(try KeyStore(directory: directory.path + "/keys"))
        return (try RewardBench(payoutKeys: keys, path: path, numberGap: numberGap), PayoutBench(keys))
    }

    private func recipients(_ bench: RewardBench, at time: Int64) throws -> [UInt64: String?] {
        try bench.tick(time)
        let calls = bench.takeCalls()
        return Dictionary(uniqueKeysWithValues: calls.map { ($0.device, $0.recipient?.phone) })
    }

    @Test func `a reward goes to the number that was given last, and without one to nobody in particular`() throws {
        var (bench, payouts) = try bench()
        try bench.take(payouts.block([(1, "+237670000001"), (2, "+237670000002"), (1, "+237670000003")]))
        try bench.give((1...3).map { Given(device: $0) })
        #expect(try recipients(bench, at: start) == [1: "+237670000003", 2: "+237670000002", 3: nil])
        try bench.take(payouts.block([(1, nil)]))
        try bench.give([Given(device: 1, seq: 2), Given(device: 2, seq: 2)])
        #expect(try recipients(bench, at: start + 1) == [1: nil, 2: "+237670000002"])
        #expect(bench.reports.reduce(0) { $0 + $1.payoutsKept } == 3)
        #expect(bench.reports.reduce(0) { $0 + $1.payoutsRemoved } == 1)
    }

    @Test func `one number pays to three devices, and further ones are held until it is free`() throws {
        var (bench, payouts) = try bench()
        try bench.take(payouts.block((1...5).map { ($0, "+237670000001") }))
        try bench.give((1...5).map { Given(device: $0) })
        #expect(Set(try recipients(bench, at: start).keys) == [1, 2, 3])
        #expect(try bench.states() == [.sent, .sent, .sent, .pending, .pending])
        #expect(try bench.number("SELECT count(*) FROM grants WHERE reason LIKE 'held: 3 other devices%'") == 2)
        #expect(try recipients(bench, at: start + 1_000) == [:], "what is held is not looked at each second")
        // The same number again moves nobody to the end of the queue.
        try bench.take(payouts.block([(1, "+237670000001")]))
        // Another number, and the device is paid at once; who waits behind it, when it is next looked at.
        try bench.take(payouts.block([(5, "+237670000009"), (2, nil)]))
        #expect(try recipients(bench, at: start + 2_000) == [5: "+237670000009"])
        #expect(try recipients(bench, at: start + RewardDispatcherCore.holdPause)[4] == "+237670000001")
    }

    @Test func `two orders to one number are two minutes apart, whoever they are for, also after a restart`() throws {
        var (bench, payouts) = try bench(numberGap: 120_000)
        try bench.take(payouts.block([(1, "+237670000001"), (2, "+237670000001"), (3, "+237670000003")]))
        try bench.give([Given(device: 1, seq: 1), Given(device: 1, seq: 2), Given(device: 2), Given(device: 3)])
        var orders: [String: [UnixMilliseconds]] = [:]
        for now in stride(from: start, to: start + 400_000, by: 500) {
            try bench.tick(now)
            for call in bench.takeCalls() {
                orders[try #require(call.recipient?.phone), default: []].append(now)
                bench.effects.answers.add(.confirmed("x"), to: call)
            }
            if now == start + 60_000 { try bench.restart() }
        }
        let shared = try #require(orders["+237670000001"])
        #expect(shared.count == 3 && zip(shared, shared.dropFirst()).allSatisfy { $1 - $0 >= 120_000 })
        #expect(shared == [start, start + 120_000, start + 240_000], "and no longer apart than they must be")
        #expect(orders["+237670000003"] == [start])
        #expect(bench.reports.reduce(0) { $0 + $1.paced } > 0)
    }

    @Test func `a device that joins a number waits for the payment to another`() throws {
        var (bench, payouts) = try bench(numberGap: 120_000)
        try bench.take(payouts.block([(1, "+237670000001")]))
        try bench.give([Given(device: 1), Given(device: 2)])
        try bench.take(payouts.block([(2, "+237670000002")]))
        try bench.tick(start)
        for call in bench.takeCalls() { bench.effects.answers.add(.confirmed("x"), to: call) }
        try bench.tick(start + 1_000)
        try bench.take(payouts.block([(2, "+237670000001")]))
        try bench.give([Given(device: 2, seq: 2)])
        #expect(try recipients(bench, at: start + 119_999) == [:])
        #expect(try recipients(bench, at: start + 120_000) == [2: "+237670000001"])
    }

    @Test func `what is sealed to a key that is not here, or for another device, is left out and counted`() throws {
        var (bench, payouts) = try bench()
        let key = payouts.keys.document, stranger = RecipientSeal.newKey()
        let other = PayoutKeyDocument(
            id: "other", publicKey: Data(try RecipientSeal.publicKey(of: stranger)).base64EncodedString())
        let posing = PayoutKeyDocument(id: key.id, publicKey: other.publicKey)
        try bench.take(
            payouts.block(documents: [
                (1, PayoutBench.sealed("+237670000001", for: 1, to: other)),
                (2, PayoutBench.sealed("+237670000001", for: 2, to: posing)),
                (3, PayoutBench.sealed("+237670000001", for: 4, to: key)),
                (4, PayoutBench.sealed("no number", for: 4, to: key)),
                (5, PayoutDocument(key: key.id, sealed: "?")),
                (6, PayoutBench.sealed("+237670000006", for: 6, to: key)),
            ]))
        #expect(bench.reports.reduce(0) { $0 + $1.unreadablePayouts } == 5)
        #expect(try bench.number("SELECT count(*) FROM payouts") == 1)
    }

    @Test func `the key is told once, and a renewed one again; numbers sealed to the one before still come`() throws {
        var (bench, payouts) = try bench()
        func told(_ outcome: EffectOutcome) throws -> [String] {
            var decoder = ColumnDecoder()
            return try outcome.appended.flatMap(\.blocks).filter { $0.header.kind == RecordKind.payoutKey.id }.map {
                let text = try #require(try $0.columns(with: &decoder)[ColumnID.document]?.value(0))
                return try JSONDecoder().decode(PayoutKeyDocument.self, from: Data(text)).id
            }
        }
        let old = payouts.keys
        #expect(try told(bench.tick(start)) == [old.document.id])
        #expect(try told(bench.tick(start + 1)) == [])
        try bench.restart()
        #expect(try told(bench.tick(start + 2)) == [])
        let folder = directory.path + "/keys/"
        try FileManager.default.moveItem(
            atPath: folder + "reward-payout.key", toPath: folder + "reward-payout-old.key")
        let renewed = try PayoutKeys(try KeyStore(directory: directory.path + "/keys"))
        #expect(renewed.document.id != old.document.id)
        try bench.restart(payoutKeys: renewed)
        #expect(try told(bench.tick(start + 3)) == [renewed.document.id])
        try bench.take(payouts.block([(1, "+237670000001")]))
        try bench.give([Given(device: 1)])
        #expect(try recipients(bench, at: start + 4) == [1: "+237670000001"])
    }

    @Test func `a number is stored encrypted, and stands in no file`() throws {
        let path = directory.path + "/state.sqlite"
        var (bench, payouts) = try bench(path: path)
        try bench.take(payouts.block([(1, "+237670000001"), (2, "+237670000001")]))
        try bench.give([Given(device: 1)])
        #expect(try recipients(bench, at: start) == [1: "+237670000001"])
        #expect(try bench.number("SELECT count(DISTINCT sealed) FROM payouts") == 2)
        #expect(try bench.number("SELECT count(DISTINCT mark) FROM payouts") == 1)
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        #expect(files.contains("state.sqlite") && files.contains("keys/reward-payout.key"))
        for file in files {
            guard let data = FileManager.default.contents(atPath: directory.path + "/" + file) else { continue }
            #expect(data.range(of: Data("670000001".utf8)) == nil, "\(file)")
        }
        let mode = try FileManager.default.attributesOfItem(atPath: directory.path + "/keys/reward-payout.key")
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }
}

/// A directory for keys and databases that goes with the test.
private final class TemporaryKeys {
    let path = NSTemporaryDirectory() + "/nkul-payout-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
