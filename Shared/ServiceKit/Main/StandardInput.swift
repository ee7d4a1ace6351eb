import Foundation

/// The program's standard input, used as a sign of life of who started it.
enum StandardInput {
    /// Asks this process to stop, as SIGTERM does, once standard input has ended.
    static func stopProcessAtEnd() {
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 512)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count > 0 || (count < 0 && errno == EINTR) { continue }
                break
            }
            kill(getpid(), SIGTERM)
        }
    }
}
