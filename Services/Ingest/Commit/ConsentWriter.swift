internal import GRDB
internal import Models
internal import Wire

/// Enrolments and changes of consent in the transaction of a commit, and what the requests lane is told of them.
///
/// Confined to one transaction. When that lane is full nobody can enrol or change a consent: nothing is allowed or
/// forbidden of which the privacy worker would not hear.
struct ConsentWriter {
    private let store: IngestStore
    private let memories: MemoryStore
    private let now: UnixMilliseconds
    private let isFull: Bool
    private var rows = RequestRows()
    /// What became of the activation codes of the enrolments that brought one.
    private(set) var activations: [ActivationOutcome] = []
    /// Devices that allowed rewards and no longer do.
    private(set) var withdrawn: [UInt64] = []

    init(_ store: IngestStore, _ memories: MemoryStore, now: UnixMilliseconds, isFull: Bool) {
        self.store = store
        self.memories = memories
        self.now = now
        self.isFull = isFull
    }

    mutating func enrol(_ enrolment: Enrolment) throws -> Result<DeviceIdentity, Problem> {
        guard !isFull else { return .failure(.full(.requests)) }
        var batch: Int64?
        if let code = enrolment.activation {
            let activation = try store.spendCode(code, now: now)
            activations.append(activation)
            guard case .accepted(let number) = activation else { return .failure(.activationInvalid) }
            batch = number
        }
        let state = try store.enrol(enrolment, activatedBy: batch, now: now)
        try rows.append(state.identity.ordinal, state.document)
        return .success(state.identity)
    }

    /// Changes a consent; saying again what is known changes nothing, so that a lost answer may be asked for again.
    mutating func change(_ change: ConsentChange) throws -> Result<ConsentState, Problem> {
        guard let before = try store.consent(of: change.device) else {
            return .failure(Problem.unauthorized("nobody has this token"))
        }
        guard change.changes(before) else { return .success(before) }
        guard !isFull else { return .failure(.full(.requests)) }
        let after = change.applied(to: before, at: now)
        if after.ageBand == "under_16", !after.hasGuardian { return .failure(.guardianRequired) }
        try store.save(after)
        var memory = try memories.memory(of: change.device)
        memory.consentMark = DeviceMemory.mark(ofConsent: after.identity.consentVersion)
        try memories.save(memory, of: change.device)
        try rows.append(change.device, after.document)
        if before.identity.consent.contains(.rewards), !after.identity.consent.contains(.rewards) {
            withdrawn.append(change.device)
        }
        return .success(after)
    }

    /// What the requests lane is told, nil if there is nothing to tell.
    var columns: Columns? { rows.isEmpty ? nil : rows.columns(now) }
}
