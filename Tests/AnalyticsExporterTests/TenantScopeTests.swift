import ExporterSupport
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import QoE
import Synchronization
import TemporaryFiles
import Testing

/// Every route × every network that is not the caller's.
@Suite struct TenantScopeTests {
    private static let start = TestExporter.now - 3_600_000
    private static let networks = ["62401", "62402", "62403", "unknown"]

    /// Rows whose SIM and serving networks are all pairs, an alarm and a cell for each network.
    private func filled(_ directory: TemporaryDirectory) throws -> TestExporter {
        let exporter = try TestExporter(directory)
        var batch = TestLane(.batch), alerts = TestLane(.alerts), rollups = TestLane(.rollups)
        var rows: [TestRow] = []
        for sim in 0...3 {
            for serving in 0...3 {
                var values: [UInt8: Int64] = [ColumnID.download: Int64(sim * 10 + serving)]
                if sim > 0 { values.merge([ColumnID.mcc: 624, ColumnID.mnc: Int64(sim)]) { $1 } }
                if serving > 0 { values.merge([ColumnID.servingMCC: 624, ColumnID.servingMNC: Int64(serving)]) { $1 } }
                rows.append(
                    TestRow(
                        device: 7, received: Self.start, captured: Self.start, seq: Int64(rows.count + 1),
                        values: values))
            }
        }
        // Blocks of one network each are skipped unopened; a block of several is filtered by rows.
        try exporter.take([try batch.block(rows), try batch.block([rows[5]]), try batch.block([rows[10]])])
        try exporter.take([
            try alerts.alarms(Self.networks.map { ($0, #"{"id":"\#($0)","plmn":"\#($0)"}"#) }),
            try rollups.cells(
                Self.networks.enumerated().map { place, name in
                    (
                        CellKey(
                            bucketSeconds: 300, bucketStart: Self.start / 300_000 * 300,
                            quadkey: Quadkey(latitude: 38_000_000, longitude: 115_000_000, level: 6)!,
                            plmn: PLMN(text: name) ?? .unknown, technology: .g4, population: .shared),
                        1, 1,
                        CellHistograms([.init(.download, bin: BinTable.logarithmic.bin(100), count: Int64(place + 1))])
                    )
                }),
        ])
        return exporter
    }

    @Test func `raw rows are those of the SIM or the serving network`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let token = try await exporter.tenant("mtn", ["62401"])
        let downloads = try await exporter.rows(headers: TestExporter.bearer(token)).map {
            $0["download_kbps"] as! Int64
        }
        #expect(downloads.sorted() == [1, 10, 11, 11, 12, 13, 21, 31])
        let two = try await exporter.tenant("two", ["62402", "62403"])
        let ofTwo = try await exporter.rows(headers: TestExporter.bearer(two)).map { $0["download_kbps"] as! Int64 }
        #expect(ofTwo.sorted() == [2, 3, 12, 13, 20, 21, 22, 22, 23, 30, 31, 32, 33])
        #expect(try await exporter.rows().count == 18)
    }

    @Test func `a row that is not for operators is for no operator`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        var row = TestRow(
            received: Self.start, captured: Self.start, seq: 1, values: [ColumnID.mcc: 624, ColumnID.mnc: 1])
        let shared = row
        row.seq = 2
        row.values[ColumnID.flags] = RowFlags.notForOperators.rawValue
        try exporter.take([try lane.block([shared, row])])
        let token = try await exporter.tenant("mtn", ["62401"])
        let authority = try await exporter.tenant("art", [], regulator: true)
        for query in ["", "?plmn=62401"] {
            #expect(try await exporter.rows(query, headers: TestExporter.bearer(token)).count == 1)
            #expect(try await exporter.rows(query, headers: TestExporter.bearer(authority)).count == 2)
            #expect(try await exporter.rows(query).count == 2)
        }
    }

    @Test(
        arguments: ["/v1/reports.ndjson", "/v1/reports.csv", "/v1/heatmap", "/v1/events"],
        ["62402", "62403", "unknown", "310260"])
    func `asking for a foreign network is forbidden`(path: String, plmn: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let token = try await exporter.tenant("mtn", ["62401"])
        let response = await exporter.request(path + "?plmn=" + plmn, headers: TestExporter.bearer(token))
        #expect(response.status == .forbidden)
        #expect(String(decoding: try await response.bytes(), as: UTF8.self).contains("foreign_network"))
        #expect(await exporter.request(path + "?plmn=" + plmn).status == .ok)
        #expect(await exporter.request(path + "?plmn=62401", headers: TestExporter.bearer(token)).status == .ok)
    }

    @Test func `the heat map counts own networks only`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let query = "/v1/heatmap?level=6&from=\(Self.start - 300_000)&to=\(Self.start + 300_000)"
        func samples(_ token: String) async throws -> Int64? {
            let text = try await exporter.text(query, headers: TestExporter.bearer(token))
            let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
            let feature = (document["features"] as! [[String: Any]]).first
            return (feature?["properties"] as? [String: Any])?["samples"] as? Int64
        }
        #expect(try await samples(exporter.tenant("mtn", ["62401"])) == 1)
        #expect(try await samples(exporter.tenant("two", ["62402", "62403"])) == 5)
        #expect(try await samples(exporter.tenant("elsewhere", ["31026"])) == nil)
        #expect(try await samples(exporter.tenant("art", [], regulator: true)) == 10)
        #expect(try await samples(exporter.token) == 10)
    }

