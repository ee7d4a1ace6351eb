internal import IngestUploads
internal import Models

/// The body of `PUT /v1/me/payout`, checked.
struct PayoutRequest: Decodable {
    private let phone: String
    private let `operator`: String

    /// Reads and checks a body.
    ///
    /// - Throws: ``DeviceAPIError`` 422 naming the field at fault, never its value.
    static func read(_ body: [UInt8], operators: OperatorTable) throws(DeviceAPIError) -> PayoutNumber {
        let request = try DeviceBody.decode(PayoutRequest.self, from: body)
        guard PayoutNumber.isE164(request.phone) else {
            throw DeviceAPIError(.badFormat, "phone is E.164: + and 7 to 15 digits, as +237670000000", field: "phone")
        }
        guard let number = PayoutNumber(phone: request.phone, operator: request.operator) else {
            throw DeviceAPIError(
                .badFormat, "operator is mcc and mnc of who serves the number, as 62401", field: "operator")
        }
        guard operators.canHave(request.phone) else {
            throw DeviceAPIError(
                .outOfRange,
                "no operator here has such a number; theirs are \(operators.patterns.joined(separator: ", "))",
                field: "phone")
        }
        guard operators.entries.contains(where: { $0.plmn == PLMN(text: number.operator) }) else {
            let known = operators.entries.map { "\($0.plmn.text) (\($0.name))" }.joined(separator: ", ")
            throw DeviceAPIError(.outOfRange, "operator is one of \(known)", field: "operator")
        }
        return number
    }
}

extension DeviceAPIError {
    /// The reward dispatcher has never run, or nobody has heard of its key yet.
    static let payoutKeyUnknown = DeviceAPIError(.payoutKeyUnknown, retryAfter: 5)
}
