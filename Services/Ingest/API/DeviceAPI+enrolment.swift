internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
package import Models
internal import ServiceKit

/// `/v1/devices`.
extension DeviceAPI {
    /// Enrols a phone; its token is told here and never again.
    func enrol(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        try call.head.requireJSON()
        let wanted = try EnrolmentRequest.read(call.bytes)
        let code = try activation.code(wanted.activation_code)
        var random = SystemRandomNumberGenerator()
        let token = DeviceToken.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        let id = RecordIdentifier.random(&random)
        let enrolment = Enrolment(
            deviceID: id.bytes, tokenHash: DeviceToken.hash(token[...]).bytes, platform: wanted.platform,
            appVersion: wanted.app_version, consent: wanted.purposes, policyVersion: wanted.policy_version,
            ageBand: wanted.age_band, hasGuardian: wanted.guardian ?? false, deviceKey: wanted.key,
            activation: code?.hash)
        switch await queue.ask(enrolment) {
        case .success(let device): directory.replace(token[...], by: device)
        case .failure(.activationInvalid):
            throw admission.failed(.badCode, from: call.address, else: .activationInvalid)
        case .failure(let problem): throw problem
        }
        return Answer(201, json: Array("{\"device_id\":\"\(id.text)\",\"token\":\"\(token)\"}".utf8))
    }
}

extension RecordIdentifier {
    /// A random UUID, version 4.
    package static func random(_ generator: inout SystemRandomNumberGenerator) -> RecordIdentifier {
        RecordIdentifier(
            high: generator.next() & ~0xF000 | 0x4000, low: generator.next() & ~(0b11 << 62) | 0b10 << 62)
    }

    /// 16 bytes, big-endian.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }
}
