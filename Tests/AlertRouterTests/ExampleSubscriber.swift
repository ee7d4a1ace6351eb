import Foundation
import SocketTesting

/// The Python example as a process; its lines go to an inbox.
final class ExampleSubscriber {
    private static let python = "/usr/bin/python3"
    private let process = Process()

    /// Whether this machine has what the example needs.
    static let isRunnable: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", "import zmq"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    init(keyFile: String, lines: Inbox<String>) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = [root.appendingPathComponent("docs/examples/subscriber.py").path, keyFile]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        Thread.detachNewThread {
            var rest: [UInt8] = []
            while true {
                let data = pipe.fileHandleForReading.availableData
                guard !data.isEmpty else { return }
                rest += data
                while let end = rest.firstIndex(of: 0x0A) {
                    lines.put(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
        }
    }

    func stop() {
        // A child of a Dispatch thread inherits its mask, in which SIGTERM is blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
