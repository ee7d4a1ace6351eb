import Foundation
import PipelineTesting

/// A phone that enrolled and sends its records in uploads, each until it is answered.
struct EnrolledPhone: Sendable {
    private static let purposes = [
        "measurement", "location_precise", "location_coarse", "call_events", "rewards", "operator_sharing", "research",
    ]

    let device: String
    let token: String

    /// Enrols over `port`, as often as it takes.
    ///
    /// - Parameters:
    ///   - withheld: the purposes that its owner does not agree to.
    ///   - code: an activation code.
    static func enrolled(
        port: Int, withholding withheld: Set<String> = [], code: String? = nil
    ) throws -> EnrolledPhone {
        let consent = purposes.map { "\"\($0)\":\(!withheld.contains($0))" }.joined(separator: ",")
        let activation = code.map { ",\"activation_code\":\"\($0)\"" } ?? ""
        let body = """
            {"platform":"android","app_version":"1.0","policy_version":"1","age_band":"18+","consent":{\(consent)}\(activation)}
            """
        let answer = try insisting {
            try HTTPExchange.send(
                "POST", "/v1/devices", port: port, headers: ["Content-Type": "application/json"], body: Array(body.utf8)
            )
        }
        let members = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        guard answer.status == 201, let device = members?["device_id"] as? String,
            let token = members?["token"] as? String
        else { throw Refused(status: answer.status, text: answer.text) }
        return EnrolledPhone(device: device, token: token)
    }

    /// Sends records of one kind in one upload until they are acknowledged.
    ///
    /// - Returns: the receipt's status of each record.
    func send(_ records: [ReferenceRecord], key: String?, port: Int) throws -> [String] {
        let answer = try Self.insisting { try exchange(records, key: key, port: port) }
        guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
        let receipt = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let items = receipt?["items"] as? [[String: Any]] ?? []
        var statuses = [String](repeating: "", count: records.count)
        for item in items {
            guard let index = item["index"] as? Int, let status = item["status"] as? String else { continue }
            statuses[index] = status
        }
        return statuses
    }

    /// Sends records of one kind in one upload, once.
    func exchange(
        _ records: [ReferenceRecord], key: String? = nil, port: Int, timeout: Int = 30
    ) throws -> HTTPExchange {
        let path = records[0].kind == "feedback" ? "/v1/feedback" : "/v1/reports"
        var headers = ["Content-Type": "application/json", "Authorization": "Bearer \(token)"]
        headers["Idempotency-Key"] = key
        let body = Array(("[" + records.map(\.json).joined(separator: ",") + "]").utf8)
        return try HTTPExchange.send(
            "POST", path + "?receipts=all", port: port, headers: headers, body: body, timeout: timeout)
    }

    /// Repeats what failed on the way or was answered 503, for two minutes at most.
    static func insisting(_ exchange: () throws -> HTTPExchange) throws -> HTTPExchange {
        var answer: HTTPExchange?
        let isAnswered = becomesTrue(within: 120) {
            answer = try? exchange()
            return answer.map { $0.status != 503 && $0.status != 429 } ?? false
        }
        guard let answer, isAnswered else { throw ExchangeError.replyLost }
        return answer
    }
}
