internal import Models

/// Uploads: how they are sent, and what answers mean.
extension DeviceCore {
    mutating func send(_ pending: QueueFacts.Pending, in slot: UploadSlot, _ step: inout DeviceStep) {
        let isMessage =
            settings.usesRealtime && !state.avoidsRealtime && slot == .urgent && !pending.isCompressed
            && pending.kind != .prompt
        // The phone's clock as it would be had nobody set it since the upload was made: its records are told by that one.
        let sentAt = now + pending.shift
        var fields = headers(["Content-Type": "application/json", "X-Nkul-Sent-At": "\(sentAt)"])
        if !isMessage { fields["Idempotency-Key"] = pending.key }
        if pending.isCompressed { fields["Content-Encoding"] = "gzip" }
        let request = DeviceRequest(
            route: isMessage ? .realtime : .http, method: isMessage ? "GET" : "POST",
            path: isMessage ? "/v1/realtime" : pending.kind.path, headers: fields)
        let call = begin(Self.task(slot))
        uploads[slot] = pending.key
        step.effects.append(.upload(call, slot, request, isMessage: isMessage))
    }

    /// The text of a message: the record as it is kept, with the time of this try.
    static func message(_ record: [UInt8], sentAt: String) -> [UInt8] {
        record.dropLast() + Array(",\"sent_at_ms\":\(sentAt)}".utf8)
    }

    mutating func take(_ exchange: DeviceExchange, of call: DeviceCall, _ step: inout DeviceStep) {
        guard open[call.task]?.number == call.number else { return }
        open[call.task] = nil
        let answer = ServerAnswer(exchange.response)
        switch answer {
        case .stranger where call.task != .enrolment: return forgetEnrolment()
        case .erased: return erased(&step)
        case .noConsent: return consentIsUnknown(&step)
        default: break
        }
        guard let slot = UploadSlot.allCases.first(where: { Self.task($0) == call.task }) else {
            return take(answer, of: call.task, exchange.response?.etag, &step)
        }
        takeUpload(answer, slot, exchange.response, &step)
    }

    /// The service knows nobody with this token.
    mutating func forgetEnrolment() {
        (state.token, state.deviceID) = (nil, nil)
        (state.policyTag, state.samplingTag) = (nil, nil)
        state.heardConsent = 0
        // Others that are on their way have the same token.
        open = [:]
        // A service that enrols and then knows nobody is not asked on and on.
        state.retries[.enrolment, default: RetryPause()].fail(at: now, &random)
        state.retries[.enrolment]?.hurryOnce()
    }

    private mutating func takeUpload(
        _ answer: ServerAnswer, _ slot: UploadSlot, _ response: DeviceResponse?, _ step: inout DeviceStep
    ) {
        let task = Self.task(slot)
        guard let pending = facts.pending[slot], pending.key == uploads[slot] else { return }
        if slot == .bulk, let seconds = response?.nextUpload {
            state.nextBulk = now + min(max(0, seconds), 86_400) * 1_000
        }
        switch answer {
        case .done(let body):
            guard let receipt = UploadReceipt(body) else { return fail(task, .again(after: nil)) }
            step.changes.append(.settle(slot, receipt.settlement(rows: pending.rows)))
            (state.retries[task], state.retries[.enrolment]) = (nil, nil)
            // Of what waited for long the rest follows; what is new waits for its time.
            if slot == .bulk, pending.isFull { state.nextBulk = now }
        case .tooLarge where pending.rows > 1:
            state.mostRows = max(1, pending.rows / 2)
            step.changes.append(.dissolve(slot))
        case .tooLarge: step.changes.append(.giveUp(slot, .refused("too_large")))
        case .refused(let code): step.changes.append(.giveUp(slot, .refused(code)))
        default:
            if slot == .urgent { state.avoidsRealtime = true }
            fail(task, answer)
            // A message that was lost is worth a request at once.
            if slot == .urgent, response == nil { state.retries[task]?.hurryOnce() }
        }
    }

    /// The person had everything erased: nothing of it is kept here either.
    mutating func erased(_ step: inout DeviceStep) {
        state.end = .erased
        (state.erasedToken, state.token) = (state.token ?? state.erasedToken, nil)
        state.consent = nil
        if let open = state.openPrompt { step.effects.append(.withdraw(open.prompt)) }
        state.openPrompt = nil
        slow.prompts = []
        open = [:]
        step.changes.append(.dropEverything(.erased))
    }

    /// The service knows of no consent, as it was withdrawn elsewhere: nothing is measured until the person has been asked.
    private mutating func consentIsUnknown(_ step: inout DeviceStep) {
        state.consent?.purposes.remove("measurement")
        guard !state.hasAskedForConsent else { return }
        state.hasAskedForConsent = true
        step.effects.append(.askForConsent)
    }
}
