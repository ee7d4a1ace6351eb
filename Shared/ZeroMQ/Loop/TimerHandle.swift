/// Names a timer of one `SocketLoop`.
public struct TimerHandle: Sendable, Hashable {
    let number: Int
}
