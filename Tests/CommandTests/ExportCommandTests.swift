import ArgumentParser
import Crypto
import Foundation
import Models
import ServiceKit
import Synchronization
import Testing

@testable import Administration
@testable import Command

/// `nkul export`.
@Suite(.timeLimit(.minutes(2)))
struct ExportCommandTests {
    private let folder = ScratchFolder()
    private static let name = "reports-2026-03-01T14.csv.gz"

    private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var dice = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    }

    private var directory: String { folder.path + "/files" }

    private func there(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(directory)/\(name)").map { [UInt8]($0) }
    }

    /// What is in the directory but the pages of the list.
    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter { !$0.hasPrefix("list") }
            .sorted()
    }

    /// Fetches, as the command does.
    private func fetch(
        _ server: ExportServer, replaces: Bool = false, keys: String? = nil
    ) async throws -> (summary: ExportSummary, error: ServiceError?) {
        let keyFile = folder.write("keys.json", try keys ?? server.keys)
        let client = try ExportClient(base: server.url, token: "secret", authorities: nil)
        let fetch = try ExportFetch(
            client: client, keys: PublicKeys(file: keyFile), directory: directory, replaces: replaces, query: [],
            progress: ExportProgress())
        var error: ServiceError?
        do { try await fetch.run() } catch let failure as ServiceError { error = failure }
        await client.shutdown()
        return (await fetch.summary(wasInterrupted: false), error)
    }

    /// Runs the command itself; its exit code.
    private func run(_ server: ExportServer, _ more: [String] = []) async throws -> Int32 {
        let keys = folder.write("keys.json", try server.keys),
            token = folder.write("contact", "Authorization: Bearer secret\n")
        do {
            let command = try #require(
                NkulCommand.parseAsRoot(
                    ["export", directory, "--url", server.url, "--token", token, "--keys", keys] + more)
                    as? ExportCommand)
            try await command.run()
            return 0
        } catch { return NkulCommand.report(error) }
    }

    @Test func `what is listed is fetched once, and again only where it changed and is to be replaced`() async throws {
        let server = try await ExportServer()
        for number in 0..<5 {
            server.add("statistics-2026-03-0\(number + 1).csv.gz", Self.bytes(70_000 + number, seed: UInt64(number)))
        }
        #expect(try await run(server) == 0)
        #expect(names.count == 5)
        for (name, bytes) in server.state.withLock({ $0.files }) { #expect(there(name) == bytes, "\(name)") }
        let asked = server.state.withLock { $0.requests.count }
        let again = try await fetch(server).summary
        #expect(again.sound && again.same == 5 && again.fetched == 0 && again.files.isEmpty)
        // Only the list was asked for.
        #expect(server.state.withLock { $0.requests.count } == asked + 1)
        let old = there("statistics-2026-03-02.csv.gz")
        server.add("statistics-2026-03-02.csv.gz", Self.bytes(80_000, seed: 99))
        let changed = try await fetch(server).summary
        #expect(
            !changed.sound && changed.files.map(\.state) == [.different] && there("statistics-2026-03-02.csv.gz") == old
        )
        #expect(try await run(server) == 1)
        let forced = try await fetch(server, replaces: true).summary
        #expect(forced.sound && forced.replaced == 1 && forced.same == 4)
        #expect(there("statistics-2026-03-02.csv.gz") == Self.bytes(80_000, seed: 99))
        try await server.stop()
    }

    @Test func `a download that broke off goes on where it stopped`() async throws {
        let server = try await ExportServer(), content = Self.bytes(3_000_000, seed: 5)
        server.add(Self.name, content)
        server.state.withLock { $0.cuts[Self.name] = 1_000_000 }
        let broken = try await fetch(server)
        #expect(broken.error != nil && !broken.summary.sound)
        #expect(there(Self.name) == nil && names.count == 1 && names[0].hasPrefix("."))
        let kept = try #require(there(names[0])).count
        #expect(kept > 0 && kept <= 1_000_000)
        let whole = try await fetch(server)
        #expect(
            whole.summary.sound && whole.summary.fetched == 1 && there(Self.name) == content && names == [Self.name])
        #expect(server.state.withLock { $0.requests.last } == "/v1/exports/\(Self.name) bytes=\(kept)-")
        try await server.stop()
    }

    @Test func `a file that changed while it was fetched is fetched whole`() async throws {
        let server = try await ExportServer(), content = Self.bytes(2_000_000, seed: 6)
        server.add(Self.name, Self.bytes(2_000_000, seed: 7))
        server.state.withLock { $0.cuts[Self.name] = 500_000 }
        #expect(try await fetch(server).error != nil)
        server.add(Self.name, content)
        #expect(try await fetch(server).summary.sound)
        #expect(there(Self.name) == content && names == [Self.name])
        try await server.stop()
    }

    @Test func `what begins right and is not is thrown away`() async throws {
        let server = try await ExportServer(), content = Self.bytes(300_000, seed: 8)
        server.add(Self.name, content)
        // What a broken disk left of the part.
        var part = Array(content.prefix(100_000))
        part[500] ^= 1
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let draft = "\(directory)/.\(Self.name).\(Hexadecimal.text(SHA256.hash(data: content)).prefix(16)).part"
        #expect(FileManager.default.createFile(atPath: draft, contents: Data(part)))
        let healed = try await fetch(server).summary
        #expect(healed.sound && there(Self.name) == content && names == [Self.name])
        try await server.stop()
    }

    @Test func `bytes that are not those of the list never get the name`() async throws {
        let server = try await ExportServer()
        server.add(Self.name, Self.bytes(50_000, seed: 9))
        for lie in [Self.bytes(50_000, seed: 10), Self.bytes(60_000, seed: 11), Self.bytes(100, seed: 12)] {
            server.state.withLock { $0.files[Self.name] = lie }
            let damaged = try await fetch(server).summary
            #expect(!damaged.sound && damaged.files.map(\.state) == [.damaged] && names.isEmpty)
        }
        try await server.stop()
    }

    @Test func `a list that nobody signed is not followed`() async throws {
        let server = try await ExportServer(), other = try await ExportServer()
        server.add(Self.name, Self.bytes(50, seed: 1))
        let refused = try await fetch(server, keys: other.keys)
        #expect(refused.error?.description.contains("none of the keys") == true && names.isEmpty)
        #expect(server.state.withLock { $0.requests } == ["/v1/exports.jws"])
        for server in [server, other] { try await server.stop() }
    }

    @Test(arguments: ["../evil.csv.gz", ".hidden.csv.gz", "a/b.csv.gz", "passwd", "a b.csv.gz"])
    func `a name that leads elsewhere is refused`(name: String) async throws {
        let server = try await ExportServer()
        server.add(name, [1, 2, 3])
        #expect(try await fetch(server).error?.description.contains("none that can be written") == true)
        #expect(server.state.withLock { $0.requests.count } == 1)
        try await server.stop()
    }

    @Test func `pages follow each other, and what is made anew or went is told`() async throws {
        let server = try await ExportServer()
        for number in 1...9 { server.add("reports-2026-03-0\(number).csv.gz", Self.bytes(1_000, seed: UInt64(number))) }
        server.state.withLock { state in
            state.pageSize = 4
            state.listed[2] = ExportServer.Listed(name: state.listed[2].name)
            state.rewriting = [state.listed[4].name]
        }
        let fetched = try await fetch(server).summary
        #expect(fetched.sound && fetched.fetched == 7 && fetched.listed == 9)
        #expect(
            fetched.files.filter { $0.state == .rewriting }.map(\.name) == [
                "reports-2026-03-03.csv.gz", "reports-2026-03-05.csv.gz",
            ])
        #expect(there("list.jws") != nil && there("list-2.jws") != nil && there("list-3.jws") != nil)
        server.state.withLock { _ = $0.files.removeValue(forKey: "reports-2026-03-09.csv.gz") }
        try FileManager.default.removeItem(atPath: directory + "/reports-2026-03-09.csv.gz")
        let gone = try await fetch(server).summary
        #expect(!gone.sound && gone.files.contains { $0.state == .gone })
        try await server.stop()
    }

    @Test func `what is refused is told by code, and wrong usage is 2`() async throws {
        let server = try await ExportServer()
        server.state.withLock { $0.token = "another" }
        #expect(try await fetch(server).error?.description.contains("401, unauthorized") == true)
        for wrong in [["--content", "alarms"], ["--period", "week"], ["--url", "ftp://x"], ["--ca", "x"]] {
            #expect(try await run(server, wrong) == 2, "\(wrong)")
        }
        _ = folder.write("contact", "two words\n")
        try await server.stop()
    }
}
