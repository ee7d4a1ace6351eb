internal import Crypto
internal import Foundation

/// The signature of a request as the device API wants it: HTTP message signatures (RFC 9421) by `ecdsa-p256-sha256` over method, path,
/// query if there is one, and the hash of the body if there is one (RFC 9530); `docs/devices.md`.
struct RequestSignature: Sendable, Equatable {
    /// What is signed, in UTF-8:
    ///
    ///     "@method": PUT
    ///     "@path": /v1/me/payout
    ///     "content-digest": sha-256=:…:
    ///     "@signature-params": ("@method" "@path" "content-digest");created=1760000000
    let base: [UInt8]
    private let digest: String?
    private let parameters: String

    /// - Parameter created: when it is made, Unix seconds by the service's clock.
    init(of request: DeviceRequest, created: Int64) {
        let parts = request.path.split(separator: "?", maxSplits: 1)
        var lines = [("@method", request.method), ("@path", parts.first.map(String.init) ?? "/")]
        if parts.count > 1 { lines.append(("@query", "?" + parts[1])) }
        digest =
            request.body.isEmpty
            ? nil : "sha-256=:\(Data(SHA256.hash(data: request.body)).base64EncodedString()):"
        if let digest { lines.append(("content-digest", digest)) }
        parameters = "(\(lines.map { "\"\($0.0)\"" }.joined(separator: " ")));created=\(created)"
        let text = lines.map { "\"\($0.0)\": \($0.1)\n" }.joined() + "\"@signature-params\": \(parameters)"
        base = Array(text.utf8)
    }

    /// The fields that the request needs beside its own.
    ///
    /// - Parameter bytes: r and s, 64 bytes.
    func headers(_ bytes: [UInt8]) -> [String: String] {
        var headers = [
            "Signature-Input": "kit=\(parameters)", "Signature": "kit=:\(Data(bytes).base64EncodedString()):",
        ]
        headers["Content-Digest"] = digest
        return headers
    }
}
