internal import Crypto
internal import Foundation

/// The body of `POST /v1/devices`, checked.
struct EnrolmentRequest {
    let platform: String
    let appVersion: String
    let consent: Consent
    let policyVersion: String
    let ageBand: String?
    let hasGuardian: Bool
    let deviceKey: [UInt8]?

    /// - Throws: ``Problem`` 422 naming the field at fault.
    init(_ body: [UInt8]) throws(Problem) {
        let json: [String: Any]
        do {
            guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
                throw Problem(422, "not_an_object", "The body is not a JSON object")
            }
            json = object
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(422, "malformed", "The body is not JSON")
        }
        platform = try Self.text(json, "platform", required: true)!
        appVersion = try Self.text(json, "app_version", required: true)!
        policyVersion = try Self.text(json, "policy_version", required: true)!
        consent = try Self.consent(json)
        ageBand = try Self.text(json, "age_band", required: false)
        hasGuardian = try Self.flag(json, "guardian") ?? false
        deviceKey = try Self.key(json)
        if json["activation_code"] != nil, !(json["activation_code"] is NSNull) {
            throw Problem(
                422, "activation_not_available", "Activation codes come with a later release; leave the field out",
                field: "activation_code")
        }
        if ageBand == "under_16", !hasGuardian {
            throw Problem(422, "guardian_required", "Under 16, a guardian must have agreed", field: "guardian")
        }
    }

    private static func text(_ json: [String: Any], _ field: String, required: Bool) throws(Problem) -> String? {
        guard let value = json[field], !(value is NSNull) else {
            if required { throw Problem(422, "missing_field", "\(field) is required", field: field) }
            return nil
        }
        guard let text = value as? String, !text.isEmpty, text.utf8.count <= 128 else {
            throw Problem(422, "wrong_type", "\(field) is a text of 1 to 128 bytes", field: field)
        }
        return text
    }

    private static func flag(_ json: [String: Any], _ field: String) throws(Problem) -> Bool? {
        guard let value = json[field], !(value is NSNull) else { return nil }
        guard let flag = Self.bool(value) else {
            throw Problem(422, "wrong_type", "\(field) is true or false", field: field)
        }
        return flag
    }

    /// JSON's true and false; the numbers 1 and 0 are something else.
    private static func bool(_ value: Any) -> Bool? {
        guard let number = value as? NSNumber, String(cString: number.objCType) == "c" else { return value as? Bool }
        return number.boolValue
    }

    private static func consent(_ json: [String: Any]) throws(Problem) -> Consent {
        guard let value = json["consent"], !(value is NSNull) else {
            throw Problem(422, "missing_field", "consent is required", field: "consent")
        }
        guard let purposes = value as? [String: Any] else {
            throw Problem(422, "wrong_type", "consent is an object of purposes", field: "consent")
        }
        var consent: Consent = []
        for (name, purpose) in Consent.purposes {
            guard let given = purposes[name], !(given is NSNull) else { continue }
            guard let flag = bool(given) else {
                throw Problem(422, "wrong_type", "a purpose is true or false", field: "consent.\(name)")
            }
            if flag { consent.insert(purpose) }
        }
        return consent
    }

    private static func key(_ json: [String: Any]) throws(Problem) -> [UInt8]? {
        guard let text = try text(json, "device_key", required: false) else { return nil }
        let padded = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let filled = padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)
        guard let data = Data(base64Encoded: filled), (try? P256.Signing.PublicKey(x963Representation: data)) != nil else {
            throw Problem(
                422, "bad_format", "device_key is a P-256 public key, uncompressed, in base64", field: "device_key")
        }
        return [UInt8](data)
    }
}
