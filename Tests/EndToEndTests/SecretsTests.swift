import Foundation
import PipelineTesting
import TemporaryFiles
import Testing

/// Secrets stay where they belong: not in logs, not on command lines, not in URLs, not in files that others can read.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct SecretsTests {
    /// What nobody may find, and what it is.
    private struct Secret {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }
    }

    private struct Announcement: Decodable {
        let ready: Bool
        let pids: [String: Int32]
    }

    @Test
    func `no token, key, code or number is in a log, on a command line or in a file that others can read`() throws {
        let pack = try ServicePack(["NKUL_LOG_LEVEL": "trace"])
        // As careless as an environment can be.
        let before = umask(0)
        let services = pack.program("nkul", ["up", "--json"])
        try services.start()
        umask(before)
        let pids = try Self.announced(services)
        var secrets = try Self.use(pack)
        secrets += try Self.keys(pack)
        #expect(secrets.count >= 12 && secrets.allSatisfy { $0.bytes.count >= 8 })

        let lines = Self.commandLines()
        #expect(pids.allSatisfy { lines[$0] != nil } && pids.count == ServicePack.names.count)
        for secret in secrets {
            let showing = lines.first { $0.value.firstRange(of: secret.bytes) != nil }
            #expect(showing == nil, "\(secret.name) is on the command line of process \(showing!.key)")
        }
        try Self.expectClosed(pack.home.path("home"))
        services.askToStop()
        #expect(services.exitCode(within: 120) == 0)
        let log = Array(services.output.utf8)
        #expect(services.output.contains("service=ingest") && log.count > 2_000, "hardly anything was logged")
        for secret in secrets {
            #expect(log.firstRange(of: secret.bytes) == nil, "\(secret.name) is in the log")
        }
    }

    @Test
    func `a token in a URL is nobody's, and is not logged either`() throws {
        let pack = try ServicePack(["NKUL_LOG_LEVEL": "trace"])
        try pack.start(["nkul-ingest", "nkul-analytics-exporter"])
        let phone = try EnrolledPhone.enrolled(port: pack.ingestPort)
        let regulator = try RawRowsPage.regulatorToken(pack)
        for name in ["token", "access_token", "authorization", "key"] {
            for (path, port, token) in [
                ("/v1/me/consent", pack.ingestPort, phone.token), ("/v1/me/rewards", pack.ingestPort, phone.token),
                ("/v1/reports.ndjson", pack.exporterPort, regulator), ("/v1/session", pack.exporterPort, regulator),
            ] {
                let answer = try HTTPExchange.send("GET", "\(path)?\(name)=\(token)", port: port)
                #expect(answer.status == 401, "\(path)?\(name)")
                #expect(!answer.text.contains(token))
            }
        }
        for name in ["nkul-ingest", "nkul-analytics-exporter"] {
            let log = pack.processes[name]!.output
            #expect(!log.contains(phone.token) && !log.contains(regulator), "\(name)")
        }
    }

    private static func announced(_ services: ServiceProcess) throws -> [Int32] {
        var announcement: Announcement?
        _ = becomesTrue(within: 120) {
            announcement =
                services.output.split(separator: "\n").lazy
                .compactMap { try? JSONDecoder().decode(Announcement.self, from: Data($0.utf8)) }.first
            return announcement != nil
        }
        guard let announcement, announcement.ready else { throw NotReady(name: "nkul up", output: services.output) }
        return Array(announcement.pids.values)
    }

    /// Does with secrets what one does with them, right and wrong.
    private static func use(_ pack: ServicePack) throws -> [Secret] {
        let phone = try EnrolledPhone.enrolled(port: pack.ingestPort)
        let code = try pack.answer("nkul", ["admin", "device", "codes", "add", "--expires-in", "2"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let tenant = try TenantAccess.added("mtn", ["62401"], in: pack)
        let number = "+237670123987"
        let json = ["Content-Type": "application/json"]
        let bearer = json.merging(["Authorization": "Bearer \(phone.token)"]) { $1 }
        func send(_ method: String, _ path: String, _ headers: [String: String], _ body: String) throws -> Int {
            try HTTPExchange.send(method, path, port: pack.ingestPort, headers: headers, body: Array(body.utf8)).status
        }
        let enrolment = """
            {"platform":"android","app_version":"1.0","policy_version":"1","activation_code":"\(code)",\
            "consent":{"measurement":true}}
            """
        #expect(try send("POST", "/v1/devices", json, enrolment) == 201)
        #expect(try send("POST", "/v1/devices", json, enrolment) / 100 == 4)
        let payout = #"{"phone":"\#(number)","operator":"62401"}"#
        #expect(try becomesTrue(within: 120) { try send("PUT", "/v1/me/payout", bearer, payout) / 100 == 2 })
        _ = try send("PUT", "/v1/me/payout", bearer, payout.replacingOccurrences(of: "62401", with: "x"))
        #expect(try send("POST", "/v1/reports", bearer, "the token \(phone.token)") == 422)
        #expect(try send("POST", "/v1/reports", ["Authorization": "Basic \(phone.token)"], "{}") == 401)
        #expect(try send("GET", "/v1/me/\(phone.token)", bearer, "") == 404)
        for token in [tenant.token, phone.token] {
            _ = try HTTPExchange.send(
                "GET", "/v1/reports.ndjson", port: pack.exporterPort, headers: ["Authorization": "Bearer \(token)"])
        }
        return [
            Secret("a phone's token", phone.token), Secret("an activation code", code),
            Secret("a tenant's token", tenant.token), Secret("a payout number", number),
            Secret("a payout number", String(number.dropFirst())),
        ]
    }

    /// What is in the files of `keys/`, but for public keys: as it stands there, and as hexadecimal and base64 text.
    private static func keys(_ pack: ServicePack) throws -> [Secret] {
        let directory = pack.home.path("home/keys")
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory).filter { !$0.hasSuffix(".public") }
        return files.flatMap { file -> [Secret] in
            guard let data = FileManager.default.contents(atPath: directory + "/" + file) else { return [] }
            if let text = String(data: data, encoding: .utf8) {
                let words = text.split(whereSeparator: { $0.isWhitespace || $0 == "\"" }).filter { $0.count >= 32 }
                return words.map { Secret("keys/\(file)", String($0)) }
            }
            let hexadecimal = data.map { String(format: "%02x", $0) }.joined()
            return [Secret("keys/\(file)", hexadecimal), Secret("keys/\(file)", data.base64EncodedString())]
        }
    }

    /// Command lines of all processes that can be seen.
    private static func commandLines() -> [Int32: [UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.reduce(into: [:]) { lines, pid in
            lines[pid] = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline").map(Array.init)
        }
    }

    /// Nothing below a home gives group or others a right.
    private static func expectClosed(_ home: String) throws {
        var open: [String] = []
        let paths = try FileManager.default.subpathsOfDirectory(atPath: home)
        #expect(paths.count > 20)
        for path in [""] + paths {
            // A file that SQLite has removed meanwhile.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: home + "/" + path),
                let mode = attributes[.posixPermissions] as? Int
            else { continue }
            if mode & 0o077 != 0 { open.append("\(path) \(String(mode, radix: 8))") }
        }
        #expect(open.isEmpty, "\(open.count) of \(paths.count): \(open.prefix(8))")
    }
}
