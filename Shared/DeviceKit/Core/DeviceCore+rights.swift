internal import Models

/// What the person asks for, and signatures.
extension DeviceCore {
    /// The request of a wish; none while the service does not know the phone.
    mutating func ask(_ wish: PersonalRequest, _ step: inout DeviceStep) {
        var isOfErased = false
        if case .erasure = wish { isOfErased = state.end == .erased }
        guard let token = isOfErased ? state.erasedToken : state.token else { return }
        var request = wish.request
        request.headers["Authorization"] = "Bearer \(token)"
        // The token of an erased device is enough to read how its erasure stands: its key is forgotten there.
        step.effects.append(.ask(isOfErased ? request : signed(request)))
    }

    /// What the service said to a wish.
    mutating func hear(_ wish: PersonalRequest, _ response: DeviceResponse?, _ step: inout DeviceStep) {
        switch ServerAnswer(response) {
        case .done(let body) where wish == .eraseEverything && wish.isAnswered(by: body): erased(&step)
        case .erased where state.end == nil: erased(&step)
        case .stranger where state.end == nil: forgetEnrolment()
        case .oldSignature(let seconds): learnTime(signatureIsOldBy: seconds)
        default: break
        }
    }

    /// Has a request signed, if the phone has a key. Each signature is of a second of its own, as the service takes none of a change
    /// that was made before another.
    mutating func signed(_ request: DeviceRequest) -> DeviceRequest {
        guard state.publicKey != nil else { return request }
        var request = request
        let created = max(now / 1_000 + (state.signatureShift ?? state.clock.shift / 1_000), (state.signedAt ?? 0) + 1)
        state.signedAt = created
        request.signedAt = created
        return request
    }

    /// The service has said by how much the phone's clock is wrong: the next signature is of its time.
    mutating func learnTime(signatureIsOldBy seconds: Int64) {
        guard let signedAt = state.signedAt else { return }
        let (time, isLost) = signedAt.addingReportingOverflow(seconds)
        guard !isLost, (0...253_402_300_799).contains(time) else { return }
        state.signatureShift = time - now / 1_000
        // What was refused was not noted there.
        state.signedAt = min(signedAt, time - 1)
    }
}
