internal import IngestAPI
internal import IngestCommands
internal import IngestCommit
internal import IngestUploads
internal import Models
internal import ServiceKit

/// What ingest answers about devices that an operator makes for apps of others on its control socket: `device.add`.
struct KeyedDeviceCalls: Sendable {
    let queue: CommitQueue

    /// The answer to `device.add`: the only time that the key is told.
    struct Added: Encodable, Sendable {
        let device: String
        let ordinal: Int64
        let consent: [String]
        let key: String
        let path: String
    }

    /// Purposes that a person allows for themselves, not in a form that an operator types.
    private static let withheld: Consent = [.research, .operatorSharing, .rewards, .standings]

    var all: [ControlCall] { [.typed("device.add", JSONValue.self) { try await add($0) }] }

    /// Makes a device that has an upload key and no token.
    func add(_ arguments: JSONValue) async throws -> Added {
        let consent = try Self.consent(arguments)
        let policy = try Self.short(arguments.text("policy_version"), "policy_version")
        let age = try arguments.optionalText("age_band")
        let hasGuardian = try arguments.flag("guardian")
        do { try AgeBand.check(age, guardian: hasGuardian) } catch {
            throw ControlError.argument(error.field ?? "age_band", error.detail ?? error.title)
        }
        let key = UploadKey()
        var random = SystemRandomNumberGenerator()
        let id = RecordIdentifier.random(&random)
        var enrolment = Enrolment(
            deviceID: id.bytes, tokenHash: UploadKey().hash.bytes, platform: "geosubmit", appVersion: "unknown",
            consent: consent, policyVersion: policy, ageBand: age, hasGuardian: hasGuardian)
        enrolment.uploadKey = key.hash.bytes
        switch await queue.ask(enrolment) {
        case .success(let device):
            return Added(
                device: id.text, ordinal: Int64(device.ordinal),
                consent: Consent.purposes.filter { consent.contains($0.purpose) }.map(\.name), key: key.text,
                path: key.path)
        case .failure(let problem): throw ControlError.refused(problem.detail ?? problem.title)
        }
    }

    private static func consent(_ arguments: JSONValue) throws -> Consent {
        var consent: Consent = []
        for name in try arguments.texts("consent") {
            guard let purpose = Consent.purposes.first(where: { $0.name == name })?.purpose else {
                throw ControlError.argument("consent", "\"\(name.prefix(64))\" is none of \(allowed)")
            }
            guard withheld.isDisjoint(with: purpose) else {
                throw ControlError.argument(
                    "consent", "\(name) is allowed by the person alone, in an app of ours; here are \(allowed)")
            }
            consent.formUnion(purpose)
        }
        guard consent.contains(.measurement) else {
            throw ControlError.argument("consent", "does not have measurement, without which nothing is taken")
        }
        return consent
    }

    private static var allowed: String {
        Consent.purposes.filter { withheld.isDisjoint(with: $0.purpose) }.map(\.name).joined(separator: ", ")
    }

    private static func short(_ text: String, _ name: String) throws -> String {
        guard (1...64).contains(text.utf8.count) else { throw ControlError.argument(name, "has 1 to 64 bytes") }
        return text
    }
}
