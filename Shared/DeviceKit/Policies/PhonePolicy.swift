internal import Foundation
internal import Models
internal import QoE

/// The prompt policy as `GET /v1/me/prompt-policy` has it.
struct PhonePolicy: Codable, Sendable, Equatable {
    /// The usual download of a network in a cell; the cell without digits is the whole network.
    struct Median: Codable, Sendable, Equatable {
        /// Nil: of any network.
        var plmn: String?
        var quadkey: String
        var download_kbps: Int64
    }

    var policy_version: String
    var time_zone: String
    var rules: PromptPolicy.Rules
    var pause: PromptPolicy.Pause
    var quiet_hours: PromptPolicy.QuietHours?
    var daily_maximum: Int64
    var emergency_bypass: Bool
    var medians: [Median]?

    /// Most medians that are kept: as many as the service tells.
    static let keptMedians = 2_000

    /// Reads an answer.
    ///
    /// - Throws: if it is none, or has values that cannot be.
    init(_ body: [UInt8]) throws {
        self = try JSONDecoder().decode(PhonePolicy.self, from: Data(body))
        try policy.check()
        medians = medians.map { Array($0.prefix(Self.keptMedians)) }
    }

    /// What decides.
    var policy: PromptPolicy {
        PromptPolicy(
            version: Int64(policy_version) ?? 0, timeZone: time_zone, rules: rules, pause: pause,
            quietHours: quiet_hours, dailyMaximum: daily_maximum, emergencyBypass: emergency_bypass)
    }

    /// The usual download of a network where the phone is; nil: nobody knows.
    func median(at place: PlaceReading?, of network: PLMN) -> Int64? {
        guard let place, let medians, place.latitude.magnitude <= 90, place.longitude.magnitude <= 180,
            let cell = Quadkey(
                latitude: Int64((place.latitude * 1e7).rounded()), longitude: Int64((place.longitude * 1e7).rounded()))
        else { return nil }
        let own = network.text
        return medians.filter { ($0.plmn ?? own) == own && cell.text.hasPrefix($0.quadkey) }
            .max { $0.quadkey.utf8.count < $1.quadkey.utf8.count }?.download_kbps
    }
}
