internal import Foundation
internal import Models
internal import QoE

/// The policies of the service: when to ask, how often to measure.
extension DeviceCore {
    /// About an hour is how long a policy may be gone by (`docs/prompting.md`).
    private static let policyLife: Int64 = 3_600_000
    /// Networks of which medians are wanted: a phone has no more SIM cards.
    private static let mostNetworks = 4

    /// How often the phone measures: as its maker set it, or less often if the service wants less.
    var sampling: SamplingPolicy {
        guard settings.obeysSamplingPolicy, let rules = slow.sampling else { return settings.sampling }
        return settings.sampling.limited(by: rules)
    }

    /// Asks for those that are due, if the radio is awake anyway; the first time at once.
    mutating func planPolicies(_ step: inout DeviceStep) {
        // Medians are wanted of the phone's own networks, which the first sample shows.
        let isSeen = state.networks != nil || ledger.samples > 0
        if isSeen, now >= state.nextPolicy, state.policyTag == nil || now <= state.radioUntil {
            ask(for: .policy, promptPath, tag: state.policyTag, &step)
        }
        if settings.obeysSamplingPolicy, now >= state.nextSampling ?? 0,
            state.samplingTag == nil || now <= state.radioUntil
        {
            ask(for: .sampling, "/v1/me/sampling-policy", tag: state.samplingTag, &step)
        }
    }

    private var promptPath: String {
        let networks = state.networks ?? []
        return "/v1/me/prompt-policy" + (networks.isEmpty ? "" : "?plmn=" + networks.joined(separator: ","))
    }

    private mutating func ask(for task: DeviceState.Task, _ path: String, tag: String?, _ step: inout DeviceStep) {
        guard isFree(task) else { return }
        var headers = headers()
        if let tag, !tag.isEmpty { headers["If-None-Match"] = tag }
        step.effects.append(.send(begin(task), DeviceRequest(method: "GET", path: path, headers: headers)))
    }

    /// The SIM cards that a sample shows: with another network than before the medians are others.
    mutating func see(_ sims: [SIMReading]) {
        let seen = state.simChoice.chosen(sims).map { PLMN(mcc: $0.reading.mcc, mnc: $0.reading.mnc) }
            .filter { $0 != .unknown }.map(\.text)
        let networks = Array(Set(seen).sorted().prefix(Self.mostNetworks))
        guard !networks.isEmpty, !Set(networks).isSubset(of: state.networks ?? []) else { return }
        state.networks = networks
        (state.nextPolicy, state.policyTag) = (now, nil)
    }

    /// A policy that cannot be read is not in force; what was before still is.
    mutating func takePolicy(_ body: [UInt8], _ etag: String?) {
        if var policy = try? PhonePolicy(body) {
            // Without a network nothing is compared.
            if state.networks == nil { policy.medians = nil }
            (slow.policy, state.policyTag) = (policy, etag ?? "")
        }
        policyIsKnown()
    }

    mutating func policyIsKnown() {
        state.nextPolicy = now + Self.policyLife
        state.retries[.policy] = nil
        if state.policyTag == nil { state.policyTag = "" }
    }

    mutating func takeSampling(_ body: [UInt8], _ etag: String?) {
        if let rules = try? JSONDecoder().decode(SamplingRules.self, from: Data(body)), rules.fault == nil {
            (slow.sampling, state.samplingTag) = (rules, etag ?? "")
            // A sample that is late by the new intervals is due.
            if let conditions, let interval = sampling.interval(conditions) {
                state.nextSample = min(state.nextSample, now + interval)
            }
        }
        samplingIsKnown()
    }

    mutating func samplingIsKnown() {
        state.nextSampling = now + Self.policyLife
        state.retries[.sampling] = nil
        if state.samplingTag == nil { state.samplingTag = "" }
    }
}
