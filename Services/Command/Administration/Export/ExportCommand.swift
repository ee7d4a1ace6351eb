package import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit
import UnixSignals

/// `nkul export`: fetches files of raw rows and statistics, and checks them.
package struct ExportCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Fetches files of raw rows and statistics, and checks them.",
        discussion: """
            The signed list of GET /v1/exports.jws is asked for, page by page; its signature is checked with the keys of \
            /.well-known/nkul-keys.json before a file is asked for. A file appears in DIRECTORY under its name when all its bytes \
            are on disk and have the SHA-256 of the list. What is there already with these bytes is not fetched again; what is there \
            with other bytes (the file has a new version) stays, unless --force is given. After Ctrl-C, or where a connection broke \
            off, the same command goes on where it stopped. The pages of the list are kept as list.jws, list-2.jws …, for \
            "nkul admin exports verify".

            Within a home nothing but DIRECTORY is needed: the regulator's files are fetched from its own exporter. Elsewhere: \
            nkul export DIRECTORY --url https://operators.example --token contact --keys keys.json

            Exit code 1 if a file is missing, or is not as listed; one that is being rewritten is passed over and told.
            """)

    @Argument(help: "Where the files are written; made if need be.") var directory: String

    @Option(help: "The operators' API, http:// or https:// (default: the exporter of this home).") var url: String?

    @Option(
        help:
            "File with the token of a contact, or with its header Authorization (default: the regulator's of this home)."
    )
    var token: String?

    @Option(
        help:
            "The public keys: a file with what /.well-known/nkul-keys.json answered, or its address (default: ingest of this home)."
    )
    var keys: String?

    @Option(help: "Over https, PEM file of those whose certificates are trusted (default: the system's).") var ca:
        String?

    @Option(help: "Only reports, or only statistics.") var content: String?

    @Option(help: "Only files of an hour, or only of a day.") var period: String?

    @Option(help: "Only files that begin then or later: RFC 3339 or Unix milliseconds.") var from: String?

    @Option(help: "Only files that begin before.") var to: String?

    @Flag(help: "Replace files that are there with other bytes.") var force = false

    @Flag(help: "Print JSON.") var json = false

    @OptionGroup var options: CommandSettings

    package init() {}

    package func validate() throws {
        for (name, value, words) in [
            ("content", content, ["reports", "statistics"]), ("period", period, ["hour", "day"]),
        ] where value != nil && !words.contains(value ?? "") {
            throw ValidationError("--\(name) \(value ?? ""): expected \(words.joined(separator: " or "))")
        }
    }

    package func run() async throws {
        let client = try ExportClient(
            base: try await address(
                "NKUL_EXPORTER_HTTP", .analyticsExporter, "mno_api", default: "127.0.0.1:8090", url),
            token: try await secret(), authorities: ca)
        let progress = ExportProgress()
        let fetch: ExportFetch
        do {
            fetch = try ExportFetch(
                client: client, keys: try await publicKeys(), directory: directory, replaces: force, query: query,
                progress: progress)
        } catch {
            await client.shutdown()
            throw error
        }
        let bar = Task { await progress.run() }
        let outcome = await Self.interruptible { try await fetch.run() }
        bar.cancel()
        await bar.value
        await client.shutdown()
        let summary = await fetch.summary(wasInterrupted: outcome.wasInterrupted)
        print(json ? try SortedJSON.text(of: summary) : summary.text)
        if !outcome.wasInterrupted { try outcome.result.get() }
        guard summary.sound else { throw ExitCode(1) }
    }

    private var query: [(name: String, value: String)] {
        [("content", content), ("period", period), ("from", from), ("to", to)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    /// Runs `body`; Ctrl-C and SIGTERM cancel it.
    private static func interruptible(
        _ body: sending @escaping () async throws -> Void
    ) async -> (result: Result<Void, any Error>, wasInterrupted: Bool) {
        let work = Task { try await body() }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let listener = Task {
            for await _ in signals {
                work.cancel()
                return
            }
        }
        let result = await work.result
        listener.cancel()
        return (result, work.isCancelled)
    }

    /// What is given, or where a service of this home runs, or is set to.
    private func address(
        _ key: String, _ service: ServiceName, _ listener: String, default usual: String, _ given: String?
    ) async throws -> String {
        if let given { return given }
        let common = try await options.common(), scheme = common.tls == nil ? "http" : "https"
        if let bound = ServiceRecord.ofRunning(service, in: common.home)?.listeners[listener] {
            return "\(scheme)://\(bound)"
        }
        let address = try await common.httpAddress(options.load(), key, default: usual, "where files are fetched from")
        return "\(scheme)://\(address)"
    }

    private func secret() async throws -> String {
        let path: String
        if let token { path = token } else { path = try await options.common().home.keys + "/regulator.token" }
        let text = String(decoding: try DocumentFile.bytes(of: path), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let last = words.last,
            words.count == 1 || words.dropLast().map({ $0.lowercased() }) == ["authorization:", "bearer"],
            last.utf8.allSatisfy({ (33...126).contains($0) })
        else {
            throw ServiceError(
                .failed, "\(path) holds no token: expected one word, or the header \"Authorization: Bearer …\"")
        }
        return String(last)
    }

    private func publicKeys() async throws -> PublicKeys {
        let place: String
        if let keys {
            guard keys.hasPrefix("http://") || keys.hasPrefix("https://") else { return try PublicKeys(file: keys) }
            place = keys
        } else {
            place =
                try await address("NKUL_INGEST_HTTP", .ingest, "device_api", default: "127.0.0.1:8080", nil)
                + "/.well-known/nkul-keys.json"
        }
        let bytes = try await ExportClient.keys(at: place)
        do { return try JSONDecoder().decode(PublicKeys.self, from: bytes) } catch {
            throw ServiceError(.failed, "\(place) answered no keys: \(error)")
        }
    }
}
