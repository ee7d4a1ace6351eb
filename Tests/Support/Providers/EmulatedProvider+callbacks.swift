import Foundation

extension EmulatedProvider {
    /// What it calls back with about an order, as that stands now; nil if it has none under the reference.
    ///
    /// - Parameter path: where it was told to call.
    public func callback(about reference: String, to path: String) -> EmulatedRequest? {
        let now = clock()
        return books.order(reference).map { request(about: $0, $0.state(at: now), path) }
    }

    private func request(about order: EmulatedBooks.Order, _ state: EmulatedState, _ path: String) -> EmulatedRequest {
        switch dialect {
        case .reloadly:
            let data: [String: Any] = [
                "transactionId": order.id, "status": Self.word(state, paid: "SUCCESSFUL", reversed: "REFUNDED"),
                "customIdentifier": order.reference, "recipientPhone": order.phone,
            ]
            return Self.json(
                "POST", path, ["type": "airtime_transaction.status", "date": "2026-01-01 00:00:00", "data": data],
                ["X-Reloadly-Signature": "not looked at"])
        case .dtone:
            let word = Self.word(state, paid: "COMPLETED", reversed: "REVERSED")
            return Self.json(
                "POST", path,
                [
                    "id": order.id, "external_id": order.reference,
                    "credit_party_identifier": ["mobile_number": order.phone],
                    "status": ["id": 1, "message": word, "class": ["id": 1, "message": word]],
                ])
        case .momo:
            // Written as UUIDs are.
            let id = UUID(uuidString: Self.hyphenated(order.reference))?.uuidString.lowercased() ?? order.reference
            return Self.json(
                "PUT", path,
                [
                    "externalId": id, "financialTransactionId": "\(order.id)", "amount": "\(order.amount)",
                    "currency": "XAF", "payee": ["partyIdType": "MSISDN", "partyId": order.phone],
                    "status": Self.word(state, paid: "SUCCESSFUL", reversed: "FAILED"),
                ])
        case .africastalking:
            let word = Self.word(state, paid: "Success", reversed: "Failed")
            let form = [
                ("phoneNumber", order.phone.replacing("+", with: "%2B")), ("description", "Airtime+Delivered"),
                ("status", word),
                ("requestId", "ATQid_\(order.id)"), ("discount", "XAF+0"), ("value", "XAF+\(order.amount)"),
            ]
            return EmulatedRequest(
                method: "POST", target: path, headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Data(form.map { "\($0)=\($1)" }.joined(separator: "&").utf8))
        }
    }

    private static func hyphenated(_ reference: String) -> String {
        let digits = Array(reference)
        guard digits.count == 32 else { return reference }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func json(
        _ method: String, _ path: String, _ value: [String: Any], _ headers: [String: String] = [:]
    ) -> EmulatedRequest {
        EmulatedRequest(
            method: method, target: path, headers: headers.merging(["Content-Type": "application/json"]) { $1 },
            body: try! JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]))
    }

    private static func word(_ state: EmulatedState, paid: String, reversed: String) -> String {
        switch state {
        case .processing: "PROCESSING"
        case .paid: paid
        case .failed, .rejected: "FAILED"
        case .reversed: reversed
        }
    }
}
