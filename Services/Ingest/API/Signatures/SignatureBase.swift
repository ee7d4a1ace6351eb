import IngestUploads

/// What is signed: a line for each covered component, then the parameters (RFC 9421 §2.5).
///
///     "@method": PUT
///     "@path": /v1/me/payout
///     "content-digest": sha-256=:X48E9q…=:
///     "@signature-params": ("@method" "@path" "content-digest");created=1760000000
enum SignatureBase {
    /// - Parameter value: of a component; nil if the message has it not.
    /// - Throws: ``DeviceAPIError`` 403 `signature_invalid` naming a component that is not there.
    static func text(_ signature: MessageSignature, value: (String) -> String?) throws(DeviceAPIError) -> String {
        var text = ""
        for name in signature.components {
            guard let value = value(name) else {
                throw .badSignatureInput("the request has no \(name.prefix(40))")
            }
            text += "\"\(name)\": \(value)\n"
        }
        return text + "\"@signature-params\": \(signature.parameters)"
    }
}
