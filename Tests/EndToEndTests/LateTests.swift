import Foundation
import PipelineTesting
import ServiceKit
import Synchronization
import TemporaryFiles
import Testing

@testable import Laboratory

/// Records that were lost on the way, that came twice, and that came a week late: each counts once.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct LateTests {
    private static let day = 86_400_000

    @Test
    func `replies lost, ingest killed between commit and reply, phones back a week later: each record once`()
        async throws
    {
        let pack = try ServicePack(["NKUL_CLOCK": "recording"])
        try pack.start()
        let today = Int(Date().timeIntervalSince1970 * 1000)
        // A week and two hours ago: within the acceptance horizon of eight days.
        let then = today - 7 * Self.day - 7_200_000
        let clocks = ReplayClock(ServiceName.built, in: Home(path: pack.home.path("home")))
        try await clocks.run(from: Int64(then), speed: 1)
        let phones = try (0..<6).map { number in
            LatePhone(
                try EnrolledPhone.enrolled(port: pack.ingestPort),
                LatePhone.records(120, until: then, seed: UInt64(number)))
        }
        let proxy = try CuttingProxy(target: pack.ingestPort, seed: 41)
        defer { proxy.stop() }

        // Two of the six are offline from the beginning.
        let kills = try Self.sendWhileIngestIsKilled(phones.dropLast(2), port: proxy.port, pack)
        let missing = phones.map(\.pending.count)
        #expect(phones.flatMap(\.refused) == [])
        #expect(missing.dropLast(2).contains { $0 > 0 } && missing.suffix(2) == [120, 120])
        #expect(missing.contains { $0 < 120 } && kills >= 3 && proxy.losses > 3)

        try await clocks.run(from: Int64(today - 60_000), speed: 1)
        for (number, phone) in phones.enumerated() {
            var tries: UInt64 = 0
            while !phone.pending.isEmpty, tries < 100 {
                phone.tryOnce(port: proxy.port, size: 11, seed: UInt64(number) << 32 | tries)
                tries += 1
            }
            #expect(phone.pending.isEmpty)
            #expect(phone.statuses.values.allSatisfy { ["accepted", "duplicate"].contains($0) })
            // All of it again, cut otherwise.
            for part in stride(from: 0, to: 120, by: 40) {
                let records = phone.records[part..<part + 40].filter { $0.kind == "report" }
                let again = try phone.phone.send(records, key: nil, port: pack.ingestPort)
                #expect(again.allSatisfy { $0 == "duplicate" })
            }
        }
        // Committed, and the phone did not hear of it: that is what retries are about.
        let unheard = phones.reduce(0) { $0 + $1.statuses.values.count { $0 == "duplicate" } }
        #expect(unheard > 0 && phones.flatMap(\.refused) == [])

        var model = ReferenceModel()
        for (number, phone) in phones.enumerated() {
            // A week ago it was new and young; since then it is only new, having been seen on two days.
            model.enrol(device: number + 1, purposes: ReferenceModel.allPurposes, at: then)
            _ = model.submit(phone.records, device: number + 1, receivedAt: today)
        }
        #expect(model.rows.count == 720)
        try PipelineCheck.expectAgreement(pack, model)
        print(
            "lost, twice, late: \(missing.reduce(0, +)) of 720 records came a week later, \(unheard) of them again;",
            "\(kills) kills, \(proxy.losses) losses")
    }

    @Test
    func `conflicts, reused counters and receipts are what they were after kills and a week`() async throws {
        let pack = try ServicePack(["NKUL_CLOCK": "recording"])
        try pack.start()
        let today = Int(Date().timeIntervalSince1970 * 1000), then = today - 7 * Self.day - 7_200_000
        let clocks = ReplayClock(ServiceName.built, in: Home(path: pack.home.path("home")))
        try await clocks.run(from: Int64(then), speed: 1)
        let phone = try EnrolledPhone.enrolled(port: pack.ingestPort)
        let ingest = try #require(pack.processes["nkul-ingest"])
        func send(_ records: [ReferenceRecord], key: String? = nil) throws -> HTTPExchange {
            try phone.exchange(records, key: key, port: pack.ingestPort)
        }
        var random = SeededRandom(seed: 8)
        let first = Self.report(seq: 1, at: then), named = Self.report(id: LatePhone.uuid(&random), seq: 2, at: then)
        let tooOld = Self.report(seq: 3, at: then - 9 * Self.day)
        let receipt = try send([first, named, tooOld], key: "first")
        #expect(receipt.status == 200 && Self.statuses(receipt) == ["accepted", "accepted", "rejected"])

        for moment in [then, today - 60_000] {
            ingest.kill()
            try ingest.start()
            try pack.expectReady(within: 120)
            try await clocks.run(from: Int64(moment), speed: 1)
            #expect(try send([first, named, tooOld], key: "first").body == receipt.body, "another receipt")
            var other = first
            other.fields["latency_ms"] = .number(999)
            #expect(Self.statuses(try send([other])) == ["conflict"])
            // The counter of another record, under a name of its own.
            let reused = try send([Self.report(id: LatePhone.uuid(&random), seq: 2, at: moment)])
            #expect(Self.statuses(reused) == ["accepted"] && reused.text.contains("\"code\":\"seq_reused\""))
        }
        // Too old when it came, and too old ever after; what was accepted does not become so.
        let again = try send([tooOld, first])
        #expect(Self.statuses(again) == ["rejected", "duplicate"])
        #expect(try becomesTrue(within: 120) { try RawRowsPage.read(pack).count == 4 })
        let rows = try RawRowsPage.read(pack)
        #expect(rows.values.allSatisfy { $0.count == 1 })
        #expect(rows.values.allSatisfy { ($0[0]["latency_ms"] as? NSNumber)?.intValue == 50 }, "the first stands")
    }

    /// The phones send, each what it has, while ingest is killed again and again at random moments.
    ///
    /// - Returns: how often it was killed.
    private static func sendWhileIngestIsKilled(
        _ phones: ArraySlice<LatePhone>, port: Int, _ pack: ServicePack
    ) throws -> Int {
        let running = Atomic(phones.count)
        for (number, phone) in phones.enumerated() {
            Thread.detachNewThread {
                for round in 0..<2 {
                    phone.tryOnce(port: port, size: 3, seed: UInt64(number * 10 + round), pause: 20_000)
                }
                running.subtract(1, ordering: .releasing)
            }
        }
        let ingest = pack.processes["nkul-ingest"]!
        var random = SeededRandom(seed: 12), kills = 0
        #expect(becomesTrue(within: 120) { phones.contains { $0.pending.count < 120 } })
        while running.load(ordering: .acquiring) > 0 || kills < 3 {
            let moment = Date().addingTimeInterval(Double(random.within(20...400)) / 1_000)
            _ = becomesTrue(within: 1) { Date() >= moment }
            ingest.kill()
            kills += 1
            try ingest.start()
            _ = pack.isReady("nkul-ingest", within: 120)
        }
        try pack.expectReady(within: 60)
        return kills
    }

    private static func report(id: String? = nil, seq: Int, at time: Int) -> ReferenceRecord {
        var fields: [String: ReferenceRecord.Value] = [
            "seq": .number(Double(seq)), "captured_at_ms": .number(Double(time)), "mcc": .number(624),
            "mnc": .number(1), "latency_ms": .number(50),
        ]
        if let id { fields["id"] = .text(id) }
        return ReferenceRecord(kind: "report", fields: fields)
    }

    private static func statuses(_ answer: HTTPExchange) -> [String] {
        let receipt = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        return (receipt?["items"] as? [[String: Any]] ?? []).compactMap { $0["status"] as? String }
    }
}
