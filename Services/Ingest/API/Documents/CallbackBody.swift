internal import Foundation
internal import IngestUploads
internal import Models
internal import ServiceKit

/// What a provider of rewards calls back with, read for the name of the order alone: JSON or a form, with whatever members it likes.
enum CallbackBody {
    /// Under which members providers write our reference, and their own name of the order; at the top or in one object of these.
    private static let references = ["customIdentifier", "external_id", "externalId", "referenceId"]
    private static let names = ["transactionId", "requestId", "id"]
    private static let objects = ["data", "transaction"]

    /// - Throws: ``DeviceAPIError`` 422 if it is neither, or names no order.
    static func read(_ bytes: [UInt8], of provider: String) throws(DeviceAPIError) -> ProviderCallbackDocument {
        let members = try members(bytes)
        let places = [members] + objects.compactMap { members[$0]?.object }
        func first(_ names: [String], _ read: (String) -> String?) -> String? {
            for place in places {
                for name in names { if let text = place[name].flatMap(Self.text).flatMap(read) { return text } }
            }
            return nil
        }
        let document = ProviderCallbackDocument(
            provider: provider, reference: first(references, reference), providerID: first(names, name))
        guard document.reference != nil || document.providerID != nil else {
            throw DeviceAPIError(
                .missingField,
                "an order is named by one of \((references + names).joined(separator: ", ")), at the top or in data or transaction",
                field: references[0])
        }
        return document
    }

    private static func members(_ bytes: [UInt8]) throws(DeviceAPIError) -> [String: JSONValue] {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try form(bytes) }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
            throw DeviceAPIError(.malformed)
        }
        guard let members = value.object else { throw DeviceAPIError(.notAnObject) }
        return members
    }

    private static func form(_ bytes: [UInt8]) throws(DeviceAPIError) -> [String: JSONValue] {
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("=") else {
            throw DeviceAPIError(.malformed, "expected a JSON object or a form")
        }
        var members: [String: JSONValue] = [:]
        for pair in text.split(separator: "&") {
            let words = pair.split(separator: "=", maxSplits: 1).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            if words.count == 2 { members[words[0]] = .string(words[1]) }
        }
        return members
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// What can be a reference of ours: 32 hexadecimal digits, perhaps written as a UUID.
    private static func reference(_ text: String) -> String? {
        let digits = text.replacing("-", with: "").lowercased()
        let isHexadecimal = digits.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        return digits.utf8.count == 32 && isHexadecimal ? digits : nil
    }

    /// What can be a provider's name of an order.
    private static func name(_ text: String) -> String? {
        (1...ProviderCallbackDocument.mostCharacters).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : nil
    }
}
