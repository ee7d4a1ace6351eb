internal import Models
internal import ServiceKit

/// MTN MoMo disbursement: money, not airtime, to numbers of MTN. The reference is a UUID; the same again is refused with 409;
/// asked by it.
struct MoMoDialect: ProviderDialect {
    /// Reasons that another attempt will meet again.
    private static let final: Set<String> = [
        "PAYEE_NOT_FOUND", "PAYEE_NOT_ALLOWED_TO_RECEIVE", "NOT_ALLOWED", "INVALID_CURRENCY", "PAYEE_LIMIT_REACHED",
    ]

    /// Nothing is left to pay from.
    private static let unfunded = "NOT_ENOUGH_FUNDS"

    let account: ProviderAccount
    let name = "momo"
    let asking: [AskingMode] = [.reference]

    var tokenRequest: ProviderRequest? {
        ProviderRequest(
            method: .post, url: account.url + "/disbursement/token/",
            headers: [
                "Authorization": account.basic("user", "key"),
                "Ocp-Apim-Subscription-Key": account.secret("subscription_key"),
            ])
    }

    func order(_ call: ProviderCall, to recipient: PayoutNumber, token: String) -> ProviderRequest? {
        guard account.operators[recipient.operator] != nil else { return nil }
        var headers = headers(token)
        headers["X-Reference-Id"] = call.reference.uuid
        if let url = account.callbackURL { headers["X-Callback-Url"] = url }
        return .post(
            account.url + "/disbursement/v1_0/transfer", headers,
            json: [
                "amount": .string("\(call.amount)"), "currency": "XAF", "externalId": .string(call.reference.text),
                "payee": ["partyIdType": "MSISDN", "partyId": .string(String(recipient.phone.dropFirst()))],
                "payerMessage": "Nkul", "payeeNote": "Nkul",
            ])
    }

    func question(_ call: ProviderCall, token: String) -> ProviderRequest {
        .get(account.url + "/disbursement/v1_0/transfer/\(call.reference.uuid)", headers(token))
    }

    func floatRequest(token: String) -> ProviderRequest {
        .get(account.url + "/disbursement/v1_0/account/balance", headers(token))
    }

    func answer(toOrder call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        let reason = Self.reason(response.json)
        switch response.status {
        case 200..<300: return .accepted(call.reference.uuid)
        case 400 where reason == Self.unfunded: return .unfunded(reason, isReferenceUsed: true)
        case 400: return .failed("refused: \(reason)")
        // 409, that the reference was used before, says that there is something to ask about.
        default: return .unknown("answered \(response.status) \(reason)")
        }
    }

    func answer(toQuestion call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        // 404 of another server, or of a wrong address, says nothing.
        if response.status == 404, response.json?["code"]?.string == "RESOURCE_NOT_FOUND" { return .notFound }
        guard (200..<300).contains(response.status) else { return .unknown("answered \(response.status)") }
        switch response.json?["status"]?.string?.uppercased() {
        case "SUCCESSFUL": return .confirmed(response.json?["financialTransactionId"]?.name ?? call.reference.uuid)
        case "FAILED":
            let reason = Self.reason(response.json?["reason"])
            if reason == Self.unfunded { return .unfunded(reason, isReferenceUsed: true) }
            return Self.final.contains(reason) ? .rejected(reason) : .failed(reason)
        case "PENDING": return .processing
        default: return .unknown("an answer without a state")
        }
    }

    func float(_ response: ProviderResponse) -> Int64? { response.json?["availableBalance"]?.wholeNumber }

    /// Written as a text in older versions, as an object with a code in newer ones.
    private static func reason(_ json: JSONValue?) -> String { json?.string ?? json?["code"]?.string ?? "" }

    private func headers(_ token: String) -> [String: String] {
        [
            "Authorization": "Bearer \(token)", "X-Target-Environment": account.environment,
            "Ocp-Apim-Subscription-Key": account.secret("subscription_key"), "Accept": "application/json",
        ]
    }
}
