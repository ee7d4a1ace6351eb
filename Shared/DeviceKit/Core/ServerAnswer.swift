internal import Foundation

/// What an answer of the device API means to the kit (`docs/errors.md`).
enum ServerAnswer: Sendable, Equatable {
    /// It was done; the body.
    case done([UInt8])
    case unchanged
    /// The same again, at the earliest after so many seconds. Also what is no answer of the service: a page of a hotel's network.
    case again(after: Int64?)
    /// The token is nobody's.
    case stranger
    case erased
    case noConsent
    case tooLarge
    /// The signature was made by a clock that is wrong: so many seconds ago, less than none if it is ahead.
    case oldSignature(by: Int64)
    /// Never again like this: the code of the problem.
    case refused(String)

    init(_ response: DeviceResponse?) {
        guard let response else {
            self = .again(after: nil)
            return
        }
        switch response.status {
        case 200, 201, 202, 204: self = .done(response.body)
        case 304: self = .unchanged
        case 408, 425, 429, 500...599: self = .again(after: response.retryAfter)
        default: self = Self.problem(response)
        }
    }

    private static func problem(_ response: DeviceResponse) -> ServerAnswer {
        guard let problem = ServiceProblem(response.body) else { return .again(after: response.retryAfter) }
        if problem.code == "signature_expired", let seconds = problem.number(after: "created is ") {
            return .oldSignature(by: seconds)
        }
        return switch (response.status, problem.code) {
        case (401, _): .stranger
        case (410, "device_erased"): .erased
        case (403, "no_measurement_consent"): .noConsent
        case (413, _): .tooLarge
        default: .refused(problem.code)
        }
    }
}

/// A problem document of the service, RFC 9457, as far as the kit reads it.
struct ServiceProblem: Decodable, Sendable, Equatable {
    var type: String
    var code: String
    var detail: String?

    /// Nil if it is none of the service's.
    init?(_ body: [UInt8]) {
        guard let problem = try? JSONDecoder().decode(ServiceProblem.self, from: Data(body)),
            problem.type.hasPrefix("urn:nkul:problem:")
        else { return nil }
        self = problem
    }

    /// The whole number behind some words of the detail.
    func number(after words: String) -> Int64? {
        guard let detail, let range = detail.range(of: words) else { return nil }
        return Int64(detail[range.upperBound...].prefix { $0.isNumber || $0 == "-" })
    }
}

/// A receipt of an upload, as far as the kit reads it.
struct UploadReceipt: Decodable, Sendable, Equatable {
    struct Item: Decodable, Sendable, Equatable {
        var index: Int
        var status: String
        var code: String?
        var detail: String?
    }

    var batch_id: String
    var accepted: Int
    var duplicates: Int
    var conflicts: Int?
    var rejected: Int
    var items: [Item]

    /// Nil if it is none: what says 200 and is no receipt comes from somebody in between.
    init?(_ body: [UInt8]) {
        guard let receipt = try? JSONDecoder().decode(UploadReceipt.self, from: Data(body)) else { return nil }
        self = receipt
    }

    /// What follows for an upload of so many records.
    func settlement(rows: Int) -> Settlement {
        var settlement = Settlement(accepted: accepted, duplicates: duplicates)
        for item in items where item.status == "rejected" {
            settlement.rejected[item.code ?? "unknown", default: 0] += 1
        }
        let unnamed = rejected - settlement.rejected.values.reduce(0, +)
        if unnamed > 0 { settlement.rejected["unknown", default: 0] += unnamed }
        for item in items where item.status == "conflict" && item.code == "seq_conflict" && item.index < rows {
            settlement.again.append(item.index)
            settlement.usedCounter = max(settlement.usedCounter, Self.usedCounter(item.detail))
        }
        return settlement
    }

    /// `…; count on from 18, or …`: 17.
    private static func usedCounter(_ detail: String?) -> Int64 {
        guard let detail, let range = detail.range(of: "count on from ") else { return 0 }
        return (Int64(detail[range.upperBound...].prefix { $0.isNumber }) ?? 1) - 1
    }
}
