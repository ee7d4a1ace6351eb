import Glibc

/// Neighbouring ports of 127.0.0.1 on which nobody listens, below those that the system gives to outgoing connections.
enum FreePorts {
    /// The first of so many.
    static func take(_ count: Int) -> Int {
        while true {
            let first = Int.random(in: 11_000..<31_000)
            if (first..<first + count).allSatisfy(isFree) { return first }
        }
    }

    private static func isFree(_ port: Int) -> Bool {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
