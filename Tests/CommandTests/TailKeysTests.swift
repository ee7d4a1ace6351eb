import Foundation
import ServiceKit
import Testing
import ZeroMQ

@testable import Administration

@Suite
struct TailKeysTests {
    private let folder = ScratchFolder()

    private func file(_ more: String) -> String {
        folder.write(
            "keys.json",
            "{\"server_public_key\":\"s\",\"alerts_pub\":\"tcp://127.0.0.1:5558\",\"alerts_replay\":\"tcp://127.0.0.1:5559\"\(more)}"
        )
    }

    @Test
    func `what tenant add printed is enough`() throws {
        let keys = try TailKeys.read(
            file(",\"tenant\":\"mtn\",\"token\":\"t\",\"client_public_key\":\"p\",\"client_secret_key\":\"c\""))
        #expect((keys.client_secret_key, keys.alerts_pub) == ("c", "tcp://127.0.0.1:5558"))
    }

    @Test
    func `the router's file of an added tenant has no subscriber's key, which the error says`() {
        let error = #expect(throws: ServiceError.self) { try TailKeys.read(file(",\"tenant\":\"mtn\",\"curve\":true")) }
        #expect(error?.message.contains("--keys FILE") == true)
    }

    @Test
    func `an endpoint in clear text needs no key`() throws {
        #expect(try TailKeys.read(file(",\"curve\":false")).client_secret_key == nil)
    }

    @Test
    func `what tenant add printed of an endpoint in clear text is enough, and with CURVE its key must be there`() throws
    {
        let addresses = "\"alerts_pub\":\"tcp://127.0.0.1:5558\",\"alerts_replay\":\"tcp://127.0.0.1:5559\""
        let clear = folder.write("clear.json", "{\(addresses),\"tenant\":\"mtn\",\"curve\":false}")
        #expect(throws: Never.self) { try TailKeys.read(clear) }
        let curve = folder.write("curve.json", "{\(addresses),\"client_secret_key\":\"c\",\"curve\":true}")
        let error = #expect(throws: ServiceError.self) { try TailKeys.read(curve) }
        #expect(error?.message.contains("server_public_key") == true)
    }

    @Test
    func `keys of another tenant than the one that was asked for are refused`() {
        let path = file(",\"tenant\":\"mtn\",\"client_secret_key\":\"c\"")
        #expect(throws: ServiceError.self) { try TailKeys.read(path, tenant: "orange") }
        #expect(throws: Never.self) { try TailKeys.read(path, tenant: "mtn") }
    }

    @Test
    func `a home that has not the subscriber's key of a tenant says so, and has the regulator's`() throws {
        let home = Home(path: folder.path + "/home")
        try FileManager.default.createDirectory(atPath: home.keys, withIntermediateDirectories: true)
        let addresses =
            "\"curve\":true,\"server_public_key\":\"s\",\"alerts_pub\":\"tcp://127.0.0.1:1\",\"alerts_replay\":\"tcp://127.0.0.1:2\""
        folder.write("home/keys/mtn.alerts.json", "{\"tenant\":\"mtn\",\(addresses)}")
        folder.write(
            "home/keys/regulator.alerts.json", "{\"tenant\":\"regulator\",\"client_secret_key\":\"c\",\(addresses)}")
        #expect(try TailKeys.load(tenant: "mtn", from: home) == nil)
        #expect(try TailKeys.load(tenant: "regulator", from: home)?.client_secret_key == "c")
        #expect(throws: ServiceError.self) { try TailKeys.load(tenant: "orange", from: home) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `once ends when nobody listens, and says where`() async throws {
        let addresses = "\"alerts_pub\":\"tcp://127.0.0.1:1\",\"alerts_replay\":\"tcp://127.0.0.1:1\""
        let keys = try TailKeys.read(folder.write("clear.json", "{\(addresses),\"curve\":false}"))
        let thread = SocketThread(name: "tail", context: try Context()), end = TailEnd()
        thread.start()
        defer { thread.stop() }
        try thread.call { loop in
            let lines = TailLine(style: .json, prefixes: ["alerts/"])
            try TailSession(
                keys, prefixes: ["alerts/"], since: nil, once: true, lines: lines, output: TailOutput(), end: end,
                loop: loop, patience: 400
            ).open(prefixes: ["alerts/"])
        }
        let error = await #expect(throws: ServiceError.self) { try await end.wait() }
        #expect(error?.message.contains("tcp://127.0.0.1:1 did not answer") == true)
    }

    @Test
    func `what is followed of a tenant at the regulator's endpoint are its own topics only`() {
        let mtn = TailTenant(["tenant": "mtn", "plmns": ["62401", "62404"], "scopes": ["site:12"], "regulator": false])
        #expect(mtn.own(["alerts/"]) == ["alerts/62401/", "alerts/62404/", "alerts/site/12/"])
        #expect(mtn.own(["alerts/62401/critical/12"]) == ["alerts/62401/critical/12"])
        #expect(mtn.own(["alerts/62402/", "alerts/624"]) == ["alerts/62401/", "alerts/62404/"])
        #expect(mtn.own(["alerts/62402/"]).isEmpty)
        let art = TailTenant(["tenant": "art", "plmns": [], "regulator": true])
        #expect(art.own(["alerts/62402/"]) == ["alerts/62402/"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a tenant is looked for among those that the exporter keeps`() async throws {
        let bench = try AdminBench()
        let tenants: JSONValue = [
            ["tenant": "regulator", "plmns": [], "regulator": true],
            ["tenant": "mtn", "plmns": ["62401"], "regulator": false],
            ["tenant": "old", "plmns": ["62402"], "regulator": false, "removed_at_ms": 5],
        ]
        try await bench.serving([.analyticsExporter: ["tenant.list": { _ in tenants }]]) { [bench] in
            try await check(TailTenant.find("mtn", bench.control).owners, is: ["62401"])
            do {
                _ = try await TailTenant.find("old", bench.control)
                Issue.record("a removed tenant is followed")
            } catch {
                check("\(error)", is: "there is no tenant old; there are regulator, mtn")
            }
        }
    }
}
