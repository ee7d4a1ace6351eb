import Foundation
import ServiceKit

/// Where results go: file descriptor 1, gathered to large writes.
struct StandardOutput {
    private var buffer: [UInt8] = []

    mutating func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= 65_536 { try flush() }
    }

    mutating func flush() throws {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw ServiceError(.failed, "standard output cannot be written", errno: errno) }
            rest = rest.dropFirst(count)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