    @Test func `alarms are those of own networks`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let token = try await exporter.tenant("mtn", ["62401"])
        let text = try await exporter.text("/v1/alarms", headers: TestExporter.bearer(token))
        #expect(text.contains(#""id":"62401""#))
        for foreign in Self.networks.dropFirst() { #expect(!text.contains(foreign)) }
        let whole = try await exporter.text("/v1/alarms")
        for network in Self.networks { #expect(whole.contains(#""id":"\#(network)""#)) }
    }

    @Test func `an alarm is found by its href, by those who may see it`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let mtn = TestExporter.bearer(try await exporter.tenant("mtn", ["62401"]))
        let path = "/tmf-api/alarmManagement/v4/alarm/"
        for network in Self.networks {
            let expected = try await exporter.text(path + network)
            #expect(expected.contains(#""id":"\#(network)""#) && expected.hasPrefix("{"))
            let status = await exporter.request(path + network, headers: mtn).status
            #expect(status == (network == "62401" ? .ok : .notFound), "\(network)")
        }
        #expect(try await exporter.text(path + "62401", headers: mtn).contains(#""id":"62401""#))
        for strange in ["", "62401/", "x", "6240%31", "62401'--", String(repeating: "6", count: 65)] {
            #expect(await exporter.request(path + strange, headers: mtn).status == .notFound, "\(strange)")
        }
        let some = try await exporter.text(path + "62401?fields=plmn", headers: mtn)
        #expect(some.contains(#""id":"62401""#) && !some.contains("perceivedSeverity"))
        #expect(await exporter.request(path + "62401?colour=id", headers: mtn).status == .badRequest)
        #expect(await exporter.request(.delete, path + "62401", headers: mtn).status == .forbidden)
    }

