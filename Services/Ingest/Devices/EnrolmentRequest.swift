internal import Crypto
internal import Foundation

/// The body of `POST /v1/devices`, checked.
struct EnrolmentRequest: Decodable {
    let platform: String
    let app_version: String
    let consent: [String: Bool?]
    let policy_version: String
    let age_band: String?
    let guardian: Bool?
    let device_key: String?
    let activation_code: String?

    /// Reads and checks a body.
    ///
    /// - Throws: ``Problem`` 422 naming the field at fault.
    static func read(_ body: [UInt8]) throws(Problem) -> EnrolmentRequest {
        do {
            let request = try JSONDecoder().decode(EnrolmentRequest.self, from: Data(body))
            try request.check()
            return request
        } catch let problem as Problem {
            throw problem
        } catch let error as DecodingError {
            throw Self.problem(error)
        } catch {
            throw Problem(422, "malformed", "The body is not JSON")
        }
    }

    /// The purposes allowed; names that are not purposes are ignored.
    var purposes: Consent {
        Consent(Consent.purposes.filter { consent[$0.name] == .some(true) }.map(\.purpose))
    }

    /// The key's 65 bytes.
    var key: [UInt8]? {
        guard let device_key else { return nil }
        let plain = device_key.replacing("-", with: "+").replacing("_", with: "/")
        let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: padded).map { [UInt8]($0) }
    }

    private func check() throws(Problem) {
        let texts = [
            ("platform", platform), ("app_version", app_version), ("policy_version", policy_version),
            ("age_band", age_band),
        ]
        for (field, text) in texts where text.map({ $0.isEmpty || $0.utf8.count > 128 }) ?? false {
            throw Problem(422, "out_of_range", "\(field) has 1 to 128 bytes", field: field)
        }
        if activation_code != nil {
            throw Problem(
                422, "activation_not_available", "Activation codes come with a later release; leave the field out",
                field: "activation_code")
        }
        if age_band == "under_16", guardian != true {
            throw Problem(422, "guardian_required", "Under 16, a guardian must have agreed", field: "guardian")
        }
        guard device_key != nil else { return }
        guard let key, (try? P256.Signing.PublicKey(x963Representation: key)) != nil else {
            throw Problem(
                422, "bad_format", "device_key is a P-256 public key, uncompressed, in base64", field: "device_key")
        }
    }

    private static func problem(_ error: DecodingError) -> Problem {
        func name(_ path: [any CodingKey]) -> String? {
            path.isEmpty ? nil : path.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, _):
            return Problem(422, "missing_field", "\(key.stringValue) is required", field: key.stringValue)
        case .valueNotFound(_, let context):
            return Problem(
                422, "missing_field", "\(name(context.codingPath) ?? "a field") is required",
                field: name(context.codingPath))
        case .typeMismatch(_, let context) where context.codingPath.isEmpty:
            return Problem(422, "not_an_object", "The body is not a JSON object")
        case .typeMismatch(_, let context):
            return Problem(
                422, "wrong_type", "\(name(context.codingPath) ?? "a field") is of another type",
                field: name(context.codingPath))
        default: return Problem(422, "malformed", "The body is not JSON")
        }
    }
}
