internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import IngestCommands
internal import IngestSupport
internal import IngestUploads
internal import RawStructuredFieldValues

/// Whether a passkey was made or used just now, for our origin, by a person whom the phone has verified (WebAuthn level 2, 7.1 and
/// 7.2). Pure.
///
/// Authenticators of any maker are taken: attestation is not asked for.
struct PasskeyGate {
    let origin: PasskeyOrigin
    /// What was to be signed; nil: nothing was.
    let challenge: [UInt8]?

    /// A passkey as a browser has made it.
    struct Made: Decodable {
        let client_data: String
        let authenticator_data: String
        /// SubjectPublicKeyInfo.
        let public_key: String
        let algorithm: Int64
    }

    /// A use as the field `Nkul-Passkey` says it: a dictionary of byte sequences (RFC 9651).
    ///
    ///     Nkul-Passkey: client-data=:…:, authenticator-data=:…:, signature=:…:
    struct Use: Equatable {
        let clientData: [UInt8]
        let authenticatorData: [UInt8]
        let signature: [UInt8]

        /// - Throws: ``DeviceAPIError`` 403 `passkey_invalid`.
        init(_ field: String) throws(DeviceAPIError) {
            var parser = StructuredFieldValueParser(Array(field.utf8))
            guard let members = try? parser.parseDictionaryFieldValue() else { throw .badPasskey("it is not read") }
            func bytes(_ name: String) throws(DeviceAPIError) -> [UInt8] {
                guard case .item(let item)? = members[name],
                    case .undecodedByteSequence(let text) = item.rfc9651BareItem, text.utf8.count <= 8_192,
                    let data = Data(base64Encoded: text)
                else { throw .badPasskey("\(name) is missing, or is no byte sequence") }
                return [UInt8](data)
            }
            clientData = try bytes("client-data")
            authenticatorData = try bytes("authenticator-data")
            signature = try bytes("signature")
        }
    }

    /// Checks a passkey that is new.
    ///
    /// - Throws: ``DeviceAPIError`` 422 for what cannot be read, 403 `passkey_invalid` for the rest.
    func check(_ made: Made, now: Int64) throws(DeviceAPIError) -> Passkey {
        let client = try Self.bytes(made.client_data, "client_data")
        let authenticator = try Self.bytes(made.authenticator_data, "authenticator_data")
        let key = try Self.bytes(made.public_key, "public_key")
        guard let algorithm = Passkey.Algorithm(rawValue: made.algorithm) else {
            throw DeviceAPIError(.outOfRange, "algorithm is -7 (ES256) or -257 (RS256)", field: "algorithm")
        }
        let data = try check(client, authenticator, .create)
        guard data.hasCredential else { throw .badPasskey("authenticator_data has no credential") }
        let passkey = Passkey(algorithm: algorithm, publicKey: key, signCount: data.signCount, madeAt: now)
        guard key.count <= Passkey.mostBytes, Self.isKey(passkey) else {
            throw DeviceAPIError(
                .badFormat, "public_key is a SubjectPublicKeyInfo of P-256, or RSA with 2048 to 4096 bits",
                field: "public_key")
        }
        return passkey
    }

    /// Checks a use.
    ///
    /// - Returns: how often the passkey was used. What changes anything takes only a count that has risen.
    /// - Throws: ``DeviceAPIError`` 403 `passkey_invalid`.
    func check(_ use: Use, by passkey: Passkey) throws(DeviceAPIError) -> UInt32 {
        let data = try check(use.clientData, use.authenticatorData, .get)
        let signed = use.authenticatorData + Array(SHA256.hash(data: use.clientData))
        guard Self.isSignature(use.signature, of: signed, by: passkey) else {
            throw .badPasskey("signature is not by the passkey over this")
        }
        return data.signCount
    }

    private func check(
        _ clientBytes: [UInt8], _ authenticatorBytes: [UInt8], _ kind: ClientData.Kind
    ) throws(DeviceAPIError) -> AuthenticatorData {
        guard let client = ClientData(clientBytes) else { throw .badPasskey("client-data is not read") }
        guard client.type == kind.rawValue else { throw .badPasskey("client-data is not of \(kind.rawValue)") }
        guard let challenge, client.challenge == Base64URL.text(challenge) else {
            throw .badPasskey("its challenge is not the open one: ask for another, each counts once, for 5 minutes")
        }
        guard client.origin == origin.text, client.crossOrigin != true else {
            throw .badPasskey("its origin is not \(origin.text)")
        }
        guard let data = AuthenticatorData(authenticatorBytes) else {
            throw .badPasskey("authenticator-data is not read")
        }
        guard data.isOf(origin.relyingParty) else { throw .badPasskey("it is not of \(origin.relyingParty)") }
        guard data.isVerified else { throw .badPasskey("it was not verified who is there") }
        return data
    }

    private static func bytes(_ text: String, _ field: String) throws(DeviceAPIError) -> [UInt8] {
        guard let bytes = Base64URL.bytes(text, most: 4_096) else {
            throw DeviceAPIError(.badFormat, "\(field) is base64url without padding, up to 4096 bytes", field: field)
        }
        return bytes
    }

    private static func isKey(_ passkey: Passkey) -> Bool {
        switch passkey.algorithm {
        case .es256: (try? P256.Signing.PublicKey(derRepresentation: passkey.publicKey)) != nil
        case .rs256:
            (try? _RSA.Signing.PublicKey(derRepresentation: passkey.publicKey))
                .map { (2_048...4_096).contains($0.keySizeInBits) } ?? false
        }
    }

    private static func isSignature(_ signature: [UInt8], of signed: [UInt8], by passkey: Passkey) -> Bool {
        switch passkey.algorithm {
        case .es256:
            guard let key = try? P256.Signing.PublicKey(derRepresentation: passkey.publicKey),
                let made = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(made, for: signed)
        case .rs256:
            guard let key = try? _RSA.Signing.PublicKey(derRepresentation: passkey.publicKey) else { return false }
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: signed, padding: .insecurePKCS1v1_5)
        }
    }
}

extension DeviceAPIError {
    static func badPasskey(_ detail: String) -> DeviceAPIError {
        DeviceAPIError(.passkeyInvalid, detail, field: PasskeyUse.field)
    }
}
