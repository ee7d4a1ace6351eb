import Foundation
import Lanes
import Models
import ServiceKit

/// What a backup has, and where all lanes and their readers stood: its first chunk.
package struct BackupManifest: Codable, Sendable, Equatable {
    /// A lane's journal.
    struct Lane: Codable, Sendable, Equatable {
        let lane: LaneName
        /// The service that writes it.
        let writer: String
        let generation: UInt64
        /// The first block that may be there.
        let oldest: UInt64
        let head: UInt64
    }

    /// A reader's place in a lane.
    struct Cursor: Codable, Sendable, Equatable {
        let lane: LaneName
        /// The service that reads it.
        let reader: String
        let generation: UInt64
        /// The last block whose effects are in the backup.
        let block: UInt64
        /// Whether the writer must have kept what comes after it: false of one that was detached.
        let isAwaited: Bool

        enum CodingKeys: String, CodingKey {
            case lane, reader, generation, block
            case isAwaited = "awaited"
        }
    }

    /// A file, in the order in which they come.
    struct File: Codable, Sendable, Equatable {
        /// Below the home.
        let path: String
        let bytes: Int
        let isDatabase: Bool

        enum CodingKeys: String, CodingKey {
            case path, bytes
            case isDatabase = "database"
        }
    }

    static let format = 1

    var format = Self.format
    /// Unix milliseconds.
    var createdAt: UnixMilliseconds
    /// The version of the program that made it.
    var nkul = Version.text
    /// The format of the home.
    var homeVersion = Home.currentVersion
    var lanes: [Lane]
    var cursors: [Cursor]
    var files: [File]

    enum CodingKeys: String, CodingKey {
        case format, nkul, lanes, cursors, files
        case createdAt = "created_at_ms"
        case homeVersion = "home_version"
    }

    /// Bytes of all files.
    var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    /// What of it cannot be, in a sentence; nil if it is valid: every reader stands in the generation that its lane has, not
    /// ahead of the last block, not behind what is no longer there; every path leads below a home.
    var fault: String? { versionFault ?? laneFault ?? fileFault }

    private var versionFault: String? {
        if format != Self.format { return "it has format \(format), this nkul knows \(Self.format)" }
        if homeVersion > Home.currentVersion {
            return
                "its home has version \(homeVersion), this nkul knows \(Home.currentVersion): restore it with nkul \(nkul)"
        }
        return nil
    }

    private var laneFault: String? {
        if Set(lanes.map(\.lane)).count < lanes.count { return "a lane has two journals" }
        return cursors.lazy.compactMap(fault(of:)).first
    }

    private func fault(of cursor: Cursor) -> String? {
        let who = "\(cursor.reader) reads lane \(cursor.lane.rawValue)"
        guard let lane = lanes.first(where: { $0.lane == cursor.lane }) else {
            return "\(who), whose journal is not in this home"
        }
        guard lane.generation == cursor.generation else { return "\(who) in another generation than its journal has" }
        guard cursor.block <= lane.head else {
            return "\(who) up to block \(cursor.block), and its journal ends at \(lane.head)"
        }
        guard lane.lane.nature == .state || !cursor.isAwaited || cursor.block + 1 >= lane.oldest else {
            return "\(who) up to block \(cursor.block), and its journal begins at \(lane.oldest)"
        }
        return nil
    }

    private var fileFault: String? {
        var seen: Set<String> = []
        for file in files {
            let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
            let isBelow = !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.contains("\0") }
            guard isBelow, file.bytes >= 0, seen.insert(file.path).inserted else {
                return "it names the file \"\(file.path.prefix(100))\""
            }
        }
        return nil
    }
}
