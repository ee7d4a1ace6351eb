package import Channels
internal import Dispatch
internal import Glibc

/// What the names of targets stand for.
package protocol TargetResolver: Sendable {
    /// The addresses of a host, at least one.
    func addresses(of host: String) async throws -> [IPAddress]
}

/// Why a target is not called.
package struct TargetError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The system's resolver, off the cooperative pool.
package struct SystemResolver: TargetResolver {
    package init() {}

    package func addresses(of host: String) async throws -> [IPAddress] {
        try await withCheckedThrowingContinuation { waiting in
            DispatchQueue.global().async { waiting.resume(with: Result { try Self.lookUp(host) }) }
        }
    }

    private static func lookUp(_ host: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &found)
        guard code == 0 else { throw TargetError("\(host) is not found: \(String(cString: gai_strerror(code)))") }
        defer { freeaddrinfo(found) }
        var addresses: [IPAddress] = []
        var next = found
        while let entry = next?.pointee {
            if let address = address(entry), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        guard !addresses.isEmpty else { throw TargetError("\(host) has no address") }
        return addresses
    }

    private static func address(_ entry: addrinfo) -> IPAddress? {
        switch entry.ai_family {
        case AF_INET:
            entry.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
            }
        case AF_INET6:
            entry.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
            }
        default: nil
        }
    }
}

extension TargetURL {
    /// The address that this try connects to: one of the host's, all of which must be allowed, for a name that stands for an
    /// inner address too is a way inside.
    ///
    /// - Parameter attempt: of several addresses each is tried in its turn.
    package func checkedAddress(
        _ resolver: any TargetResolver, _ policy: AddressPolicy, attempt: Int64
    ) async throws -> IPAddress {
        let all: [IPAddress]
        if let literal = IPAddress(text: host) { all = [literal] } else { all = try await resolver.addresses(of: host) }
        for address in all {
            if let kind = policy.refusal(of: address) {
                throw TargetError("\(host) stands for \(address), \(kind), which is not allowed")
            }
        }
        guard !all.isEmpty else { throw TargetError("\(host) has no address") }
        return all[Int(attempt % Int64(all.count))]
    }
}
