import Foundation

/// The rules of `promtool check metrics`, as far as names, help and types go.
enum MetricsRules {
    private static let unitsOfOtherSizes: Set = [
        "milliseconds", "microseconds", "nanoseconds", "minutes", "hours", "days", "weeks", "kilobytes", "megabytes",
        "gigabytes", "kibibytes", "mebibytes", "gibibytes", "bits", "percent", "celsius", "kilometers", "kilometres",
    ]
    private static let abbreviations: Set = [
        "s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb", "tb", "pb", "m", "h", "d",
    ]
    private static let types: Set = ["counter", "gauge", "histogram", "summary", "untyped"]

    /// What a registry's text breaks, each with the name.
    static func problems(in text: String) -> [String] {
        var problems: [String] = []
        var types: [String: String] = [:], helped: Set<String> = [], samples: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                if words.count == 4, !words[3].isEmpty { helped.insert(words[2]) }
            } else if line.hasPrefix("# TYPE ") {
                if types.updateValue(words[3], forKey: words[2]) != nil { problems.append("\(words[2]): twice") }
            } else {
                let sample = String(line[..<(line.lastIndex(of: " ") ?? line.endIndex)])
                if !samples.insert(sample).inserted { problems.append("\(sample): twice") }
                if Double(line[line.index(after: line.lastIndex(of: " ")!)...]) == nil {
                    problems.append("\(line): no number")
                }
                let name = String(sample.prefix { $0 != "{" })
                let family = ["_bucket", "_sum", "_count"].compactMap { suffix in
                    name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : nil
                }.first { types[$0] == "histogram" }
                if types[family ?? name] == nil { problems.append("\(name): no TYPE before it") }
            }
        }
        for (name, type) in types {
            if !helped.contains(name) { problems.append("\(name): no HELP") }
            problems += Self.problems(name: name, type: type).map { "\(name): \($0)" }
        }
        return problems.sorted()
    }

    private static func problems(name: String, type: String) -> [String] {
        let words = Set(name.split(separator: "_").map(String.init))
        var problems: [String] = []
        if name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) == nil { problems.append("is not in snake_case") }
        if (type == "counter") != name.hasSuffix("_total") { problems.append("_total is of counters, of all of them") }
        for suffix in ["_bucket", "_count", "_sum"] where name.hasSuffix(suffix) {
            problems.append("\(suffix) is of histograms' parts")
        }
        let wrong = words.intersection(unitsOfOtherSizes).union(words.intersection(types))
        if !wrong.isEmpty { problems.append("has \(wrong.sorted())") }
        if let last = name.split(separator: "_").last, abbreviations.contains(String(last)) {
            problems.append("abbreviates its unit")
        }
        return problems
    }

    /// What promtool itself says; nil where it is not installed.
    static func promtool(_ text: String) throws -> String? {
        let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/promtool" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
        let file = FileManager.default.temporaryDirectory.appending(path: "metrics-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["check", "metrics"]
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : "exit \(process.terminationStatus): \(said)"
    }
}
