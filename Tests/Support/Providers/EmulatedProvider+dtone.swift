import Foundation

/// DT One's DVS API: `POST /async/transactions`, `GET /transactions`, `GET /balances`.
extension EmulatedProvider.State {
    mutating func dtone(_ request: EmulatedRequest) -> EmulatedResponse? {
        guard request.headers["authorization"]?.hasPrefix("Basic ") == true else { return refusal(401, 1_000_401) }
        switch (request.method, request.path) {
        case ("POST", "/async/transactions"): return transact(request)
        case ("GET", "/transactions"):
            return .json(
                200, books.order(request.query["external_id"] ?? "").map { [Self.transaction($0, at: now)] } ?? [])
        case ("GET", "/balances"):
            return .json(
                200,
                [["id": 1, "available": books.float(at: now), "holding": 0, "unit": "XAF", "unit_type": "CURRENCY"]])
        default: return refusal(404, 1_000_404)
        }
    }

    private mutating func transact(_ request: EmulatedRequest) -> EmulatedResponse? {
        let json = request.json, destination = json["destination"] as? [String: Any]
        guard let reference = json["external_id"] as? String, json["product_id"] is NSNumber,
            json["auto_confirm"] as? Bool == true, let amount = (destination?["amount"] as? NSNumber)?.int64Value,
            let phone = (json["credit_party_identifier"] as? [String: Any])?["mobile_number"] as? String
        else { return refusal(400, 1_000_400) }
        guard books.order(reference) == nil else {
            books.refusedReferences.append(reference)
            return refusal(400, 1_007_001)
        }
        guard books.float(at: now) >= amount else { return refusal(400, 1_006_001) }
        let clock = now
        return take(reference, phone: phone, amount: amount) { .json(201, Self.transaction($0, at: clock)) }
    }

    private static func transaction(_ order: EmulatedBooks.Order, at time: Int64) -> [String: Any] {
        let (id, word): (Int, String) =
            switch order.state(at: time) {
            case .processing: (50_000, "SUBMITTED")
            case .paid: (70_000, "COMPLETED")
            case .failed: (90_201, "DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE")
            case .rejected: (90_300, "REJECTED-INVALID-MOBILE-NUMBER")
            case .reversed: (80_000, "REVERSED")
            }
        return [
            "id": order.id, "external_id": order.reference,
            "status": [
                "id": id, "message": word, "class": ["id": id / 10_000, "message": String(word.prefix { $0 != "-" })],
            ],
            "creation_date": "2026-01-01T00:00:00.000000000Z", "unknown": [1, 2],
        ]
    }
}

/// What DT One says to a request that it does not take.
private func refusal(_ status: Int, _ code: Int) -> EmulatedResponse {
    .json(status, ["errors": [["code": code, "message": "refused"]]])
}
