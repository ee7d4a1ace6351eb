import Foundation
import Laboratory
import Models
import QoE

/// What phones measured in the field, a list of reports for each drive: real where recordings are at hand, else simulated.
struct RecordedTraces {
    /// Copies of the recording, each moved to other towns and operators: drives, and of each the reports in order.
    let copies: [[[RecordingRow]]]
    /// Seconds between two reports of a drive.
    let step: Int
    /// True if the reports were measured in the field.
    let isReal: Bool

    /// - Parameters:
    ///   - bin: where `nkul` is, which makes the recordings.
    ///   - directory: for its files; removed afterwards.
    ///   - copies: how many of real recordings; simulated phones are as many as wanted, and are not copied.
    init(bin: String, directory: String, copies: Int) throws {
        let scratch = "\(directory)/nkul-bench-traces-\(getpid())"
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let logs = Self.logs
        isReal = !logs.isEmpty
        step = isReal ? 1 : 300
        self.copies = try (1...(isReal ? copies : 1)).map { seed in
            let path = "\(scratch)/\(seed).csv.gz"
            let arguments =
                logs.isEmpty
                ? ["simulate", "--devices", "200", "--hours", "24", "--interval", "5", "--seed", "624"]
                : ["import"] + logs + ["--relocate", Self.folder + "/cameroon_places.csv", "--seed", "\(seed)"]
            try Self.make(path, "\(bin)/nkul", arguments, log: "\(scratch)/nkul.log")
            return try Self.read(path)
        }
    }

    /// Where real recordings lie, if they do: `NKUL_TRAFFIC`.
    private static var folder: String { ProcessInfo.processInfo.environment["NKUL_TRAFFIC"] ?? "" }

    private static var logs: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/gnettrack")) ?? []
        return names.filter { $0.hasSuffix(".csv") }.sorted().map { "\(folder)/gnettrack/\($0)" }
    }

    private static func make(_ path: String, _ nkul: String, _ arguments: [String], log: String) throws {
        let child = try ChildProcess(nkul, arguments + ["-o", path], log: log)
        while child.readLine() != nil {}
        child.wait()
        guard FileManager.default.fileExists(atPath: path) else {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw BenchError("nkul \(arguments[0]) made no recording: \(text)")
        }
    }

    /// Reports by phone. What a phone says of a false position is left out, as statistics do; the rest is as it was.
    private static func read(_ path: String) throws -> [[RecordingRow]] {
        var reader = try RecordingReader(path: path), traces: [String: [RecordingRow]] = [:], names: [String] = []
        while let row = try reader.next() {
            guard row.kind == .report, row.values[ColumnID.mockLocation] != 1 else { continue }
            if traces[row.device] == nil { names.append(row.device) }
            traces[row.device, default: []].append(row)
        }
        return names.map { traces[$0]! }
    }
}
