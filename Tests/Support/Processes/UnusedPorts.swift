import Synchronization

/// Ports of 127.0.0.1 for services that tests start, each given out once in this process.
///
/// Below the range from which the system takes the ports of outgoing connections, so that no client takes one away
/// while a service is being started again.
public enum UnusedPorts {
    private static let range = 11_000..<31_000
    private static let next = Mutex(Int.random(in: range))

    /// The first of `count` neighbouring ports that nobody listens on.
    public static func take(_ count: Int = 1) throws -> Int {
        try next.withLock { next in
            for _ in range {
                let first = next
                next = next + count >= range.upperBound ? range.lowerBound : next + count
                let ports = first..<first + count
                if ports.allSatisfy({ (try? LoopbackSocket.listening(port: $0)) != nil }) { return first }
            }
            throw ExchangeError.noPort
        }
    }
}
