/// Why an exchange over the loopback interface came to nothing.
public enum ExchangeError: Error, Equatable {
    /// A system call failed with this `errno`.
    case system(Int32)
    /// The other side closed before the answer was whole: what a client sees when a reply is lost.
    case replyLost
    /// Every port is taken.
    case noPort
    /// The answer is not HTTP.
    case malformed(String)
}
