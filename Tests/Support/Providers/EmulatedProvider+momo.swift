import Foundation

/// MTN MoMo disbursement: `POST /disbursement/token/`, `POST` and `GET /disbursement/v1_0/transfer`,
/// `GET /disbursement/v1_0/account/balance`.
extension EmulatedProvider.State {
    mutating func momo(_ request: EmulatedRequest) -> EmulatedResponse? {
        guard request.headers["ocp-apim-subscription-key"] != nil else { return refusal(401, "ACCESS_DENIED") }
        if request.path == "/disbursement/token/" {
            guard request.headers["authorization"]?.hasPrefix("Basic ") == true else {
                return refusal(401, "LOGIN_FAILED")
            }
            return .json(200, ["access_token": newToken(), "token_type": "access_token", "expires_in": 3_600])
        }
        guard isAuthorized(request), request.headers["x-target-environment"] != nil else {
            return refusal(401, "ACCESS_DENIED")
        }
        switch (request.method, request.path) {
        case ("POST", "/disbursement/v1_0/transfer"): return transfer(request)
        case ("GET", "/disbursement/v1_0/account/balance"):
            return .json(200, ["availableBalance": "\(books.float(at: now))", "currency": "XAF"])
        case ("GET", let path) where path.hasPrefix("/disbursement/v1_0/transfer/"):
            let reference = path.split(separator: "/").last.map { String($0).replacing("-", with: "") } ?? ""
            guard let order = books.order(reference) else { return refusal(404, "RESOURCE_NOT_FOUND") }
            return .json(200, status(order))
        default: return EmulatedResponse(404)
        }
    }

    private mutating func transfer(_ request: EmulatedRequest) -> EmulatedResponse? {
        let json = request.json
        guard let uuid = request.headers["x-reference-id"], let id = UUID(uuidString: uuid),
            // Of version 4.
            uuid.split(separator: "-")[2].first == "4", id.uuidString.lowercased() == uuid,
            let amount = (json["amount"] as? String).flatMap({ Int64($0) }), json["currency"] as? String == "XAF",
            let payee = json["payee"] as? [String: String], payee["partyIdType"] == "MSISDN",
            let phone = payee["partyId"],
            !phone.hasPrefix("+")
        else { return refusal(400, "INVALID_REQUEST") }
        let reference = uuid.replacing("-", with: "")
        guard books.order(reference) == nil else {
            books.refusedReferences.append(reference)
            return refusal(409, "RESOURCE_ALREADY_EXIST")
        }
        guard books.float(at: now) >= amount else {
            // Taken up, and told as failed when it is asked about.
            var fate = EmulatedFate()
            fate.state = .failed
            _ = books.add(reference, phone: phone, amount: amount, at: now, fate, isUnfunded: true)
            return EmulatedResponse(202)
        }
        return take(reference, phone: phone, amount: amount) { _ in EmulatedResponse(202) }
    }

    private func status(_ order: EmulatedBooks.Order) -> [String: Any] {
        var status: [String: Any] = [
            "amount": "\(order.amount)", "currency": "XAF", "externalId": order.reference,
            "payee": ["partyIdType": "MSISDN", "partyId": order.phone],
        ]
        switch order.state(at: now) {
        case .processing: status["status"] = "PENDING"
        case .paid:
            status["status"] = "SUCCESSFUL"
            status["financialTransactionId"] = "\(order.id)"
        case .failed:
            status["status"] = "FAILED"
            status["reason"] = [
                "code": order.isUnfunded ? "NOT_ENOUGH_FUNDS" : "SERVICE_UNAVAILABLE", "message": "later",
            ]
        case .rejected:
            status["status"] = "FAILED"
            status["reason"] = "PAYEE_NOT_FOUND"
        case .reversed:
            status["status"] = "FAILED"
            status["reason"] = "TRANSACTION_CANCELED"
        }
        return status
    }
}

/// What MoMo says to a request that it does not take.
private func refusal(_ status: Int, _ code: String) -> EmulatedResponse {
    .json(status, ["code": code, "message": "refused"])
}
