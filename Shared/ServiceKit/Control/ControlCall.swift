public import Lanes
internal import Synchronization

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

extension ControlCall {
    /// `reader.list` and `reader.detach` of a service whose database an effect loop writes.
    public static func readers(of loop: EffectLoop) -> [ControlCall] {
        [
            .typed("reader.list", JSONValue.self) { _ in try await loop.perform { $0.readerStandings } },
            .typed("reader.detach", ReaderDetachment.self) { wish in try await loop.perform { try $0.detach(wish) } },
        ]
    }
}

/// The calls that a service offers on its control socket: filled by its `build`, answered by ``ControlServer``.
public final class ControlCalls: Sendable {
    private let offered = Mutex<[ControlCall]>([])

    public init() {}

    /// Adds calls; to be done before the service runs. The last of one name counts.
    public func offer(_ calls: [ControlCall]) { offered.withLock { $0 += calls } }

    /// What was offered, in order.
    public var all: [ControlCall] { offered.withLock { $0 } }
}
