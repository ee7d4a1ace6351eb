internal import Foundation
internal import Models

/// Enrolment and consent, and what answers mean.
extension DeviceCore {
    private static let json = "application/json"

    func headers(_ more: [String: String] = [:]) -> [String: String] {
        var headers = more
        if let token = state.token { headers["Authorization"] = "Bearer \(token)" }
        return headers
    }

    mutating func enrol(_ step: inout DeviceStep) {
        guard isMeasuring, let consent = state.consent, isFree(.enrolment) else { return }
        var members = MemberWriter()
        members.add("platform", settings.platform)
        members.add("app_version", settings.appVersion)
        members.add("activation_code", settings.activationCode)
        members.add("device_key", state.publicKey)
        add(consent, &members)
        // What is told here is known there.
        openConsent = state.consentVersion
        step.effects.append(
            .send(
                begin(.enrolment),
                DeviceRequest(
                    method: "POST", path: "/v1/devices", headers: ["Content-Type": Self.json],
                    body: Self.object(members))))
    }

    mutating func tellConsent(_ step: inout DeviceStep) {
        guard let consent = state.consent, isFree(.consent) else { return }
        var members = MemberWriter()
        add(consent, &members)
        openConsent = state.consentVersion
        let request = DeviceRequest(
            method: "PUT", path: "/v1/me/consent", headers: headers(["Content-Type": Self.json]),
            body: Self.object(members))
        step.effects.append(.send(begin(.consent), signed(request)))
    }

    private func add(_ consent: ConsentChoice, _ members: inout MemberWriter) {
        members.add("policy_version", consent.policyVersion)
        members.add("age_band", consent.ageBand)
        if consent.hasGuardian { members.add("guardian", true) }
        members.add(
            flags: "consent", ConsentChoice.everyPurpose.map { ($0, consent.allows($0)) })
    }

    private static func object(_ members: MemberWriter) -> [UInt8] {
        [UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")]
    }

    /// What an answer to one of these means.
    mutating func take(_ answer: ServerAnswer, of task: DeviceState.Task, _ etag: String?, _ step: inout DeviceStep) {
        switch (task, answer) {
        case (.enrolment, .done(let body)): enrolled(body)
        case (.consent, .done):
            state.heardConsent = openConsent
            if openConsent == state.consentVersion { state.awaitsService = false }
            state.retries[.consent] = nil
        case (.policy, .done(let body)): takePolicy(body, etag)
        case (.policy, .unchanged), (.policy, .refused): policyIsKnown()
        case (.sampling, .done(let body)): takeSampling(body, etag)
        case (.sampling, .unchanged), (.sampling, .refused): samplingIsKnown()
        case (_, .oldSignature(let seconds)):
            learnTime(signatureIsOldBy: seconds)
            fail(task, answer)
            // With the right time it is worth a try at once.
            state.retries[task]?.hurryOnce()
        default: fail(task, answer)
        }
    }

    private struct Enrolled: Decodable {
        var device_id: String
        var token: String
    }

    private mutating func enrolled(_ body: [UInt8]) {
        guard let enrolled = try? JSONDecoder().decode(Enrolled.self, from: Data(body)) else {
            return fail(.enrolment, .again(after: nil))
        }
        (state.deviceID, state.token) = (enrolled.device_id, enrolled.token)
        state.heardConsent = openConsent
        state.awaitsService = false
    }

    /// What every question has in common when it was not answered as hoped.
    mutating func fail(_ task: DeviceState.Task, _ answer: ServerAnswer) {
        if case .again(let seconds?) = answer {
            state.notBefore = max(state.notBefore, now + min(max(0, seconds), 86_400) * 1_000)
        }
        state.retries[task, default: RetryPause()].fail(at: now, &random)
    }
}

extension MemberWriter {
    /// An object of flags.
    mutating func add(flags name: StaticString, _ flags: [(String, Bool)]) {
        add(name, raw: "{" + flags.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
    }
}
