import Foundation
import TemporaryFiles
import Testing

@testable import ServiceKit

struct HomeTests {
    private let directory = try! TemporaryDirectory()
    private var home: Home { Home(path: directory.path + "/a/home") }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `a new home is made with its parents, its directories for the owner only`() throws {
        try home.prepare(for: .ingest, timeZone: "Africa/Douala")
        for path in [home.path, home.keys, home.run, home.log, home.replay, home.directory(of: .ingest)] {
            #expect(try mode(path) == 0o700, "\(path)")
        }
        #expect(try SmallFile.read(home.versionFile) == "1\n")
        try home.prepare(for: .ingest, timeZone: "Africa/Douala")
    }

    @Test func `a newer home is refused with both versions and is not changed`() throws {
        try home.prepare()
        try SmallFile.replace(home.versionFile, with: "2\n")
        #expect {
            try home.prepare(for: .ingest, timeZone: "Africa/Douala")
        } throws: { error in
            [home.versionFile, "newer home", "version 2", "up to 1"].allSatisfy("\(error)".contains)
        }
        #expect(try SmallFile.read(home.versionFile) == "2\n")
        #expect(!FileManager.default.fileExists(atPath: home.timeZoneFile))
    }

    @Test func `the time zone of the first start stays`() throws {
        try home.prepare(timeZone: "Africa/Douala")
        #expect {
            try home.prepare(timeZone: "Europe/Vienna")
        } throws: { error in
            ["NKUL_TIME_ZONE", "Europe/Vienna", "Africa/Douala", home.timeZoneFile].allSatisfy("\(error)".contains)
        }
    }

    @Test func `a path that cannot be made is an error with path and cause`() {
        let file = directory.file("plain", "")
        #expect {
            try Home(path: file + "/home").prepare()
        } throws: { error in
            "\(error)".contains(file) && "\(error)".contains("ENOTDIR")
        }
        #expect {
            try Home(path: file).prepare()
        } throws: { error in
            "\(error)".contains(file) && "\(error)".contains("ENOTDIR")
        }
        #expect {
            try Home(path: "/proc/nkul/home").prepare()
        } throws: { error in
            "\(error)".contains("NKUL_HOME") && "\(error)".contains("/proc")
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
    func `a directory without permission is an error with path and cause`() throws {
        let closed = directory.path + "/closed"
        #expect(mkdir(closed, 0o500) == 0)
        #expect {
            try Home(path: closed).prepare()
        } throws: { error in
            "\(error)".contains(closed) && "\(error)".contains("EACCES")
        }
    }

    @Test func `keys that others may read are refused`() throws {
        try home.prepare()
        #expect(chmod(home.keys, 0o755) == 0)
        #expect {
            try home.prepare()
        } throws: { error in
            "\(error)".contains("\(home.keys) has mode 755")
        }
    }

    @Test func `many processes may prepare one home at once`() async throws {
        let home = home
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { try home.prepare(for: .ingest, timeZone: "Africa/Douala") } }
            try await group.waitForAll()
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
        #expect(left == ["ingest", "keys", "log", "replay", "run", "time-zone", "version"])
    }

    @Test func `a relative path is taken from the working directory`() {
        let here = FileManager.default.currentDirectoryPath
        #expect(Home(path: "./var/../other/.").path == here + "/other")
        #expect(Home(path: "/a//b/").path == "/a/b")
    }
}
