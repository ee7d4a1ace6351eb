internal import Crypto
public import Models

/// What there is one alarm of: what a rule found about a subject of an owner, for the first time or again.
public struct AlarmKey: Sendable, Hashable {
    /// The rule of urgent records, of which one is enough. All problems of a subject are one alarm; the worst names it.
    public static let urgent = "urgent"

    public let rule: String
    /// Whose alarm it is; nil of what Nkul itself owes, which is a matter of regulators.
    public let owner: Scope?
    public let subject: AlarmedSubject
    /// How many alarms of the same there have been, with this one.
    public let episode: Int64

    public init(rule: String = Self.urgent, owner: Scope?, subject: AlarmedSubject, episode: Int64 = 1) {
        self.rule = rule
        self.owner = owner
        self.subject = subject
        self.episode = episode
    }

    /// The same as another alarm.
    func with(episode: Int64) -> AlarmKey { AlarmKey(rule: rule, owner: owner, subject: subject, episode: episode) }

    /// Of erasures that are not completed in time.
    static func lateErasures(episode: Int64 = 1) -> AlarmKey {
        AlarmKey(rule: AlarmProblem.lateErasures.rule, owner: nil, subject: .service("erasures"), episode: episode)
    }

    /// Of what is left with the provider of rewards.
    static func lowFloat(episode: Int64 = 1) -> AlarmKey {
        AlarmKey(rule: AlarmProblem.lowFloat.rule, owner: nil, subject: .service("rewards"), episode: episode)
    }

    /// Whether it is told like alarms of networks; one without an owner is told like that of an unknown network.
    var isOfNetworks: Bool { owner.map { $0.scheme == Scope.plmn } ?? true }

    /// The owner's number as topics have it, or `unknown`.
    var ownerText: String {
        let name = owner?.name ?? ""
        return name.isEmpty ? "unknown" : name
    }

    /// The topic of an alarm of this severity: `alerts/62401/critical/1222230012301230`, `alerts/site/12/critical/7`.
    public func topic(_ severity: Severity) -> String {
        let place = owner == nil ? "" : subject.text
        guard let owner, !isOfNetworks else { return "alerts/\(ownerText)/\(severity.rawValue)/\(place)" }
        return "alerts/\(owner.scheme)/\(ownerText)/\(severity.rawValue)/\(place)"
    }

    /// The identifier of the alarm, the same for the same rows.
    ///
    /// Urgent alarms about cells of networks and those of Nkul itself are named by when they were raised, the others by a digest.
    /// From the second of a cell on the episode is part of the name.
    public func id(raisedAt: UnixMilliseconds) -> String {
        switch subject {
        case .cell(let cell) where isOfNetworks && rule == Self.urgent:
            "\(ownerText)-\(cell?.text ?? "none")-\(raisedAt)" + (episode == 1 ? "" : "-\(episode)")
        case .service(let name): "\(name)-\(raisedAt)"
        default: digest
        }
    }

    /// The first half of a SHA-256 over the parts, each after its length, in hexadecimal digits.
    private var digest: String {
        var hash = SHA256()
        for part in [rule, subject.scheme, owner?.text ?? "", subject.text, String(episode)] {
            withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: Array(part.utf8))
        }
        return hash.finalize().prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
