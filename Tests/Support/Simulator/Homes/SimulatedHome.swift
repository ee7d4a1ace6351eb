import Foundation
import Lanes
import Models
import ServiceKit
import Storage
import SubjectRights
import TemporaryFiles

/// The home of a run whose services keep their databases in files, so that backups can be made of it: the present one, and
/// those that were lost.
final class SimulatedHome {
    private static let timeZone = "Africa/Douala"

    private let folder: TemporaryDirectory
    private(set) var current: Home
    /// Homes so far.
    private(set) var count = 1

    init() throws {
        folder = try TemporaryDirectory(inMemory: Self.hasRoomInMemory)
        current = Home(path: folder.path("home-1"))
        try prepare()
        _ = try KeyStore(directory: current.keys).secret(SuppressionKey.name) { SimulationSettings.secret }
    }

    /// A backup wants 200 MB that are free; containers may have 64 MB in memory.
    private static var hasRoomInMemory: Bool {
        let values = try? FileManager.default.attributesOfFileSystem(forPath: "/dev/shm")
        return (values?[.systemFreeSize] as? NSNumber)?.intValue ?? 0 > 500_000_000
    }

    /// A path beside the homes.
    func path(_ name: String) -> String { folder.path(name) }

    /// The home that comes after the present one; it is not there yet.
    var next: Home { Home(path: folder.path("home-\(count + 1)")) }

    /// The next home is the present one from now on.
    func move() throws {
        (current, count) = (next, count + 1)
        try prepare()
    }

    /// What each service does before it opens anything.
    private func prepare() throws {
        for service in ServiceName.allCases { try current.prepare(for: service, timeZone: Self.timeZone) }
    }
}
