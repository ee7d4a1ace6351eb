internal import Foundation
internal import Models
internal import ServiceKit
internal import Storage

/// How a provider is reached and who we are there: from a file that anybody may read, and one of secrets that nobody else may.
///
///     {"url": "https://…", "token_url": "https://…", "operators": {"62401": "341"}, "username": "…", "environment": "…",
///      "callback_url": "https://…"}
struct ProviderAccount: Sendable {
    /// Without a slash at its end.
    var url: String
    var tokenURL: String?
    /// What the provider calls operators or their products, by PLMN.
    var operators: [String: String]
    var username: String
    var environment: String
    var callbackURL: String?
    /// By their names; never shown.
    var secrets: [String: String]

    func secret(_ name: String) -> String { secrets[name] ?? "" }

    /// The header `Authorization` of the basic scheme.
    func basic(_ user: String, _ password: String) -> String {
        "Basic " + Data("\(secret(user)):\(secret(password))".utf8).base64EncodedString()
    }
}

extension ProviderAccount {
    /// Reads the two files.
    ///
    /// - Parameters:
    ///   - standard: where the provider is, if the file does not say; nil if it has to.
    ///   - needs: members that must be there.
    ///   - secrets: names of the secrets that must be there.
    /// - Throws: `ServiceError` of code `usage` naming the file and each member at fault, never a secret.
    init(
        file: String?, secretsFile: String, standard: String?, needs: [String] = [], secrets names: [String]
    ) throws {
        let key = "NKUL_REWARD_DISPATCHER_PROVIDER_FILE"
        var reader = DocumentReader(try file.map { try Self.members(of: SmallFile.read($0), key, $0) } ?? [:])
        url = Self.url("url", standard, &reader) ?? ""
        tokenURL = Self.url("token_url", nil, mayBeMissing: true, &reader)
        callbackURL = Self.url("callback_url", nil, mayBeMissing: true, &reader)
        username = reader.text("username", mayBeMissing: !needs.contains("username"), allowed: "text") { $0 } ?? ""
        environment =
            reader.text("environment", mayBeMissing: !needs.contains("environment"), allowed: "text") { $0 } ?? ""
        operators = Self.operators(isNeeded: needs.contains("operators"), &reader)
        reader.finish()
        guard reader.problems.isEmpty else {
            throw ServiceError(.usage, "\(key): \(file ?? "no file"): \(DocumentRefusal(reader.problems))")
        }
        secrets = try Self.secrets(names, in: secretsFile)
    }

    private static func url(
        _ name: String, _ standard: String?, mayBeMissing: Bool = false, _ reader: inout DocumentReader
    ) -> String? {
        let found: String? = reader.text(
            name, mayBeMissing: mayBeMissing || standard != nil, allowed: "https://…, or http:// to this machine"
        ) { text in
            guard let url = URL(string: text), let host = url.host, url.query == nil, url.user == nil else {
                return nil
            }
            let isHere = ["127.0.0.1", "::1", "localhost"].contains(host)
            guard url.scheme == "https" || url.scheme == "http" && isHere else { return nil }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
        return found ?? (mayBeMissing ? nil : standard)
    }

    private static func operators(isNeeded: Bool, _ reader: inout DocumentReader) -> [String: String] {
        let allowed = "PLMN: what the provider calls it, as {\"62401\": \"341\"}"
        guard let members = reader.optional("operators")?.object else {
            if isNeeded { reader.refuse("operators", "is missing", allowed: allowed) }
            return [:]
        }
        var operators: [String: String] = [:]
        for (plmn, value) in members.sorted(by: { $0.key < $1.key }) {
            guard PLMN(text: plmn) != nil, let name = value.name else {
                reader.refuse("operators.\(plmn.prefix(16))", "is none", allowed: allowed)
                continue
            }
            operators[plmn] = name
        }
        return operators
    }

    private static func secrets(_ names: [String], in file: String) throws -> [String: String] {
        let key = "NKUL_REWARD_DISPATCHER_PROVIDER_SECRETS"
        guard let bytes = try KeyStore.existing(at: file) else {
            throw ServiceError(
                .usage, "\(key): there is no file \(file); it has the JSON members \(names.joined(separator: ", "))")
        }
        var reader = DocumentReader(
            try members(of: String(decoding: bytes, as: UTF8.self), key, file), areSecret: true)
        let found = names.map { name in reader.text(name, allowed: "text") { $0.isEmpty ? nil : $0 } ?? "" }
        reader.finish()
        guard reader.problems.isEmpty else {
            throw ServiceError(.usage, "\(key): \(file): \(DocumentRefusal(reader.problems))")
        }
        return Dictionary(uniqueKeysWithValues: zip(names, found))
    }

    private static func members(of text: String, _ key: String, _ file: String) throws -> [String: JSONValue] {
        guard let members = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)).object else {
            throw ServiceError(.usage, "\(key): \(file) is not a JSON object")
        }
        return members
    }
}