    @Test func `an alarm is also that of the networks that served`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let token = try await exporter.tenant("mtn", ["62401"])
        func sees(_ id: String) async throws -> Bool {
            try await exporter.text("/v1/alarms", headers: TestExporter.bearer(token)).contains("\"id\":\"\(id)\"")
        }
        let document = #"{"id":"62402-served","plmn":"62402"}"#
        var lane = TestLane(.alerts, generation: 7)
        _ = try lane.alarms([("x", nil)])
        try exporter.take([try lane.alarm("62402-served", document, serving: "624011 162401")])
        #expect(try await !sees("62402-served"))
        // Nothing of the document changes; whose it is does.
        try exporter.take([try lane.alarm("62402-served", document, serving: "62401 62403")])
        #expect(try await sees("62402-served"))
        #expect(try await !sees("62402"))
    }

    @Test func `the stream tells nothing of foreign alarms nor of their end`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let token = try await exporter.tenant("mtn", ["62401"])
        var lane = TestLane(.alerts, generation: 7)
        // The number of the block that is there already.
        _ = try lane.alarms([("x", nil)])
        var headers = TestExporter.bearer(token)
        headers[.lastEventID] = "0"
        let response = await exporter.request("/v1/alarms/stream", headers: headers)
        let body = CollectedBody()
        let writing = Task { try await response.body.write(body) }
        try exporter.take([
            try lane.alarms([
                ("62402", nil), ("unknown", nil), ("62403", #"{"id":"62403","plmn":"62403","n":2}"#),
                ("62401", #"{"id":"62401","plmn":"62401","last":true}"#),
            ])
        ])
        while !String(decoding: body.content.withLock { $0 }, as: UTF8.self).contains("\"last\":true") {
            await Task.yield()
        }
        exporter.alarmChanges.close()
        try await writing.value
        let text = String(decoding: body.content.withLock { $0 }, as: UTF8.self)
        #expect(text.components(separatedBy: "event: ").count == 3)
        for foreign in Self.networks.dropFirst() { #expect(!text.contains(foreign)) }
    }

    @Test func `the session document offers own networks, and any for what is released`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let token = try await exporter.tenant("mtn", ["62401", "31026"])
        let text = try await exporter.text("/v1/session", headers: TestExporter.bearer(token))
        let session = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(session["tenant"] as? String == "mtn" && session["regulator"] as? Bool == false)
        #expect(session["role"] as? String == "manager")
        func plmns(_ key: String) -> [String]? {
            (session[key] as? [[String: Any]])?.compactMap { $0["plmn"] as? String }
        }
        #expect(plmns("operators") == ["62401", "31026"])
        #expect(plmns("networks") == ["62401", "62402", "62403", "62404", "31026"])
    }

    @Test func `notices are those of the tenant and anothers identifier is none`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let tokens = [
            try await exporter.tenant("one", ["62401"]), try await exporter.tenant("two", ["62402"]),
            try await exporter.tenant("art", [], regulator: true), exporter.token,
        ]
        var orders = try TestOrders.behindFirst()
        try exporter.erase([.of(7)], &orders)
        var ids: [String] = []
        for token in tokens { ids.append(try await exporter.notices(token)[0]["id"] as! String) }
        #expect(Set(ids).count == tokens.count)
        for (place, token) in tokens.enumerated() {
            for (other, id) in ids.enumerated() where other != place {
                let headers = TestExporter.bearer(token)
                #expect(
                    await exporter.request(.post, "/v1/erasure-notices/\(id)/ack", headers: headers).status == .notFound
                )
                let page = try await exporter.text("/v1/erasure-notices?cursor=\(id)", headers: headers)
                #expect(!page.contains(id))
            }
        }
        for (token, id) in zip(tokens, ids) {
            #expect(try await exporter.notices(token).allSatisfy { $0["acknowledged"] == nil })
            let headers = TestExporter.bearer(token)
            #expect(await exporter.request(.post, "/v1/erasure-notices/\(id)/ack", headers: headers).status == .ok)
        }
    }

    @Test func `devices and records have other names for each tenant`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        func names(_ token: String) async throws -> (devices: Set<String>, ids: Set<String>) {
            let rows = try await exporter.rows("?plmn=62401", headers: TestExporter.bearer(token))
            return (Set(rows.map { $0["device"] as! String }), Set(rows.map { $0["id"] as! String }))
        }
        let one = try await names(exporter.tenant("one", ["62401"]))
        let two = try await names(exporter.tenant("two", ["62401"]))
        let third = try await names(exporter.tenant("art", [], regulator: true, originalIDs: true))
        let builtIn = try await names(exporter.token)
        #expect(one.devices.count == 1 && one.ids.count == two.ids.count && one.ids.count >= 7)
        #expect(one.devices.isDisjoint(with: two.devices) && one.ids.isDisjoint(with: two.ids))
        #expect(third.devices != builtIn.devices && third.ids == builtIn.ids && third.ids.isDisjoint(with: one.ids))
        #expect(one.ids.allSatisfy { RecordIdentifier(text: $0).map { $0.high >> 12 & 15 == 8 } ?? false })
    }
}
