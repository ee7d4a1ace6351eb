import Foundation
import TemporaryFiles
import Testing

@testable import ServiceKit

struct HomeLockTests {
    private let directory = try! TemporaryDirectory()
    private let home: Home

    init() throws {
        home = Home(path: directory.path)
        try home.prepare()
    }

    @Test func `a second process is refused with the home, the file and the owner's process id`() throws {
        let lock = try HomeLock(home, of: .ingest)
        #expect {
            try HomeLock(home, of: .ingest)
        } throws: { error in
            ["nkul-ingest", home.path, home.lockFile(of: .ingest), "process \(getpid())"].allSatisfy(
                "\(error)".contains)
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock that another process holds ends with that process, killed or not`() throws {
        let other = Process()
        let output = Pipe()
        let hold = """
            import fcntl, sys
            file = open(sys.argv[1], "w")
            fcntl.lockf(file, fcntl.LOCK_EX)
            print("held", flush=True)
            sys.stdin.read()
            """
        other.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        other.arguments = ["-c", hold, home.lockFile(of: .ingest)]
        other.standardInput = Pipe()
        other.standardOutput = output
        try other.run()
        #expect(try output.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))
        #expect(HomeLock.isHeld(home, of: .ingest))
        #expect(throws: ServiceError.self) { try HomeLock(home, of: .ingest) }
        (other.standardInput as? Pipe)?.fileHandleForWriting.closeFile()
        other.waitUntilExit()
        #expect(!HomeLock.isHeld(home, of: .ingest))
        _ = try HomeLock(home, of: .ingest)
    }

    /// It starts in a process of its own: here a lock lives on in whatever another test has just forked, until that is executed.
    @Test func `a service that starts is not refused because somebody asks whether it runs`() throws {
        _ = try HomeLock(home, of: .ingest)
        let start = """
            import fcntl, os, sys, time
            refused, rounds, end = 0, 0, time.monotonic() + 60
            while (rounds < 5000 or not os.path.exists(sys.argv[2])) and time.monotonic() < end:
                rounds += 1
                with open(sys.argv[1], "r+") as file:
                    try:
                        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except OSError:
                        refused += 1
            print(refused)
            """
        let other = Process(), output = Pipe()
        other.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let wasSeen = home.lockFile(of: .ingest) + ".seen"
        other.arguments = ["-c", start, home.lockFile(of: .ingest), wasSeen]
        other.standardOutput = output
        try other.run()
        var seen = 0
        while other.isRunning {
            guard HomeLock.isHeld(home, of: .ingest) else { continue }
            if seen == 0 { #expect(FileManager.default.createFile(atPath: wasSeen, contents: nil)) }
            seen += 1
        }
        #expect(output.fileHandleForReading.readDataToEndOfFile() == Data("0\n".utf8))
        #expect(seen > 0, "nobody asked at the right moment")
    }

    @Test func `services of one home do not exclude each other`() throws {
        let locks = try ServiceName.allCases.map { try HomeLock(home, of: $0) }
        #expect(locks.count == ServiceName.allCases.count)
    }

    @Test func `the lock is free again when its value is gone`() throws {
        do {
            let lock = try HomeLock(home, of: .ingest)
            #expect(HomeLock.isHeld(home, of: .ingest))
            withExtendedLifetime(lock) {}
        }
        #expect(!HomeLock.isHeld(home, of: .ingest))
    }
}
