internal import IngestUploads
internal import Models

/// The body of `PUT /v1/me/nickname`, checked.
struct NicknameRequest: Decodable {
    private let nickname: String?

    private enum CodingKeys: CodingKey { case nickname }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.contains(.nickname) else {
            throw DecodingError.keyNotFound(
                CodingKeys.nickname, .init(codingPath: container.codingPath, debugDescription: "is required"))
        }
        nickname = try container.decodeIfPresent(String.self, forKey: .nickname)
    }

    /// - Throws: ``DeviceAPIError`` 422 naming the field at fault.
    static func read(_ body: [UInt8]) throws(DeviceAPIError) -> String? {
        let request = try DeviceBody.decode(NicknameRequest.self, from: body)
        guard let nickname = request.nickname else { return nil }
        guard NicknameDocument.isNickname(nickname) else {
            throw DeviceAPIError(
                .badFormat,
                "nickname has 2 to 24 letters, digits, blanks, - _ and ., with a letter or digit at both ends, and not seven digits in a row; null withdraws it",
                field: "nickname")
        }
        return nickname
    }
}
