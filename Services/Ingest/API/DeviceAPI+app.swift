internal import Crypto
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

/// What anybody may read before they enrol: the app, `/v1/policy`, `/v1/operators`.
extension DeviceAPI {
    /// A file of the app.
    func file(_ call: DeviceCall) throws(DeviceAPIError) -> Answer {
        guard let answer = app?.answer(call.head) else { throw DeviceAPIError(.notFound) }
        return answer
    }

    func policy(_ call: DeviceCall) throws(DeviceAPIError) -> Answer {
        guard let policy = policyText else { throw DeviceAPIError(.notFound) }
        guard let language = PolicyText.Language(rawValue: String(call.head.language ?? "en")) else {
            throw DeviceAPIError(.outOfRange, "lang is en or fr", field: "lang")
        }
        return Self.document(policy.document(language), for: call)
    }

    /// Those whose numbers are known here, for a person to choose from where a platform hides the SIM card.
    func operatorList(_ call: DeviceCall) -> Answer {
        var json = JSONWriter()
        json.raw("{\"operators\":[")
        for (place, entry) in operators.entries.enumerated() {
            json.raw((place == 0 ? "{\"plmn\":\"" : ",{\"plmn\":\"") + entry.plmn.text + "\",\"name\":")
            json.string(entry.name)
            json.raw("}")
        }
        json.raw("]}")
        return Self.document(json.bytes, for: call)
    }

    private static func document(_ bytes: [UInt8], for call: DeviceCall) -> Answer {
        let tag = "\"\(Hexadecimal.text(Array(SHA256.hash(data: bytes).prefix(8))))\""
        return Answer(bytes, tag: tag, caching: "no-cache", for: call.head)
    }
}
