import Foundation

/// A process that ends with this one: its standard input is held open here.
final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    let output = Pipe()

    /// - Parameter log: file that takes its standard error.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:], log: String) throws {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: log)
        do { try process.run() } catch { throw BenchError("cannot start \(program): \(error.localizedDescription)") }
    }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Tells it something on its standard input.
    func say(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// The next line it writes, without its end; nil at the end.
    func readLine() -> String? {
        var bytes: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == 10 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Waits until it ends by itself.
    func wait() { process.waitUntilExit() }

    func stop() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    /// Ends it by SIGKILL. A process that a task starts inherits the task's signal mask, in which SIGTERM is blocked: a program that does not
    /// change the mask never gets it.
    func kill() {
        if process.isRunning { Foundation.kill(pid, SIGKILL) }
        process.waitUntilExit()
    }
}
