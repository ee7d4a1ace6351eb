import ArgumentParser
import Crypto
import Foundation
import Models
import ServiceKit
import SubjectRights
import Testing

@testable import Command

@Suite(.timeLimit(.minutes(1)))
struct AdminExportsTests {
    private struct Listed: Encodable {
        struct File: Encodable {
            let name: String
            let sha256: String?
        }
        let tenant = "mtn"
        let at_ms = 1_772_366_400_000
        let files: [File]
    }

    private let folder = ScratchFolder()
    private let key = Curve25519.Signing.PrivateKey()

    private func document(_ use: VerificationKeyDocument.Use = .exports) -> VerificationKeyDocument {
        VerificationKeyDocument(
            publicKey: Array(key.publicKey.rawRepresentation), service: "analytics-exporter", use: use, since: 0)
    }

    /// A list of two files, and one that is being rewritten; both lie in the folder.
    private func list() throws -> String {
        let files = ["a.csv.gz", "b.csv.gz"].map { name in
            let content = "content of \(name)"
            _ = folder.write(name, content)
            return Listed.File(name: name, sha256: Hexadecimal.text(SHA256.hash(data: Data(content.utf8))))
        }
        let payload = try SortedJSON.bytes(of: Listed(files: files + [.init(name: "c.csv.gz", sha256: nil)]))
        return try CompactJWS(payload, keyID: document().keyID) { try key.signature(for: Data($0)) }.text + "\n"
    }

    private func verify(_ list: String, _ keys: [VerificationKeyDocument]? = nil, looksIn: Bool = true) throws -> Int32
    {
        struct Keys: Encodable { let keys: [VerificationKeyDocument] }
        let file = folder.write("list.jws", list)
        let keyFile = folder.write("keys.json", try SortedJSON.text(of: Keys(keys: keys ?? [document()])))
        do {
            var command = try NkulCommand.parseAsRoot(
                ["admin", "exports", "verify", file, "--keys", keyFile] + (looksIn ? ["--in", folder.path] : []))
            try command.run()
            return 0
        } catch { return NkulCommand.report(error) }
    }

    @Test func `a list that was signed holds, and so do the files that it lists`() throws {
        #expect(try verify(list()) == 0)
        #expect(try verify(list(), looksIn: false) == 0)
    }

    @Test func `a file that is other or missing is found`() throws {
        let list = try list()
        _ = folder.write("b.csv.gz", "content of B.csv.gz")
        #expect(try verify(list) == 1)
        try FileManager.default.removeItem(atPath: folder.path + "/b.csv.gz")
        #expect(try verify(list) == 1)
        #expect(try verify(list, looksIn: false) == 0)
    }

    @Test func `a list that was changed, or signed by another key or for another use, does not hold`() throws {
        let list = try list(), parts = list.split(separator: ".").map(String.init)
        var payload = Array(parts[1])
        payload[40] = payload[40] == "A" ? "B" : "A"
        #expect(try verify([parts[0], String(payload), parts[2]].joined(separator: ".")) == 1)
        #expect(try verify(list, [document(.erasureReceipts)]) == 1)
        #expect(try verify(list, []) == 1)
        var other = document()
        other.publicKey = Hexadecimal.text(Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)
        #expect(try verify(list, [other]) == 1)
    }

    @Test(arguments: ["", "{}", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJub25lIn0=.e30=.AA=="])
    func `what is no signed list is refused`(text: String) throws { #expect(try verify(text) == 1) }
}
