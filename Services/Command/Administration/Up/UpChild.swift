import Foundation
import Glibc
import ServiceKit

/// A service's process: started in a process group of its own, its output handed on line by line.
///
/// It holds the writing end of the child's standard input: if this program ends, however it ends, the service stops.
final class UpChild: Sendable {
    let pid: Int32
    private let input: Int32

    /// - Parameters:
    ///   - line: called on a thread of the child's own, in order, with each line it writes, without its end.
    ///   - ended: called there last.
    /// - Throws: ``ServiceError`` naming the program if it cannot be started.
    init(
        program: String, arguments: [String], environment: [String: String],
        line: @escaping @Sendable (String) -> Void, ended: @escaping @Sendable (UpEnd) -> Void
    ) throws {
        let inbound = try Self.channel()
        let outbound = try Self.channel()
        defer {
            close(inbound.read)
            close(outbound.write)
        }
        pid = try Self.spawn(
            program, arguments, environment, input: inbound.read, output: outbound.write)
        input = inbound.write
        let child = pid
        Thread.detachNewThread {
            Self.forward(outbound.read, line)
            close(outbound.read)
            ended(Self.wait(for: child))
        }
    }

    deinit { close(input) }

    func send(signal: Int32) { kill(pid, signal) }

    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String], input: Int32, output: Int32
    ) throws -> Int32 {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO)
        var attributes = ownGroupAndDefaultSignals()
        defer { posix_spawnattr_destroy(&attributes) }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, program, &files, &attributes, &words, &variables)
        guard code == 0 else { throw ServiceError(.failed, "cannot start \(program)", errno: code) }
        return pid
    }

    /// Ctrl-C reaches `nkul up` alone, which then stops its services in order.
    private static func ownGroupAndDefaultSignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        return attributes
    }

    /// A pair of sockets, not a pipe: only they can be closed on exec from the beginning (`pipe2` is not in Swift's Glibc), so
    /// that no child started by another thread at the same time inherits an end and keeps it open.
    private static func channel() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw ServiceError(.failed, "cannot make a pair of sockets", errno: errno)
        }
        return (ends[0], ends[1])
    }

    private static func forward(_ file: Int32, _ line: (String) -> Void) {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        var pending: [UInt8] = []
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            pending += chunk[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                line(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
        if !pending.isEmpty { line(String(decoding: pending, as: UTF8.self)) }
    }

    private static func wait(for pid: Int32) -> UpEnd {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return UpEnd(status: status)
    }
}

/// How a service's process ended.
enum UpEnd: Equatable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    /// From `waitpid`'s status.
    init(status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
    }

    var description: String {
        switch self {
        case .exited(let code): "ended with exit code \(code)"
        case .killed(let signal): "was ended by signal \(signal)"
        }
    }
}
