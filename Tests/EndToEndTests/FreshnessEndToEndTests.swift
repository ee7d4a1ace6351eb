import Foundation
import PipelineTesting
import Testing

/// How old what an operator looks at may be, with real processes.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct FreshnessEndToEndTests {
    @Test func `while others take every core the map has a row within seconds of its receipt`() throws {
        let pack = try ServicePack()
        try pack.start()
        let load = try FieldLoad(pack, seed: 17, mostRecords: 20_000, size: 50)
        let others = try BusyMachine()
        defer { others.end() }
        // A thousand reports a second: twenty uploads of 50.
        load.fleet.start(threads: 2, pause: 100_000)
        #expect(load.fleet.reaches(0.02))
        let token = try RawRowsPage.regulatorToken(pack), phone = try EnrolledPhone.enrolled(port: pack.ingestPort)
        let start = Int(Date().timeIntervalSince1970)
        var waited: [Double] = []
        for seq in 1...5 {
            // Where nobody else reports.
            let body = """
                {"id":"\(UUID().uuidString.lowercased())","captured_at_ms":\(Int(Date().timeIntervalSince1970 * 1_000)),"latitude":\(-20 - seq),\
                "longitude":-20,"accuracy_m":5,"mcc":624,"mnc":1,"technology":"4G","download_kbps":5000}
                """
            let sent = try HTTPExchange.send(
                "POST", "/v1/reports", port: pack.ingestPort,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer \(phone.token)"],
                body: Array(body.utf8))
            try #require(sent.status == 200 && sent.text.contains("\"accepted\":1"), "\(sent.text)")
            let receipt = ContinuousClock.now
            let query =
                "level=10&from=\((start - 600) * 1_000)&bbox=-20.1,\(-20.1 - Double(seq)),-19.9,\(-19.9 - Double(seq))"
            let isThere = try becomesTrue(within: 60) {
                let map = try Self.json("/v1/heatmap?metric=download_kbps&\(query)", token, pack)
                return !(try #require(map["features"] as? [Any])).isEmpty
            }
            #expect(isThere)
            waited.append((ContinuousClock.now - receipt) / .seconds(1))
        }
        #expect(!load.fleet.isDone, "the load was over before the last row was on the map")
        let median = waited.sorted()[2]
        print("freshness with no core free: \(waited.map { String(format: "%.1f", $0) }) s")
        #expect(median <= 3 && waited.max()! <= 6)
        load.fleet.hurry()
        others.end()
        load.expectSent()
    }

    @Test(
        arguments: [
            ("nkul-alert-router", "alarms"), ("nkul-batch-aggregator", "statistics"),
            ("nkul-reward-dispatcher", "campaigns"),
        ])
    func `a service that stands still makes its figures late within five seconds, and they recover`(
        program: String, figure: String
    ) throws {
        let pack = try ServicePack()
        try pack.start()
        let token = try RawRowsPage.regulatorToken(pack)
        func late() throws -> (Bool, [String]) {
            let figures = try Self.json("/v1/status", token, pack)["figures"] as? [String: Any]
            let found = try #require(figures?[figure] as? [String: Any])
            return (found["late"] as? Bool ?? true, found["missing"] as? [String] ?? [])
        }
        #expect(try becomesTrue(within: 30) { try !late().0 })
        let process = pack.processes[program]!
        process.pause()
        let isTold = try becomesTrue(within: 5) { try late().1 == [String(program.dropFirst(5))] }
        process.goOn()
        #expect(isTold)
        #expect(try becomesTrue(within: 30) { try !late().0 })
    }

    private static func json(_ path: String, _ token: String, _ pack: ServicePack) throws -> [String: Any] {
        let answer = try HTTPExchange.send(
            "GET", path, port: pack.exporterPort, headers: ["Authorization": "Bearer \(token)"], timeout: 30)
        guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }
}
