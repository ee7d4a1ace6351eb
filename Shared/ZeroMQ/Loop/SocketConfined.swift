/// Something that belongs to a socket thread, on its way through code that runs elsewhere.
///
/// Any thread may hold and pass it; only the socket thread has a loop in its hands and so can take it out.
public struct SocketConfined<Value>: @unchecked Sendable {
    // Made and opened with a `SocketLoop` as proof, which is not `Sendable` and exists on the socket thread only.
    // The last release of a class may happen elsewhere, so a `deinit` of it must not rely on the thread.
    private let value: Value

    public init(_ value: Value, of loop: SocketLoop) {
        self.value = value
    }

    /// The value, for code on the socket thread.
    public func on(_ loop: SocketLoop) -> Value { value }
}
