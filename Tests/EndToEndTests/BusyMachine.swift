import Foundation

/// Programs that take every core until they are ended, or this one is.
final class BusyMachine {
    private let programs: [Process]

    /// - Throws: what keeps a shell from being started.
    init() throws {
        programs = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "while kill -0 $PPID; do :; done"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
    }

    deinit { end() }

    func end() {
        // A thread of the tests may have SIGTERM blocked, and with it what it starts.
        for program in programs where program.isRunning { kill(program.processIdentifier, SIGKILL) }
    }
}
