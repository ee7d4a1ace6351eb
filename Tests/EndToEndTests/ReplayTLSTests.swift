import Foundation
import PipelineTesting
import TemporaryFiles
import Testing

/// `nkul replay` against an ingest that speaks TLS, with certificates that `openssl` makes.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled), .timeLimit(.minutes(5)))
struct ReplayTLSTests {
    private let files: TemporaryDirectory
    private let pack: ServicePack
    private let recording: String
    /// The certificate that ingest shows, and one that has nothing to do with it.
    private let own: String
    private let other: String

    private struct Summary: Decodable {
        let rows: Int
        let accepted: Int
        let retries: Int
    }

    /// Starts ingest with a certificate for localhost that signed itself.
    init() throws {
        files = try TemporaryDirectory()
        own = files.path("own.pem")
        other = files.path("other.pem")
        recording = files.path("day.csv.gz")
        for certificate in [own, other] { try Self.make(certificate) }
        pack = try ServicePack(["NKUL_TLS_CERT": own, "NKUL_TLS_KEY": own + ".key"])
        _ = try pack.answer("nkul", ["simulate", "--devices", "6", "--hours", "24", "--seed", "1", "-o", recording])
        try pack.start(["nkul-ingest"])
    }

    private static func make(_ certificate: String) throws {
        let isMade = try SystemProgram.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "30", "-keyout",
                certificate + ".key", "-out", certificate,
            ])
        try #require(isMade)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: certificate + ".key")
    }

    /// Plays the recording; the exit code and what was said.
    private func replay(_ arguments: [String]) throws -> (code: Int32?, text: String) {
        let process = pack.program("nkul", ["replay", recording, "--max", "--json"] + arguments)
        try process.start()
        return (process.exitCode(within: 60), process.output)
    }

    @Test
    func `a recording is played over TLS to who is trusted`() throws {
        // A bundle of authorities is long, and has words between its certificates.
        let bundle = files.path("bundle.pem"), words = String(repeating: "Issuer: somebody else\n", count: 5_000)
        let certificates = try [other, own].map { try String(contentsOfFile: $0, encoding: .utf8) }
        try certificates.joined(separator: words).write(toFile: bundle, atomically: true, encoding: .utf8)
        let (code, text) = try replay(["--url", "https://localhost:\(pack.ingestPort)", "--ca", bundle])
        let line = text.split(separator: "\n").last { $0.hasPrefix("{") }
        let summary = try JSONDecoder().decode(Summary.self, from: Data(try #require(line, "\(text)").utf8))
        #expect(code == 0 && summary.rows > 500 && summary.accepted == summary.rows && summary.retries == 0)
    }

    @Test
    func `a certificate that is not trusted ends it at once, and the error names the host and what to do`() throws {
        let url = "https://localhost:\(pack.ingestPort)"
        for trust in [[], ["--ca", other]] {
            let (code, text) = try replay(["--url", url] + trust)
            #expect(code == 1 && text.contains("localhost:\(pack.ingestPort) is not trusted"), "\(text)")
            #expect(text.contains("--ca FILE"), "\(text)")
        }
    }

    @Test
    func `a certificate for another name ends it at once; without --url the home's own ingest is spoken to by TLS`()
        throws
    {
        let (code, text) = try replay(["--ca", own])
        #expect(code == 1 && text.contains("the certificate of 127.0.0.1:\(pack.ingestPort) is not for"), "\(text)")
        #expect(text.contains("--url https://NAME:\(pack.ingestPort)"), "\(text)")
    }

    @Test
    func `who does not speak TLS is said to`() throws {
        let port = try #require(pack.adminPorts["nkul-ingest"])
        let (code, text) = try replay(["--url", "https://localhost:\(port)", "--ca", own])
        #expect(code == 1 && text.contains("localhost:\(port) does not speak TLS"), "\(text)")
    }

    @Test
    func `authorities that cannot be read are wrong usage`() throws {
        for file in [files.path("absent.pem"), recording] {
            let (code, text) = try replay(["--url", "https://localhost:\(pack.ingestPort)", "--ca", file])
            #expect(code == 2 && text.contains(file), "\(text)")
        }
    }
}
