/// One call that a service answers on its control socket.
public struct ControlCall: Sendable {
    /// `noun.verb`: `tenant.add`.
    public let name: String
    let answer: @Sendable (JSONValue) async throws -> JSONValue

    /// - Parameter answer: throws a ``ControlError``, or another error that is told by ``ControlError/init(_:)``. Runs in a
    ///   task of its own, several at once; cancelled when the service stops or ``ControlServer/longestCall`` is over, and
    ///   nobody waits for it then.
    public init(_ name: String, _ answer: @escaping @Sendable (JSONValue) async throws -> JSONValue) {
        self.name = name
        self.answer = answer
    }

    /// A call whose arguments and result are types of their own.
    ///
    /// Arguments that cannot be read are answered with `bad_argument`, other errors by ``ControlError/init(_:)``.
    public static func typed<Arguments: Decodable & Sendable, Result: Encodable & Sendable>(
        _ name: String, _ type: Arguments.Type = Arguments.self,
        _ answer: @escaping @Sendable (Arguments) async throws -> Result
    ) -> ControlCall {
        ControlCall(name) { try JSONValue(encoding: try await answer(try $0.decoded(as: type))) }
    }
}
