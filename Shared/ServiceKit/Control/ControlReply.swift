internal import Models

/// What a service answers on its control socket: `{"result":…}` or `{"error":{"code":"…","message":"…"}}`.
public enum ControlReply: Sendable, Equatable {
    case result(JSONValue)
    case error(ControlError)

    /// The most bytes of a reply as JSON.
    public static let mostBytes = 1 << 20

    /// One line of JSON; an error in its place if the result is larger than a reply may be.
    func bytes() -> [UInt8] {
        if let bytes = try? SortedJSON.bytes(of: self), bytes.count <= Self.mostBytes { return bytes }
        let error = ControlError(
            code: ControlError.tooLarge,
            message: "the answer has more than \(Self.mostBytes) bytes; ask for less at once")
        return (try? SortedJSON.bytes(of: Self.error(error))) ?? []
    }
}

extension ControlReply: Codable {
    private enum CodingKeys: String, CodingKey { case result, error }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let error = try container.decodeIfPresent(ControlError.self, forKey: .error) {
            self = .error(error)
        } else {
            self = .result(try container.decode(JSONValue.self, forKey: .result))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .result(let value): try container.encode(value, forKey: .result)
        case .error(let error): try container.encode(error, forKey: .error)
        }
    }
}
