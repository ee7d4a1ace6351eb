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
        other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        other.arguments = [home.lockFile(of: .ingest), "--command", "echo held; exec cat"]
        other.standardInput = Pipe()
        other.standardOutput = output
        try other.run()
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        #expect(HomeLock.isHeld(home, of: .ingest))
        #expect(throws: ServiceError.self) { try HomeLock(home, of: .ingest) }
        (other.standardInput as? Pipe)?.fileHandleForWriting.closeFile()
        other.waitUntilExit()
        #expect(!HomeLock.isHeld(home, of: .ingest))
        _ = try HomeLock(home, of: .ingest)
    }

    @Test func `services of one home do not exclude each other`() throws {
        let locks = try ServiceName.allCases.map { try HomeLock(home, of: $0) }
        #expect(locks.count == 6)
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
