import Foundation
import Logging
import Models
public import NIOSSL
import NIOPosix
import Synchronization
import UnixSignals

/// The certificate that a server shows, taken anew from its files when they change.
///
/// A new connection gets the newest certificate that was good, those that are open go on. Files that cannot be used leave
/// the old certificate in force: that is logged once, and `nkul_tls_reload_failed` is 1 until they can. Thread-safe.
public final class TLSCertificates: Sendable {
    private struct State: Sendable {
        var identity: TLSIdentity
        var stamp: TLSStamp
        /// Why the files as they are now cannot be used.
        var problem: String?
        /// The day for which it was last said that the certificate ends soon.
        var warnedDay: Int64?
    }

    /// From so many days before its end on the log warns of it, once a day.
    package static let warningDays: Int64 = 14
    private static let day: Int64 = 86_400_000
    private static let figures: [(kind: Metrics.Kind, name: String, help: String)] = [
        (.gauge, "nkul_tls_certificate_expiry_timestamp_seconds", "When the certificate in force ends"),
        (.gauge, "nkul_tls_reload_failed", "1 while the certificate's files cannot be used"),
        (.counter, "nkul_tls_reloads_total", "Certificates that were put in force after the first"),
        (.counter, "nkul_tls_handshakes_failed_total", "Handshakes that came to nothing"),
    ]

    private let files: TLSFiles
    private let host: ServiceHost
    private let pause: Duration
    private let state: Mutex<State>
    private let expiry: Gauge
    private let failed: Gauge
    private let reloads: Counter
    private let handshakes: Counter

    /// The certificate that the settings name; nil without TLS.
    ///
    /// - Throws: ``ServiceError`` of code `usage` naming setting and file if it cannot be used.
    package static func named(_ files: TLSFiles?, host: ServiceHost) throws -> TLSCertificates? {
        figures.forEach { host.metrics.declare($0.kind, $0.name, $0.help) }
        return try files.map { try TLSCertificates($0, host: host) }
    }

    /// Reads the files.
    ///
    /// - Parameter pause: how often ``watch()`` looks at the files.
    /// - Throws: ``ServiceError`` of code `usage` naming setting and file if they cannot be used.
    package init(_ files: TLSFiles, host: ServiceHost, pause: Duration = .seconds(2)) throws {
        self.files = files
        self.host = host
        self.pause = pause
        let stamp = TLSStamp(files)
        state = Mutex(State(identity: try TLSIdentity(files), stamp: stamp))
        let metrics = host.metrics
        expiry = metrics.gauge(Self.figures[0].name, Self.figures[0].help)
        failed = metrics.gauge(Self.figures[1].name, Self.figures[1].help)
        reloads = metrics.counter(Self.figures[2].name, Self.figures[2].help)
        handshakes = metrics.counter(Self.figures[3].name, Self.figures[3].help)
        host.readiness.declare("tls")
        judge()
    }

    /// What a new connection is opened with.
    public var context: NIOSSLContext { identity.context }

    /// The certificate in force.
    package var identity: TLSIdentity { state.withLock { $0.identity } }

    /// Counts a handshake that failed.
    public func countFailedHandshake() { handshakes.add() }

    /// Looks at the files every few seconds, and at once on SIGHUP, until the task is cancelled.
    public func watch() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [pause] in
                while (try? await Task.sleep(for: pause)) != nil { await self.lookOnPool() }
            }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sighup) { await self.lookOnPool() }
            }
        }
    }

    /// Takes the files again if they have changed or could not be used. Waits for the disk.
    public func look() {
        let stamp = TLSStamp(files)
        guard state.withLock({ $0.stamp != stamp || $0.problem != nil }) else { return judge() }
        do {
            let identity = try TLSIdentity(files)
            let hasChanged = state.withLock { state in
                defer { state = State(identity: identity, stamp: stamp) }
                return state.identity.serial != identity.serial || state.stamp != stamp
            }
            failed.set(0)
            if hasChanged { announce(identity) }
        } catch { complain("\(error)") }
        judge()
    }

    private func lookOnPool() async { try? await NIOThreadPool.singleton.runIfActive { self.look() } }

    private func announce(_ identity: TLSIdentity) {
        reloads.add()
        host.logger.notice(
            "certificate in force",
            metadata: ["serial": "\(identity.serial)", "until": "\(SystemTime.text(identity.validUntil))"])
    }

    private func complain(_ problem: String) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        failed.set(1)
        guard isNew else { return }
        host.logger.error("certificate not taken, the old one stays in force", metadata: ["error": "\(problem)"])
    }

    /// Shows how long the certificate is still good for.
    private func judge() {
        let now = host.systemClock.now(), identity = identity
        expiry.set(identity.validUntil / 1_000)
        if now >= identity.validUntil {
            let end = SystemTime.text(identity.validUntil)
            host.readiness.fail("tls", "NKUL_TLS_CERT: the certificate in \(files.certificate) ended at \(end)")
        } else if now < identity.validFrom {
            let begin = SystemTime.text(identity.validFrom)
            host.readiness.fail("tls", "NKUL_TLS_CERT: the certificate in \(files.certificate) begins at \(begin)")
        } else {
            host.readiness.hold("tls")
        }
        warn(identity.validUntil - now, today: now / Self.day)
    }

    private func warn(_ left: UnixMilliseconds, today: Int64) {
        guard left < Self.warningDays * Self.day else { return }
        let isDue = state.withLock { state in
            defer { state.warnedDay = today }
            return state.warnedDay != today
        }
        guard isDue else { return }
        host.logger.warning(
            "the certificate ends soon",
            metadata: ["file": "\(files.certificate)", "days": "\(max(0, left / Self.day))"])
    }
}
