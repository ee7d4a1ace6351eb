import Foundation
import Models

/// A backup in words.
enum BackupText {
    /// One line.
    static func summary(_ manifest: BackupManifest) -> String {
        "\(manifest.files.count) files, \(megabytes(manifest.bytes)), of \(AdminTable.time(manifest.createdAt))"
            + " by nkul \(manifest.nkul)"
    }

    /// Lanes and their readers, and the summary.
    static func table(_ manifest: BackupManifest) -> String {
        let rows = manifest.lanes.sorted { $0.lane.id < $1.lane.id }.map { lane in
            let readers = manifest.cursors.filter { $0.lane == lane.lane }.map { "\($0.reader) \($0.block)" }
            return [
                lane.lane.rawValue, lane.writer, String(lane.head),
                readers.isEmpty ? "-" : readers.joined(separator: ", "),
            ]
        }
        let lanes = TextTable(["LANE", "WRITTEN BY", "HEAD", "READ UP TO"], rows, right: [2]).text
        return [lanes, "", summary(manifest)].joined(separator: "\n")
    }

    private static func megabytes(_ bytes: Int) -> String {
        (Double(bytes) / 1_000_000).formatted(.number.precision(.fractionLength(1))) + " MB"
    }
}
