internal import Crypto
internal import IngestSupport
internal import IngestUploads
internal import Models

/// Whether a request was signed, just now and as it is, with the key that its device enrolled with. Pure.
///
/// HTTP message signatures (RFC 9421) by ECDSA P-256 with SHA-256, over method, path, query if there is one, and the hash of
/// the body if there is one (RFC 9530).
struct SignatureGate {
    /// How far `created` may lie from now, seconds.
    static let tolerance: Int64 = 300
    static let algorithm = "ecdsa-p256-sha256"

    /// X9.63 form.
    let key: [UInt8]

    /// Checks a request.
    ///
    /// - Returns: when it was signed, Unix seconds. What changes anything must be later than the last such time of the device
    ///   (``IngestStore/takeSignature(of:madeAt:)``), so that nothing happens twice.
    /// - Throws: ``DeviceAPIError`` 403 `signature_required`, `signature_invalid`, `signature_expired`.
    func check(_ head: RequestHead, _ body: [UInt8], now: UnixMilliseconds) throws(DeviceAPIError) -> Int64 {
        guard let input = head.component("signature-input"), let value = head.component("signature") else {
            throw .signatureRequired
        }
        let signature = try MessageSignature(input: input, signature: value)
        try checkCover(signature, head, body)
        try checkTime(signature, now: now / 1_000)
        if let digest = head.component("content-digest") { try ContentDigest.check(digest, body) }
        let base = try SignatureBase.text(signature) { head.component($0) }
        try verify(signature, base)
        return signature.created
    }

    /// Checks the signature alone.
    func verify(_ signature: MessageSignature, _ base: String) throws(DeviceAPIError) {
        guard signature.algorithm.map({ $0 == Self.algorithm }) ?? true else {
            throw .badSignatureInput("alg is \(Self.algorithm) here")
        }
        guard let key = try? P256.Signing.PublicKey(x963Representation: key),
            let made = try? P256.Signing.ECDSASignature(rawRepresentation: signature.bytes),
            key.isValidSignature(made, for: Array(base.utf8))
        else {
            throw .badSignature("it was not made with the device's key over this request; it has 64 bytes, r and s")
        }
    }

    private func checkCover(_ signature: MessageSignature, _ head: RequestHead, _ body: [UInt8]) throws(DeviceAPIError)
    {
        var needed = ["@method", "@path"]
        if head.component("@query") != "?" { needed.append("@query") }
        if !body.isEmpty { needed.append("content-digest") }
        for name in needed where !signature.components.contains(name) {
            throw .badSignatureInput("\(name) is not covered")
        }
    }

    private func checkTime(_ signature: MessageSignature, now: Int64) throws(DeviceAPIError) {
        let (age, isLost) = now.subtractingReportingOverflow(signature.created)
        guard !isLost, abs(age) <= Self.tolerance else {
            throw .signatureExpired(
                "created is \(isLost ? "not a time of today" : "\(age) s ago"); at most \(Self.tolerance) s either way")
        }
        if let expires = signature.expires, expires < now {
            throw .signatureExpired("expires was \(now - expires) s ago")
        }
    }
}
