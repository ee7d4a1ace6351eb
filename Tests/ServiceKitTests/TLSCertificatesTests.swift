import Foundation
import NIOSSL
import TemporaryFiles
import Testing

@testable import ServiceKit

/// Certificates that `openssl` makes, taken, refused and replaced.
struct TLSCertificatesTests {
    private let directory = try! TemporaryDirectory()
    private let host: ServiceHost

    init() throws {
        let home = Home(path: directory.path)
        try home.prepare()
        host = ServiceHost(.ingest, home: home, logger: Log.logger("test", level: "critical"))
    }

    private var files: TLSFiles {
        TLSFiles(certificate: directory.path + "/cert.pem", key: directory.path + "/key.pem")
    }

    /// Makes a certificate and its key in the place of those that are there.
    private func make(_ name: String = "", serial: Int, days: Int = 30) throws {
        let draft = directory.path + "/draft"
        try openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=localhost",
            "-set_serial", "\(serial)", "-days", "\(days)", "-keyout", draft + ".key", "-out", draft + ".cert",
        ])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft + ".key")
        #expect(rename(draft + ".key", directory.path + "/\(name)key.pem") == 0)
        #expect(rename(draft + ".cert", directory.path + "/\(name)cert.pem") == 0)
    }

    private func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private func figure(_ name: String) -> String? {
        MetricsText.text(of: host.metrics).split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    private func refusal() throws -> String {
        let error = #expect(throws: ServiceError.self) { try TLSIdentity(files) }
        #expect(error?.exitCode == 2)
        return error?.message ?? ""
    }

    @Test func `a certificate with its key is taken, and its end shown`() throws {
        try make(serial: 0x1234)
        let certificates = try TLSCertificates(files, host: host)
        #expect(certificates.identity.serial == "1234")
        let end = Double(try #require(figure("nkul_tls_certificate_expiry_timestamp_seconds"))) ?? 0
        #expect(abs(end - Date.now.timeIntervalSince1970 - 30 * 86_400) < 3_600)
        #expect(host.readiness.isReady)
    }

    @Test func `what cannot be used is refused with setting and file`() throws {
        #expect(try refusal().contains("NKUL_TLS_CERT: cannot read \(files.certificate)"))
        try make(serial: 1)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: files.key)
        #expect(try refusal() == "NKUL_TLS_KEY: everybody on this machine may read \(files.key); chmod o= \(files.key)")
        try make("other-", serial: 2)
        let other = TLSFiles(certificate: files.certificate, key: directory.path + "/other-key.pem")
        #expect {
            try TLSIdentity(other)
        } throws: { "\($0)".contains("\(other.key) is not the key of the certificate in \(files.certificate)") }
        _ = directory.file("cert.pem", "nothing")
        #expect(try refusal().contains("\(files.certificate) has no certificate"))
        try make(serial: 3)
        _ = directory.file("key.pem", "nothing")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: files.key)
        #expect(try refusal().contains("\(files.key) has no private key"))
        #expect(unlink(files.key) == 0)
        #expect(try refusal().contains("NKUL_TLS_KEY: cannot read \(files.key)"))
    }

    @Test func `a new certificate is in force after the next look`() throws {
        try make(serial: 1)
        let certificates = try TLSCertificates(files, host: host)
        let old = certificates.context
        certificates.look()
        #expect(certificates.context === old && figure("nkul_tls_reloads_total") == "0")
        try make(serial: 2)
        certificates.look()
        #expect(certificates.identity.serial == "02" && certificates.context !== old)
        #expect(figure("nkul_tls_reloads_total") == "1")
    }

    @Test func `a new certificate that cannot be used leaves the old one in force`() throws {
        try make(serial: 1)
        let certificates = try TLSCertificates(files, host: host)
        let old = certificates.context
        try make("new-", serial: 2)
        #expect(rename(directory.path + "/new-cert.pem", files.certificate) == 0)
        certificates.look()
        #expect(certificates.context === old && figure("nkul_tls_reload_failed") == "1" && host.readiness.isReady)
        #expect(rename(directory.path + "/new-key.pem", files.key) == 0)
        certificates.look()
        #expect(certificates.identity.serial == "02" && figure("nkul_tls_reload_failed") == "0")
    }

    @Test func `behind a link the new file is seen`() throws {
        try make("a-", serial: 1)
        try make("b-", serial: 2)
        let manager = FileManager.default
        for name in ["cert.pem", "key.pem"] {
            try manager.createSymbolicLink(atPath: directory.path + "/" + name, withDestinationPath: "a-" + name)
        }
        let certificates = try TLSCertificates(files, host: host)
        for name in ["cert.pem", "key.pem"] {
            try manager.createSymbolicLink(atPath: directory.path + "/new", withDestinationPath: "b-" + name)
            #expect(rename(directory.path + "/new", directory.path + "/" + name) == 0)
        }
        certificates.look()
        #expect(certificates.identity.serial == "02")
    }

    @Test func `with a certificate that has ended the service is not ready`() throws {
        try make(serial: 1, days: 3)
        let later = ServiceHost(
            .ingest, home: host.home, logger: host.logger,
            clock: WallClock { SystemTime.unixMilliseconds() + 4 * 86_400_000 })
        let certificates = try TLSCertificates(files, host: later)
        #expect(later.readiness.conditions.first?.problem?.contains("\(files.certificate) ended at") == true)
        try make(serial: 2, days: 30)
        certificates.look()
        #expect(later.readiness.isReady)
    }
}
