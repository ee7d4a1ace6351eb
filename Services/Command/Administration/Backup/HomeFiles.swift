import Foundation
import ServiceKit

/// What of a home belongs into a backup, by paths below it.
///
///     in    version, time-zone, keys/, everything in the services' folders
///     out   the secret of releases, run/, log/, replay/, restored.json; logs and indexes of databases (they are in the copies), ballast,
///           ingest/copies.sqlite and analytics-exporter/exports/, which are made anew; whatever is no plain file; whatever else lies in the home
struct HomeFiles: Equatable {
    /// Databases, the services' own first, those that are written most before the others.
    let databases: [String]
    let others: [String]

    /// The services in the order in which their databases are copied.
    private static let order: [ServiceName] = [
        .ingest, .batchAggregator, .analyticsExporter, .alertRouter, .rewardDispatcher, .privacyWorker, .notifier,
    ]

    init(_ home: Home) {
        let folders = Self.order.map(\.rawValue).flatMap { Self.files(in: $0, of: home) }
        let all = folders.filter { $0.hasSuffix(".sqlite") }
        let mains = Self.order.map { Self.main($0) }.filter(all.contains)
        databases = mains + all.filter { !mains.contains($0) }
        others =
            ["version", "time-zone"].filter { Self.isPlain($0, of: home) } + Self.files(in: "keys", of: home)
            + folders.filter { !$0.hasSuffix(".sqlite") }
    }

    /// The path of a service's own database.
    static func main(_ service: ServiceName) -> String { "\(service.rawValue)/state.sqlite" }

    /// Databases beside a service's own one that have cursors of lanes and cannot be made anew.
    static func readers(_ service: ServiceName) -> [String] {
        service == .alertRouter ? ["alert-router/windows.sqlite"] : []
    }

    /// The name of such a database in the readers' tables: `alert-router-windows`.
    static func reader(_ path: String) -> String {
        path.replacing("/", with: "-").replacing(".sqlite", with: "")
    }

    private static func files(in folder: String, of home: Home) -> [String] {
        let names = FileManager.default.enumerator(atPath: "\(home.path)/\(folder)")?.compactMap { $0 as? String } ?? []
        return names.sorted().map { "\(folder)/\($0)" }.filter { isWanted($0) && isPlain($0, of: home) }
    }

    private static func isWanted(_ path: String) -> Bool {
        let ends = ["-wal", "-shm", "-journal", ".ballast", ".new"]
        return !ends.contains(where: path.hasSuffix) && path != "ingest/copies.sqlite"
            && path != "keys/\(Home.releasesSecret)"
            && !path.hasPrefix("analytics-exporter/exports/")
    }

    private static func isPlain(_ path: String, of home: Home) -> Bool {
        var information = stat()
        return lstat("\(home.path)/\(path)", &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }
}
