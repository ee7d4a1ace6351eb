/// How long a service waits for more blocks before it commits; less if half a window waits, or none has come for 0.1 s.
public struct GatherWindow: Sendable {
    /// Time from the end of one step to the next.
    public var minimum: Duration

    public init(minimum: Duration) { self.minimum = minimum }

    /// Each block at once.
    public static let none = GatherWindow(minimum: .zero)
}
