internal import Models
internal import ServiceKit

/// Africa's Talking: airtime by a form. Knows a key for five minutes; asked by its own `requestId`, which it gives in its answer.
/// That it can be asked so, and what it answers, is known second-hand; Cameroon is not verified.
struct AfricasTalkingDialect: ProviderDialect {
    let account: ProviderAccount
    let name = "africastalking"
    /// Half of the time that it is said to know a key.
    let asking: [AskingMode] = [.providerID, .repeatedKey(within: 150_000)]
    let tokenRequest: ProviderRequest? = nil

    func order(_ call: ProviderCall, to recipient: PayoutNumber, token: String) -> ProviderRequest? {
        if !account.operators.isEmpty, account.operators[recipient.operator] == nil { return nil }
        let recipients: JSONValue = [
            ["phoneNumber": .string(recipient.phone), "amount": .string("XAF \(call.amount)")]
        ]
        let form = [("username", account.username), ("recipients", recipients.text), ("maxNumRetry", "1")]
        return ProviderRequest(
            method: .post, url: account.url + "/version1/airtime/send",
            headers: headers.merging([
                "Content-Type": "application/x-www-form-urlencoded", "Idempotency-Key": call.reference.text,
            ]) { $1 },
            body: Array(form.map { "\($0)=\($1.pathPart)" }.joined(separator: "&").utf8))
    }

    func question(_ call: ProviderCall, token: String) -> ProviderRequest {
        .get(
            account.url + "/query/transaction/find?username=\(account.username.pathPart)"
                + "&transactionId=\(call.providerID.pathPart)", headers)
    }

    func floatRequest(token: String) -> ProviderRequest {
        .get(account.url + "/version1/user?username=\(account.username.pathPart)", headers)
    }

    func answer(toOrder call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        guard (200..<300).contains(response.status), let json = response.json else {
            return .unknown("answered \(response.status)")
        }
        let first = json["responses"]?.array?.first
        let id = first?["requestId"]?.name.flatMap { $0 == "None" ? nil : $0 }
        switch first?["status"]?.string?.lowercased() {
        case "success": return .confirmed(id ?? "")
        case "sent", "queued": return id.map { .accepted($0) } ?? .processing
        case let status: return refusal(call, Self.fault(json, first), isFailed: status == "failed")
        }
    }

    /// What an order is that was not taken up.
    private func refusal(_ call: ProviderCall, _ fault: String, isFailed: Bool) -> ProviderAnswer {
        if fault.lowercased().contains("duplicate") {
            // Of an order that was given again: it was taken up before, under which name it does not say. Of one that was not, that
            // there was another like it: this one may be lost or not.
            return call.purpose == .payAgain ? .processing : .unknown(fault)
        }
        // What else is said of an order that was given again is perhaps about the second one only.
        guard call.purpose == .pay else { return .unknown(fault.isEmpty ? "an answer without a state" : fault) }
        // The key is used up: the same again would be a duplicate.
        if fault.lowercased().contains("insufficient") { return .unfunded(fault, isReferenceUsed: true) }
        if isFailed { return .failed(fault.isEmpty ? "failed" : fault) }
        return .unknown(fault.isEmpty ? "an answer without a state" : fault)
    }

    /// What it says is wrong, of the recipient or the request; empty if nothing is.
    private static func fault(_ json: JSONValue, _ first: JSONValue?) -> String {
        [first?["errorMessage"]?.string, json["errorMessage"]?.string].compactMap { $0 }.first { $0 != "None" } ?? ""
    }

    func answer(toQuestion call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        guard (200..<300).contains(response.status), let json = response.json else {
            return .unknown("answered \(response.status)")
        }
        switch (json["data"]?["status"] ?? json["status"])?.string?.lowercased() {
        case "success": return .confirmed(call.providerID)
        case "failed":
            let words = json["data"]?["description"]?.string ?? "failed"
            return words.lowercased().contains("insufficient")
                ? .unfunded(words, isReferenceUsed: true) : .failed(words)
        case "sent", "queued", "pending", "pendingconfirmation": return .accepted(call.providerID)
        default: return .unknown("an answer without a state")
        }
    }

    func float(_ response: ProviderResponse) -> Int64? {
        // "XAF 1785.50"
        let words = response.json?["UserData"]?["balance"]?.string?.split(separator: " ") ?? []
        guard words.count == 2, words[0] == "XAF" else { return nil }
        return JSONValue.string(String(words[1])).wholeNumber
    }

    private var headers: [String: String] { ["apiKey": account.secret("api_key"), "Accept": "application/json"] }
}
