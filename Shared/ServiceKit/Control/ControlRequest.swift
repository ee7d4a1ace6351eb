/// What is asked of a service on its control socket: `{"call":"tenant.add","arguments":{…}}`.
public struct ControlRequest: Codable, Sendable {
    /// The most bytes of a request as JSON.
    public static let mostBytes = 64 << 10

    public var call: String
    /// An object; empty if it is left out.
    public var arguments: JSONValue

    public init(call: String, arguments: JSONValue = [:]) {
        self.call = call
        self.arguments = arguments
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        call = try container.decode(String.self, forKey: .call)
        arguments = try container.decodeIfPresent(JSONValue.self, forKey: .arguments) ?? [:]
    }
}
