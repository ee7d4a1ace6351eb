internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceKit
internal import Storage

/// `/v1/me/passkey`: a second proof that it is the person who asks for a copy or an erasure, if the person has turned it on.
extension DeviceAPI {
    /// Tells whether it is on, makes a challenge, turns it on or off.
    func passkey(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        guard let origin = passkeyOrigin else {
            // The app asks each time; what is off is no error.
            if call.head.isGet || call.head.isHead { return Answer(200, json: Self.document(nil, nil)) }
            throw DeviceAPIError(.notFound, "passkeys are off here: NKUL_INGEST_PASSKEYS")
        }
        switch call.head.head.method {
        case .POST: return try challenge(call, origin)
        case .PUT: return try await turnOn(call, origin)
        case .DELETE: return try await turnOff(call, origin)
        default: return Answer(200, json: Self.document(origin, try await passkey(of: call)))
        }
    }

    private func challenge(_ call: DeviceCall, _ origin: PasskeyOrigin) throws(DeviceAPIError) -> Answer {
        let bytes = try challenges.make(for: call.device!.ordinal, now: clock.now())
        var json = JSONWriter()
        json.raw("{\"challenge\":\"\(Base64URL.text(bytes))\",\"rp_id\":\"\(origin.relyingParty)\",")
        json.raw("\"expires_in_ms\":\(PasskeyChallenges.life)}")
        return Answer(201, json: json.bytes, fields: "cache-control: no-store\r\n")
    }

    private func turnOn(_ call: DeviceCall, _ origin: PasskeyOrigin) async throws(DeviceAPIError) -> Answer {
        let signedAt = try await checkSignature(of: call)
        try call.head.requireJSON()
        let made = try DeviceBody.decode(PasskeyGate.Made.self, from: call.bytes), now = clock.now()
        let gate = PasskeyGate(origin: origin, challenge: challenges.take(of: call.device!.ordinal, now: now))
        let passkey: Passkey
        do { passkey = try gate.check(made, now: now) } catch { throw failed(error, call) }
        try await ask(PasskeyChange(device: call.device!.ordinal, .on(passkey), signedAt: signedAt), call)
        return Answer(200, json: Self.document(origin, passkey))
    }

    private func turnOff(_ call: DeviceCall, _ origin: PasskeyOrigin) async throws(DeviceAPIError) -> Answer {
        let signedAt = try await checkSignature(of: call)
        let use = try await passkeyUse(of: call)
        try await ask(PasskeyChange(device: call.device!.ordinal, .off(use), signedAt: signedAt), call)
        return Answer(200, json: Self.document(origin, nil))
    }

    private func ask(_ change: PasskeyChange, _ call: DeviceCall) async throws(DeviceAPIError) {
        if case .failure(let problem) = await queue.ask(change) { throw failed(problem, call) }
    }

    /// The use of a passkey that a request brings, checked. None is needed if the device has turned none on, or if passkeys are off
    /// here: a changed setting must not keep people from a copy or an erasure.
    ///
    /// - Throws: ``DeviceAPIError`` 403 `passkey_required`, `passkey_invalid`; 429 if that address fails too often.
    func passkeyUse(of call: DeviceCall) async throws(DeviceAPIError) -> PasskeyUse {
        guard let origin = passkeyOrigin else { return .notNeeded }
        // One that is turned on meanwhile is asked for when the change is committed.
        guard let passkey = try await passkey(of: call) else { return .missing }
        guard let field = call.head.component("nkul-passkey") else {
            throw failed(DeviceAPIError(.passkeyRequired, field: PasskeyUse.field), call)
        }
        let challenge = challenges.take(of: call.device!.ordinal, now: clock.now())
        do {
            let use = try PasskeyGate.Use(field)
            return .checked(signCount: try PasskeyGate(origin: origin, challenge: challenge).check(use, by: passkey))
        } catch { throw failed(error, call) }
    }

    private func passkey(of call: DeviceCall) async throws(DeviceAPIError) -> Passkey? {
        do { return try await directory.passkey(of: call.device!.ordinal) } catch { throw lookUpFailed(error) }
    }

    private static func document(_ origin: PasskeyOrigin?, _ passkey: Passkey?) -> [UInt8] {
        var json = JSONWriter()
        func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        json.raw("{\"origin\":\(quoted(origin?.text)),\"rp_id\":\(quoted(origin?.relyingParty)),")
        json.raw("\"is_on\":\(passkey != nil)")
        if let passkey {
            json.raw(",")
            json.time("made_at", passkey.madeAt)
        }
        json.raw("}")
        return json.bytes
    }
}

extension DeviceDirectory {
    /// What a device has turned on.
    func passkey(of device: UInt64) async throws -> Passkey? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).passkey(of: device) }
        }
    }
}
