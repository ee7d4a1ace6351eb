internal import Foundation
public import TemporaryFiles

/// A home that a released version made, kept in `Tests/Fixtures/homes`, with what that version said about it.
public struct FixtureHome: Sendable, CustomStringConvertible {
    /// What `expected/access.json` holds: the tokens by which the home can be asked, and what time it is there.
    public struct Access: Decodable, Sendable {
        enum CodingKeys: String, CodingKey {
            case regulator, art, mtn, copy, devices
            case nowMilliseconds = "now_ms"
            case backupNowMilliseconds = "backup_now_ms"
        }
        /// Tokens of the built-in regulator, a regulator that sees original ids, and an operator with 62401.
        public let regulator, art, mtn: String
        /// The request for a copy of everything that was answered.
        public let copy: String
        /// Tokens of phones by device id.
        public let devices: [String: String]
        /// Unix milliseconds that its services' clocks showed when they were asked.
        public let nowMilliseconds: Int64
        /// The same of a home that was made of the backup.
        public let backupNowMilliseconds: Int64
    }

    /// The version or date of the programs that made it.
    public let name: String
    public var description: String { name }
    private let folder: String

    /// Every fixture home there is, the oldest name first.
    public static let all: [FixtureHome] = {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Tests/Fixtures/homes").standardized.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/home.tar.xz") }.sorted()
            .map { FixtureHome(name: $0, folder: "\(folder)/\($0)") }
    }()

    /// The path of one of its files, such as `backup.nkul`.
    public func path(_ file: String) -> String { "\(folder)/\(file)" }

    /// Unpacks the home into a directory, as its folder `home`.
    public func unpack(into directory: TemporaryDirectory) throws {
        _ = try Self.output("tar", ["-C", directory.path, "-xJf", path("home.tar.xz")])
    }

    /// Puts the key of the backup into a directory, for nobody else to read, as `nkul restore` wants it; git keeps no such rights.
    ///
    /// - Returns: the path of the copy.
    public func backupIdentity(in directory: TemporaryDirectory) throws -> String {
        let copy = directory.path("backup.identity")
        try FileManager.default.copyItem(atPath: path("backup.identity"), toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        return copy
    }

    public func access() throws -> Access {
        try JSONDecoder().decode(Access.self, from: Data(contentsOf: URL(filePath: path("expected/access.json"))))
    }

    /// A document of `expected/`, as `JSONSerialization` reads it.
    public func document(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path("expected/\(name).json"))))
    }

    /// A text of `expected/` that is kept compressed.
    public func text(_ name: String) throws -> String {
        String(decoding: try Self.output("xz", ["-dc", path("expected/\(name).xz")]), as: UTF8.self)
    }

    /// What a program of the system printed; it must end well.
    private static func output(_ program: String, _ arguments: [String]) throws -> Data {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw SimulationFailure("\(program) \(arguments) ended with \(process.terminationStatus)")
        }
        return data
    }
}
