internal import Foundation
internal import Models
internal import ServiceKit

/// Reloadly: airtime, by OAuth tokens. Refuses a `customIdentifier` that it has seen. Asked by its own id, or without one by the
/// history of our reference.
struct ReloadlyDialect: ProviderDialect {
    /// Refusals that are not the order's fault; it was not carried out.
    private static let temporary: Set<String> = [
        "PHONE_RECENTLY_RECHARGED", "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT",
        "SERVICE_TO_OPERATOR_TEMPORARILY_UNAVAILABLE",
    ]
    /// Refusals that another attempt will meet again.
    private static let final: Set<String> = [
        "INVALID_PHONE_NUMBER", "INVALID_RECIPIENT_PHONE", "INVALID_AMOUNT_FOR_OPERATOR",
        "OPERATOR_UNAVAILABLE_FOR_COUNTRY",
        "IMPOSSIBLE_AMOUNT",
    ]

    let account: ProviderAccount
    let name = "reloadly"
    let asking: [AskingMode] = [.reference]

    var tokenRequest: ProviderRequest? {
        .post(
            (account.tokenURL ?? "https://auth.reloadly.com") + "/oauth/token", ["Accept": "application/json"],
            json: [
                "client_id": .string(account.secret("client_id")),
                "client_secret": .string(account.secret("client_secret")),
                "grant_type": "client_credentials", "audience": .string(account.url),
            ])
    }

    func order(_ call: ProviderCall, to recipient: PayoutNumber, token: String) -> ProviderRequest? {
        guard let id = account.operators[recipient.operator] else { return nil }
        return .post(
            account.url + "/topups", headers(token),
            json: [
                "operatorId": Int64(id).map { .integer($0) } ?? .string(id), "amount": .integer(call.amount),
                "useLocalAmount": true, "customIdentifier": .string(call.reference.text),
                "recipientPhone": ["countryCode": "CM", "number": .string(String(recipient.phone.dropFirst()))],
            ])
    }

    func question(_ call: ProviderCall, token: String) -> ProviderRequest {
        .get(
            account.url
                + (call.providerID.isEmpty
                    ? "/topups/reports/transactions?customIdentifier=\(call.reference.text)"
                    : "/topups/\(call.providerID.pathPart)/status"),
            headers(token))
    }

    func floatRequest(token: String) -> ProviderRequest { .get(account.url + "/accounts/balance", headers(token)) }

    func answer(toOrder call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        let json = response.json
        switch response.status {
        case 200..<300: return word(json)
        case 400..<500:
            let code = json?["errorCode"]?.string ?? ""
            if Self.temporary.contains(code) { return .failed(code) }
            if Self.final.contains(code) { return .rejected(code) }
            if code == "INSUFFICIENT_BALANCE" { return .unfunded(code, isReferenceUsed: false) }
            // That the reference was used before says that there is something to ask about.
            return .unknown("answered \(response.status) \(code)")
        default: return .unknown("answered \(response.status)")
        }
    }

    func answer(toQuestion call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        guard (200..<300).contains(response.status), let json = response.json else {
            return .unknown("answered \(response.status)")
        }
        guard call.providerID.isEmpty else {
            return word(json["transaction"] ?? json, status: json["status"], id: call.providerID)
        }
        guard let transactions = json["content"]?.array else { return .unknown("an answer without content") }
        let own = transactions.filter { $0["customIdentifier"]?.string == call.reference.text }
        return own.first.map { word($0) } ?? (transactions.isEmpty ? .notFound : .unknown("an answer about others"))
    }

    func float(_ response: ProviderResponse) -> Int64? { response.json?["balance"]?.wholeNumber }

    private func word(_ json: JSONValue?, status: JSONValue? = nil, id: String? = nil) -> ProviderAnswer {
        let id = json?["transactionId"]?.name ?? id ?? ""
        switch (status ?? json?["status"])?.string?.uppercased() {
        case "SUCCESSFUL": return .confirmed(id)
        case "REFUNDED": return .failed("refunded")
        case "FAILED": return .failed("failed")
        case "PROCESSING": return id.isEmpty ? .processing : .accepted(id)
        default: return id.isEmpty ? .unknown("an answer without a state") : .accepted(id)
        }
    }

    private func headers(_ token: String) -> [String: String] {
        ["Authorization": "Bearer \(token)", "Accept": "application/com.reloadly.topups-v1+json"]
    }
}

extension String {
    /// As a part of a path or a value of a query.
    var pathPart: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~"))) ?? ""
    }
}
