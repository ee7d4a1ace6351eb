internal import Foundation
public import Models

/// What a person asks of the service about themselves, while they look at the app. Nothing of it is kept for later: who is told that
/// there was no answer asks again.
public enum PersonalRequest: Sendable, Equatable {
    /// Erases everything that the services hold of this phone. Once it is taken the kit forgets what it has, and does nothing more.
    case eraseEverything
    /// Erases what was captured from a time until before another, Unix milliseconds.
    case erase(from: UnixMilliseconds, until: UnixMilliseconds)
    /// How an erasure stands, by the `request_id` that its taking told; also after everything was erased.
    case erasure(String)
    /// Asks for a copy of everything that the services hold.
    case copyEverything
    /// The copy itself, NDJSON, by the `request_id` that its taking told.
    case copy(String)
    /// Where rewards go: a number in E.164 (`+237670000001`) and the PLMN of its operator.
    case payout(phone: String, operator: String)

    /// The request without what every request has.
    var request: DeviceRequest {
        switch self {
        case .eraseEverything: Self.post("/v1/me/erasures", #"{"scope":{"all":true}}"#)
        case .erase(let from, let until):
            Self.post(
                "/v1/me/erasures", #"{"scope":{"from":"\#(Timestamp.text(from))","to":"\#(Timestamp.text(until))"}}"#)
        case .erasure(let id): DeviceRequest(method: "GET", path: "/v1/me/erasures/\(Self.escaped(id))")
        case .copyEverything: DeviceRequest(method: "POST", path: "/v1/me/data")
        case .copy(let id): DeviceRequest(method: "GET", path: "/v1/me/data/\(Self.escaped(id))")
        case .payout(let phone, let plmn): Self.payout(phone, plmn)
        }
    }

    /// Those that read: an answer of 202 says that it is not there yet.
    var isReading: Bool {
        switch self {
        case .erasure, .copy: true
        default: false
        }
    }

    /// Whether a body is an answer to it. What says 200 and is none comes from somebody in between.
    func isAnswered(by body: [UInt8]) -> Bool {
        guard let object = try? JSONSerialization.jsonObject(with: Data(body.prefix { $0 != 10 })),
            let members = object as? [String: Any]
        else { return false }
        return switch self {
        case .payout: members["phone"] != nil
        case .erasure: members["state"] != nil
        // NDJSON: its first line was read above.
        case .copy: true
        case .eraseEverything, .erase, .copyEverything: members["request_id"] != nil
        }
    }

    private static func payout(_ phone: String, _ plmn: String) -> DeviceRequest {
        var members = MemberWriter()
        members.add("phone", phone)
        members.add("operator", plmn)
        return json("PUT", "/v1/me/payout", [UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")])
    }

    private static func post(_ path: String, _ body: String) -> DeviceRequest { json("POST", path, Array(body.utf8)) }

    private static func json(_ method: String, _ path: String, _ body: [UInt8]) -> DeviceRequest {
        DeviceRequest(method: method, path: path, headers: ["Content-Type": "application/json"], body: body)
    }

    /// An identifier as a part of a path; what is none of the service's finds nothing.
    private static func escaped(_ id: String) -> String { String(id.filter { $0.isHexDigit || $0 == "-" }.prefix(64)) }
}
