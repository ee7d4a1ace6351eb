import Foundation

/// Reloadly's airtime API: `POST /oauth/token`, `POST /topups`, `GET /topups/{id}/status`,
/// `GET /topups/reports/transactions`, `GET /accounts/balance`.
extension EmulatedProvider.State {
    mutating func reloadly(_ request: EmulatedRequest) -> EmulatedResponse? {
        if request.path.hasSuffix("/oauth/token") {
            guard request.json["grant_type"] as? String == "client_credentials", request.json["client_id"] is String
            else {
                return refusal(401, "INVALID_CREDENTIALS")
            }
            return .json(200, ["access_token": newToken(), "expires_in": 86_400, "token_type": "Bearer", "scope": "x"])
        }
        guard isAuthorized(request) else { return refusal(401, "TOKEN_EXPIRED") }
        switch (request.method, request.path) {
        case ("POST", "/topups"): return topUp(request)
        case ("GET", "/topups/reports/transactions"):
            let found =
                books.order(request.query["customIdentifier"] ?? "").map { [Self.transaction($0, at: now)] } ?? []
            return .json(200, ["content": found, "totalElements": found.count])
        case ("GET", "/accounts/balance"):
            return .json(
                200,
                [
                    "balance": Double(books.float(at: now)) + 0.5, "currencyCode": "XAF",
                    "updatedAt": "2026-01-01 00:00:00",
                ])
        case ("GET", let path) where path.hasSuffix("/status"):
            let id = path.split(separator: "/").dropLast().last.flatMap { Int64($0) }
            guard let order = books.order(id: id) else { return refusal(404, "TRANSACTION_NOT_FOUND") }
            return .json(
                200,
                [
                    "code": NSNull(), "message": NSNull(), "status": Self.state(of: order, at: now),
                    "transaction": Self.transaction(order, at: now),
                ])
        default: return refusal(404, "NOT_FOUND")
        }
    }

    private mutating func topUp(_ request: EmulatedRequest) -> EmulatedResponse? {
        let json = request.json, phone = json["recipientPhone"] as? [String: Any]
        guard let reference = json["customIdentifier"] as? String,
            let amount = (json["amount"] as? NSNumber)?.int64Value,
            json["operatorId"] is NSNumber, let number = phone?["number"] as? String, phone?["countryCode"] is String
        else { return refusal(400, "INVALID_REQUEST") }
        guard books.order(reference) == nil else {
            books.refusedReferences.append(reference)
            return refusal(400, "CUSTOM_IDENTIFIER_ALREADY_USED")
        }
        guard !books.isRecent(number, within: rules.gap, at: now) else {
            books.refusedPaces += 1
            return refusal(400, "PHONE_RECENTLY_RECHARGED")
        }
        guard books.float(at: now) >= amount else { return refusal(400, "INSUFFICIENT_BALANCE") }
        let clock = now
        return take(reference, phone: number, amount: amount) { order in
            order.state(at: clock) == .failed
                ? refusal(400, "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT")
                : order.state(at: clock) == .rejected
                    ? refusal(400, "INVALID_PHONE_NUMBER") : .json(200, Self.transaction(order, at: clock))
        }
    }

    private static func transaction(_ order: EmulatedBooks.Order, at time: Int64) -> [String: Any] {
        [
            "transactionId": order.id, "status": state(of: order, at: time), "customIdentifier": order.reference,
            "recipientPhone": order.phone, "requestedAmount": order.amount, "requestedAmountCurrencyCode": "XAF",
            "operatorId": 341, "somethingNew": ["a": 1],
        ]
    }

    private static func state(of order: EmulatedBooks.Order, at time: Int64) -> String {
        switch order.state(at: time) {
        case .processing: "PROCESSING"
        case .paid: "SUCCESSFUL"
        case .reversed: "REFUNDED"
        case .failed, .rejected: "FAILED"
        }
    }
}

/// What Reloadly says to a request that it does not take.
private func refusal(_ status: Int, _ code: String) -> EmulatedResponse {
    .json(status, ["timeStamp": "2026-01-01 00:00:00", "message": code, "path": "/", "errorCode": code, "details": []])
}
