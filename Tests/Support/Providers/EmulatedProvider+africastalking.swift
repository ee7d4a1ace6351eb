import Foundation

/// Africa's Talking: `POST /version1/airtime/send`, `GET /query/transaction/find`, `GET /version1/user`.
extension EmulatedProvider.State {
    mutating func africasTalking(_ request: EmulatedRequest) -> EmulatedResponse? {
        guard request.headers["apikey"] != nil else {
            return EmulatedResponse(401, Data("The supplied API Key is invalid".utf8))
        }
        switch (request.method, request.path) {
        case ("POST", "/version1/airtime/send"): return sendAirtime(request)
        case ("GET", "/query/transaction/find"):
            let id = request.query["transactionId"]?.split(separator: "_").last.flatMap { Int64($0) }
            guard let order = books.order(id: id) else { return .json(200, ["status": "NotFound", "data": NSNull()]) }
            return .json(
                200, ["status": "Success", "data": ["status": Self.word(order.state(at: now)), "description": "none"]])
        case ("GET", "/version1/user"):
            return .json(200, ["UserData": ["balance": "XAF \(books.float(at: now)).5000"]])
        default: return EmulatedResponse(404)
        }
    }

    private mutating func sendAirtime(_ request: EmulatedRequest) -> EmulatedResponse? {
        let form = request.form, list = Data((form["recipients"] ?? "").utf8)
        guard form["username"] != nil, let key = request.headers["idempotency-key"],
            let recipients = (try? JSONSerialization.jsonObject(with: list)) as? [[String: String]],
            let recipient = recipients.first, let phone = recipient["phoneNumber"],
            let amount = recipient["amount"]?.split(separator: " ").last.flatMap({ Int64($0) })
        else { return EmulatedResponse(400) }
        if let earlier = books.order(key), now - earlier.at < rules.keyTime {
            books.refusedReferences.append(key)
            return result("A duplicate request was received within the last 5 minutes", [])
        }
        guard books.float(at: now) >= amount else {
            // The key is known from now on.
            var fate = EmulatedFate()
            fate.state = .failed
            _ = books.add(key, phone: phone, amount: amount, at: now, fate, isUnfunded: true)
            return result("Insufficient balance", [])
        }
        let clock = now
        return take(key, phone: phone, amount: amount) { order in
            let state = order.state(at: clock), isRefused = state == .failed || state == .rejected
            return result(
                "None",
                [
                    [
                        "phoneNumber": phone, "amount": "XAF \(amount).0000", "discount": "XAF 0.0000",
                        "requestId": isRefused ? "None" : "ATQid_\(order.id)", "status": isRefused ? "Failed" : "Sent",
                        "errorMessage": isRefused ? "Failed to send" : "None",
                    ]
                ])
        }
    }

    private static func word(_ state: EmulatedState) -> String {
        switch state {
        case .processing: "Queued"
        case .paid: "Success"
        case .failed, .rejected, .reversed: "Failed"
        }
    }
}

/// What Africa's Talking answers to an order.
private func result(_ fault: String, _ responses: [[String: String]]) -> EmulatedResponse {
    .json(
        201,
        [
            "errorMessage": fault, "numSent": responses.count, "totalAmount": "XAF 0", "totalDiscount": "XAF 0",
            "responses": responses,
        ])
}
