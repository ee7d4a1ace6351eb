import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit

/// `nkul admin exports`: files of raw rows that operators fetch.
struct AdminExports: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exports", abstract: "Exports: files of raw rows and statistics that operators fetch.",
        subcommands: [Verify.self]
    )

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Checks a signed list of exports, and files that were fetched, offline.",
            discussion: """
                LIST is what GET /v1/exports.jws answered. The keys are those of /.well-known/nkul-keys.json of the device API, kept \
                from a time when nobody had a reason to forge them. With --in every file of the list must lie in that directory \
                with the bytes that the list says; one that is being rewritten is passed over. Exit code 1 if anything does not hold.
                """)

        @Argument(help: "File with the signed list.") var list: String
        @Option(name: .long, help: "File with the public keys: what /.well-known/nkul-keys.json answered.")
        var keys: String
        @Option(name: .customLong("in"), help: "Directory of the files that were fetched.") var directory: String?
        @Flag(name: .long, help: "Print JSON.") var json = false

        func run() throws {
            let text = String(decoding: try DocumentFile.bytes(of: list), as: UTF8.self)
            guard let signed = CompactJWS(text) else {
                throw ServiceError(.failed, "\(list) is no JWS: expected what GET /v1/exports.jws answered")
            }
            let isSigned = ListedExports.isSigned(signed, by: try PublicKeys(file: keys))
            guard let listed = ListedExports(signed) else {
                throw ServiceError(.failed, "\(list) is no list of exports")
            }
            // Of a list that nobody signed no file is worth a look.
            let verdicts = isSigned ? try directory.map { try check(listed.files, in: $0) } ?? [] : []
            let outcome = Outcome(
                sound: isSigned && verdicts.allSatisfy(\.isSound), signed: isSigned, tenant: listed.tenant,
                at_ms: listed.at_ms, listed: listed.files.count, files: verdicts)
            print(json ? try SortedJSON.text(of: outcome) : outcome.text)
            guard outcome.sound else { throw ExitCode(1) }
        }

        private func check(_ files: [ListedExports.File], in directory: String) throws -> [Verdict] {
            try files.map { file in
                guard let sha256 = file.sha256 else { return Verdict(name: file.name, state: .rewriting) }
                // A name is taken from a list of others: it leads nowhere else.
                guard !file.name.contains("/"), let found = try ExportDownload.digest(of: directory + "/" + file.name)
                else {
                    return Verdict(name: file.name, state: .missing)
                }
                return Verdict(name: file.name, state: found == sha256 ? .same : .different)
            }
        }
    }
}

extension AdminExports.Verify {
    private struct Verdict: Encodable {
        enum State: String, Encodable { case same, different, missing, rewriting }
        let name: String
        let state: State

        var isSound: Bool { state == .same || state == .rewriting }
    }

    private struct Outcome: Encodable {
        let sound: Bool
        let signed: Bool
        let tenant: String
        let at_ms: Int64
        let listed: Int
        let files: [Verdict]

        var text: String {
            guard signed else { return "the list does not hold: none of the keys has signed it" }
            let told = files.filter { $0.state != .same }.map { "\($0.name): \($0.state.rawValue)" }
            let same = files.count { $0.state == .same }
            let summary = files.isEmpty ? "\(listed) files are listed" : "\(same) of \(listed) files are as listed"
            return (["list of \(tenant) of \(AdminTable.time(at_ms)): holds"] + told + [summary]).joined(
                separator: "\n")
        }
    }
}
