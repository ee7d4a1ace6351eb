import ArgumentParser
import Foundation
import Models
import ServiceKit
import SubjectRights

/// `nkul admin erasure verify`: checks receipts without asking anybody.
struct AdminErasureVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks the receipts of an erasure offline.",
        discussion: """
            FILE is what GET /v1/me/erasures/{id} or "nkul admin erasure show --json" answered. The keys are those of \
            /.well-known/nkul-keys.json, kept from a time when nobody had a reason to forge them. Exit code 1 if a receipt does not hold \
            or one is missing.
            """)

    @Argument(help: "File with the receipts, JSON.") var file: String
    @Option(name: .long, help: "File with the public keys: what /.well-known/nkul-keys.json answered.") var keys: String
    @Flag(name: .long, help: "Print JSON.") var json = false

    private struct Receipts: Decodable { let receipts: [ErasureReceiptDocument] }
    private struct Verdict: Encodable {
        let service: String
        let holds: Bool
    }
    private struct Outcome: Encodable {
        let sound: Bool
        let receipts: [Verdict]
        let missing: [String]
    }

    func run() throws {
        let receipts: Receipts = try DocumentFile.read(file), keys = try PublicKeys(file: self.keys).keys
        let verdicts = receipts.receipts.map { receipt in
            Verdict(service: receipt.service, holds: keys.contains { $0.verifies(receipt) })
        }
        let missing = Set(ServiceName.built.map(\.rawValue)).subtracting(verdicts.map(\.service)).sorted()
        let isOneErasure = Set(receipts.receipts.map { "\($0.request) \($0.subject)" }).count <= 1
        let outcome = Outcome(
            sound: missing.isEmpty && isOneErasure && verdicts.allSatisfy(\.holds), receipts: verdicts, missing: missing
        )
        print(json ? try SortedJSON.text(of: outcome) : text(outcome, isOneErasure))
        guard outcome.sound else { throw ExitCode(1) }
    }

    private func text(_ outcome: Outcome, _ isOneErasure: Bool) -> String {
        var lines = outcome.receipts.map { "\($0.service): \($0.holds ? "holds" : "does not hold")" }
        lines += outcome.missing.map { "\($0): no receipt" }
        if !isOneErasure { lines.append("the receipts are of more than one erasure") }
        return (lines + [outcome.sound ? "the erasure is proved" : "the erasure is not proved"]).joined(separator: "\n")
    }
}
