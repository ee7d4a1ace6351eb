import Crypto
import Foundation
import HTTPTypes

/// A phone with a key, which signs its requests as `docs/devices.md` tells phones to.
struct SigningPhone {
    let key = P256.Signing.PrivateKey()

    var enrolment: String {
        let point = key.publicKey.x963Representation.base64EncodedString()
        return APIBench.enrolment
            .replacing(#"{"platform""#, with: #"{"device_key":"\#(point)","platform""#)
            .replacing(#""call_events":true"#, with: #""call_events":true,"rewards":true"#)
    }

    /// The fields of a signed request.
    ///
    /// - Parameters:
    ///   - created: Unix seconds.
    ///   - signed: what is signed in place of the body.
    func fields(
        _ method: String, _ path: String, _ body: [UInt8] = [], token: String, created: Int64 = Reading.now / 1_000,
        cover: [String]? = nil, more: String = "", signed: [UInt8]? = nil
    ) throws -> HTTPFields {
        let parts = path.split(separator: "?", maxSplits: 1)
        let digest = "sha-256=:\(Data(SHA256.hash(data: signed ?? body)).base64EncodedString()):"
        let values = [
            "@method": method, "@path": String(parts[0]), "@query": "?" + (parts.count > 1 ? parts[1] : ""),
            "content-digest": digest,
        ]
        let names =
            cover ?? ["@method", "@path"] + (parts.count > 1 ? ["@query"] : [])
            + (body.isEmpty ? [] : ["content-digest"])
        let input = "(\(names.map { "\"\($0)\"" }.joined(separator: " ")));created=\(created)\(more)"
        let base = names.map { "\"\($0)\": \(values[$0]!)\n" }.joined() + "\"@signature-params\": \(input)"
        let made = try key.signature(for: Data(base.utf8)).rawRepresentation.base64EncodedString()
        var fields: HTTPFields = [.authorization: "Bearer \(token)", .contentType: "application/json"]
        fields[.signatureInput] = "sig1=\(input)"
        fields[.signature] = "sig1=:\(made):"
        if !body.isEmpty { fields[.contentDigest] = digest }
        return fields
    }
}

extension HTTPField.Name {
    static let signature = HTTPField.Name("Signature")!
    static let signatureInput = HTTPField.Name("Signature-Input")!
    static let contentDigest = HTTPField.Name("Content-Digest")!
}
