import Foundation
import Models
public import ServiceKit
import Storage

/// What the privacy worker's program does instead of serving.
public enum PrivacyWorkerActions {
    /// `--verify`.
    public static let all: [ServiceAction<PrivacyWorkerConfiguration>] = [
        ServiceAction(
            "--verify",
            "check the audit log for edits, removals, reordering and truncation; also while the service runs",
            claim: .none, perform: { configuration, host in try verify(configuration, host) })
    ]

    private static func verify(_ configuration: PrivacyWorkerConfiguration, _ host: ServiceHost) throws {
        let path = host.home.database(of: .privacyWorker)
        guard FileManager.default.fileExists(atPath: path) else {
            throw ServiceError(.home, "\(path) is not there: the privacy worker has not run in this home yet")
        }
        let keys = try PrivacyWorkerKeys(KeyStore(directory: host.home.keys), isBegun: true)
        let outcome = try AuditCheck.run(ReadOnlyDatabase(path: path), keys: keys.audit, sealer: keys.blocks)
        if let fault = outcome.fault { throw ServiceError(.failed, "the audit log is not sound: \(fault)") }
        print("the audit log is sound: \(outcome.entries) entries")
    }
}
