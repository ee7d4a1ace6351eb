internal import Foundation
internal import IngestCommands
internal import IngestUploads
internal import RawStructuredFieldValues

/// The first signature of a request, as `Signature-Input` and `Signature` say it (RFC 9421 §4).
///
///     Signature-Input: sig1=("@method" "@path" "content-digest");created=1760000000
///     Signature: sig1=:MEUCIQ…:
struct MessageSignature: Equatable {
    /// What it covers, in its order; component names have no parameters.
    let components: [String]
    /// When it was made, Unix seconds.
    let created: Int64
    /// When it ends to be good, Unix seconds; nil if it was not said.
    let expires: Int64?
    /// nil if it was not said.
    let algorithm: String?
    /// The value of `@signature-params`, serialized as RFC 9421 §2.3 wants it.
    let parameters: String
    let bytes: [UInt8]

    /// Reads the two fields.
    ///
    /// - Throws: ``DeviceAPIError`` 403 `signature_invalid` naming the field at fault.
    init(input: String, signature: String) throws(DeviceAPIError) {
        guard let (label, list) = Self.first(of: input) else { throw .badSignatureInput("it is not read") }
        var components: [String] = []
        for item in list.bareInnerList {
            guard case .string(let name) = item.rfc9651BareItem,
                item.rfc9651Parameters.first(where: { _ in true }) == nil
            else { throw .badSignatureInput("components have names and no parameters") }
            guard !components.contains(name) else { throw .badSignatureInput("\(name.prefix(40)) is covered twice") }
            components.append(name)
        }
        guard case .integer(let created)? = list.rfc9651Parameters["created"] else {
            throw .badSignatureInput("created is required")
        }
        self.components = components
        self.created = created
        if case .integer(let time)? = list.rfc9651Parameters["expires"] { expires = time } else { expires = nil }
        if case .string(let name)? = list.rfc9651Parameters["alg"] { algorithm = name } else { algorithm = nil }
        var serializer = StructuredFieldValueSerializer()
        guard let text = try? serializer.writeListFieldValue([.innerList(list)]) else {
            throw .badSignatureInput("it is not read")
        }
        parameters = String(decoding: text, as: UTF8.self)
        bytes = try Self.bytes(label, signature)
    }

    private static func first(of input: String) -> (label: String, list: InnerList)? {
        var parser = StructuredFieldValueParser(Array(input.utf8))
        guard let all = try? parser.parseDictionaryFieldValue(), let (label, value) = all.first(where: { _ in true }),
            case .innerList(let list) = value
        else { return nil }
        return (label, list)
    }

    private static func bytes(_ label: String, _ signature: String) throws(DeviceAPIError) -> [UInt8] {
        var parser = StructuredFieldValueParser(Array(signature.utf8))
        guard let all = try? parser.parseDictionaryFieldValue(), case .item(let item)? = all[label],
            case .undecodedByteSequence(let text) = item.rfc9651BareItem, let data = Data(base64Encoded: text)
        else { throw .badSignature("there is none under the label of Signature-Input") }
        return [UInt8](data)
    }
}

extension DeviceAPIError {
    static let signatureRequired = DeviceAPIError(.signatureRequired, field: "Signature")

    static func badSignature(_ detail: String) -> DeviceAPIError {
        DeviceAPIError(.signatureInvalid, detail, field: "Signature")
    }

    static func badSignatureInput(_ detail: String) -> DeviceAPIError {
        DeviceAPIError(.signatureInvalid, detail, field: "Signature-Input")
    }

    static func badDigest(_ detail: String) -> DeviceAPIError {
        DeviceAPIError(.signatureInvalid, detail, field: "Content-Digest")
    }

    static func signatureExpired(_ detail: String) -> DeviceAPIError {
        DeviceAPIError(.signatureExpired, detail, field: "Signature-Input")
    }
}
