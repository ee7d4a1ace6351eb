import Foundation
import Models
import PipelineTesting
import ServiceKit
import SubjectRights
import TemporaryFiles
import Testing

/// Erasure with real processes that are killed meanwhile: nothing of those who asked is left, everything of the others is.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct ErasureEndToEndTests {
    @Test(arguments: ["0", "1"])
    func `of erased devices nothing is left in any file, and of the others everything`(encryption: String) throws {
        let devices = EndToEnd.number("NKUL_E2E_DEVICES", default: 300)
        let pack = try ServicePack([
            "NKUL_ENCRYPT_BLOCKS": encryption, "NKUL_INGEST_ADDRESS_CALLS_PER_MINUTE": "0",
        ])
        try pack.start()
        let load = try ErasureLoad(pack, devices: devices, erased: devices / 10, seed: 17)
        load.begin()
        #expect(becomesTrue(within: 300) { load.isDone } && load.problems.isEmpty, "\(load.problems.prefix(3))")
        try Self.expectRows(pack, load.uploads.reduce(0) { $0 + $1[0].count })
        let before = try HomeScan.run(pack.home.path("home"), for: load.subjects(sentOnly: true))
        #expect(before.found.count == load.erased.count)
        print("found before, in: \(before.places.mapValues(\.count).sorted { $0.key < $1.key })")

        load.goOn()
        var chaos = Chaos(seed: 23)
        try chaos.run(pack, leastKills: 3) { load.isDone }
        #expect(load.problems.isEmpty, "\(load.problems.prefix(3))")
        #expect(load.requested.count == load.erased.count)
        try Self.expectCompleted(pack, load)
        let after = try HomeScan.run(pack.home.path("home"), for: load.subjects(sentOnly: false))
        #expect(after.places.isEmpty, "\(after.places.mapValues { $0.sorted().prefix(5) })")
        try PipelineCheck.expectRowsAndStatistics(pack, load.model)
        try Self.expectProved(pack, load)
        print("erased \(load.erased.count) of \(devices), \(chaos.kills.values.reduce(0, +)) kills")
    }

    private static func expectRows(_ pack: ServicePack, _ count: Int) throws {
        let came = try becomesTrue(within: 120) { try RawRowsPage.read(pack).count == count }
        #expect(came)
    }

    /// Every request is completed, and its token can read that.
    static func expectCompleted(_ pack: ServicePack, _ load: ErasureLoad) throws {
        var open = load.requested
        let isDone = becomesTrue(within: 300) {
            for (place, request) in open where (try? state(of: request, load.phones[place], pack)) == "completed" {
                open[place] = nil
            }
            return open.isEmpty
        }
        let listed = try pack.answer("nkul", ["admin", "erasure", "list", "--limit", "3"])
        #expect(isDone, "\(open.count) are open; \(listed)")
    }

    private static func state(of request: String, _ phone: EnrolledPhone, _ pack: ServicePack) throws -> String? {
        let answer = try HTTPExchange.send(
            "GET", "/v1/me/erasures/\(request)", port: pack.ingestPort,
            headers: ["Authorization": "Bearer \(phone.token)"])
        return (try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])?["state"] as? String
    }

    /// The six receipts of each of them hold; of the first, as anybody can check it offline.
    private static func expectProved(_ pack: ServicePack, _ load: ErasureLoad) throws {
        struct Keys: Decodable { let keys: [VerificationKeyDocument] }
        struct Standing: Decodable { let receipts: [ErasureReceiptDocument] }
        let answer = try HTTPExchange.send("GET", "/.well-known/nkul-keys.json", port: pack.ingestPort)
        let keys = try JSONDecoder().decode(Keys.self, from: Data(answer.body)).keys
        var standings: [HTTPExchange] = []
        for (place, request) in load.requested {
            let standing = try HTTPExchange.send(
                "GET", "/v1/me/erasures/\(request)", port: pack.ingestPort,
                headers: ["Authorization": "Bearer \(load.phones[place].token)"])
            standings.append(standing)
            let receipts = try JSONDecoder().decode(Standing.self, from: Data(standing.body)).receipts
            #expect(Set(receipts.map(\.service)) == Set(ServiceName.built.map(\.rawValue)))
            #expect(receipts.allSatisfy { receipt in keys.contains { $0.verifies(receipt) } }, "phone \(place)")
        }
        let keyFile = pack.home.path("keys.json"), receiptFile = pack.home.path("erasure.json")
        try Data(answer.body).write(to: URL(filePath: keyFile))
        try Data(try #require(standings.first).body).write(to: URL(filePath: receiptFile))
        let verdict = try pack.answer("nkul", ["admin", "erasure", "verify", receiptFile, "--keys", keyFile])
        #expect(verdict.contains("the erasure is proved"))
    }
}
