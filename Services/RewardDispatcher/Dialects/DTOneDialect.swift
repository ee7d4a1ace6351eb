internal import Models
internal import ServiceKit

/// DT One (DVS): airtime and data by product. Refuses an `external_id` that it has seen; asked by it. Takes payments back after
/// they were completed.
struct DTOneDialect: ProviderDialect {
    private static let usedReference: Int64 = 1_007_001
    private static let balance: Int64 = 1_006_001

    let account: ProviderAccount
    let name = "dtone"
    let asking: [AskingMode] = [.reference]
    let tokenRequest: ProviderRequest? = nil

    func order(_ call: ProviderCall, to recipient: PayoutNumber, token: String) -> ProviderRequest? {
        guard let product = account.operators[recipient.operator] else { return nil }
        var body: [String: JSONValue] = [
            "external_id": .string(call.reference.text),
            "product_id": Int64(product).map { .integer($0) } ?? .string(product),
            "calculation_mode": "DESTINATION_AMOUNT",
            "destination": ["amount": .integer(call.amount), "unit": "XAF", "unit_type": "CURRENCY"],
            "auto_confirm": true, "credit_party_identifier": ["mobile_number": .string(recipient.phone)],
        ]
        if let url = account.callbackURL { body["callback_url"] = .string(url) }
        return .post(account.url + "/async/transactions", headers, json: .object(body))
    }

    func question(_ call: ProviderCall, token: String) -> ProviderRequest {
        .get(account.url + "/transactions?external_id=\(call.reference.text)", headers)
    }

    func floatRequest(token: String) -> ProviderRequest {
        .get(account.url + "/balances?unit_type=CURRENCY&unit=XAF", headers)
    }

    func answer(toOrder call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        if (200..<300).contains(response.status) { return word(response.json) }
        let codes = (response.json?["errors"]?.array ?? []).compactMap { $0["code"]?.wholeNumber }
        guard (400..<500).contains(response.status), !codes.isEmpty, !codes.contains(Self.usedReference) else {
            return .unknown("answered \(response.status) \(codes)")
        }
        return codes.contains(Self.balance)
            ? .unfunded("balance \(codes)", isReferenceUsed: false) : .failed("refused \(codes)")
    }

    func answer(toQuestion call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        guard (200..<300).contains(response.status), let found = response.json?.array else {
            return .unknown("answered \(response.status)")
        }
        guard let own = found.first(where: { $0["external_id"]?.string == call.reference.text }) else {
            return found.isEmpty ? .notFound : .unknown("an answer about others")
        }
        return word(own)
    }

    func float(_ response: ProviderResponse) -> Int64? {
        let balances = response.json?.array ?? []
        return balances.first { ($0["unit"]?.string ?? "XAF") == "XAF" }?["available"]?.wholeNumber
    }

    /// The state begins with the word of its class, and may go on: `REJECTED-INVALID-MOBILE-NUMBER`.
    private func word(_ json: JSONValue?) -> ProviderAnswer {
        let id = json?["id"]?.name ?? "", status = json?["status"]
        let text = (status?["message"]?.string ?? status?["class"]?["message"]?.string ?? "").uppercased()
        switch text.prefix(while: { $0.isLetter }) {
        case "COMPLETED": return .confirmed(id)
        case "REVERSED": return .reversed(text)
        case "REJECTED", "DECLINED":
            return ["INVALID", "BARRED", "BLOCKED", "LIMIT"].contains(where: text.contains)
                ? .rejected(text) : .failed(text)
        case "CANCELLED": return .failed(text)
        default: return id.isEmpty ? .unknown("an answer without a state") : .accepted(id)
        }
    }

    private var headers: [String: String] {
        ["Authorization": account.basic("key", "secret"), "Accept": "application/json"]
    }
}
