internal import Crypto
internal import Foundation
internal import Models
internal import QoE
internal import ServiceKit

/// What phones are told of prompting: the answer to `GET /v1/me/prompt-policy`.
struct PromptPolicyAnswer: Encodable, Sendable {
    /// How long a phone may go by the copy it has.
    static let caching = "private, max-age=3600"

    /// Median of a cell of a network, as released; the cell without digits is the whole network.
    struct Median: Encodable, Sendable {
        let plmn: String
        let quadkey: String
        let download_kbps: Int64
    }

    /// What the phone says in the outcomes of its prompts.
    let policy_version: String
    let time_zone: String
    let rules: PromptPolicy.Rules
    let pause: PromptPolicy.Pause
    /// Left out: there are none.
    let quiet_hours: PromptPolicy.QuietHours?
    let daily_maximum: Int64
    let emergency_bypass: Bool
    /// Of what was released: what is not may tell of few people.
    let medians: [Median]
    /// When the newest was released; null: nothing was.
    let medians_as_of: String?

    init(_ policy: PromptPolicy, _ released: ReleasedMedians = ReleasedMedians()) {
        medians = released.medians.map {
            Median(plmn: $0.network.text, quadkey: $0.cell?.text ?? "", download_kbps: $0.kbps)
        }
        medians_as_of = released.madeAt.map(SystemTime.text)
        policy_version = policy.name
        time_zone = policy.timeZone
        rules = policy.rules
        pause = policy.pause
        quiet_hours = policy.quietHours
        daily_maximum = policy.dailyMaximum
        emergency_bypass = policy.emergencyBypass
    }

    enum CodingKeys: String, CodingKey {
        case policy_version, time_zone, rules, pause, quiet_hours, daily_maximum, emergency_bypass, medians,
            medians_as_of
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(policy_version, forKey: .policy_version)
        try members.encode(time_zone, forKey: .time_zone)
        try members.encode(rules, forKey: .rules)
        try members.encode(pause, forKey: .pause)
        try members.encodeIfPresent(quiet_hours, forKey: .quiet_hours)
        try members.encode(daily_maximum, forKey: .daily_maximum)
        try members.encode(emergency_bypass, forKey: .emergency_bypass)
        try members.encode(medians, forKey: .medians)
        // A null, where `encodeIfPresent` would leave the member out.
        try members.encode(medians_as_of, forKey: .medians_as_of)
    }

    /// The JSON document.
    var body: [UInt8] { get throws { try SortedJSON.bytes(of: self) } }

    /// The entity tag of a document.
    static func tag(of body: [UInt8]) -> String {
        let digits = SHA256.hash(data: body).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return "\"\(digits.joined())\""
    }
}

extension PromptPolicy {
    /// Reads a policy as it comes from the `operations` lane; nil if it is none. Members of newer programs are passed over.
    init?(published document: ArraySlice<UInt8>) {
        guard let policy = try? JSONDecoder().decode(PromptPolicy.self, from: Data(document)),
            (try? policy.check()) != nil
        else { return nil }
        self = policy
    }
}
