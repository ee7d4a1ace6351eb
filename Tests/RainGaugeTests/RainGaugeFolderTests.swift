import Foundation
import Testing

@Suite struct RainGaugeFolderTests {
    @Test func `no file outside this folder names the programme but the list of targets`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = folder.deletingLastPathComponent().deletingLastPathComponent()
        var found: [String] = []
        for top in ["Services", "Shared", "Tests", "Benchmarks/Sources", "compose"] {
            let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(top).path)
            while let name = files?.nextObject() as? String {
                let file = root.appendingPathComponent(top).appendingPathComponent(name)
                guard file.pathExtension == "swift", !file.path.hasPrefix(folder.path + "/") else { continue }
                let text = try String(contentsOf: file, encoding: .utf8).lowercased()
                if text.contains("raingauge") || text.contains("rain-gauge") { found.append("\(top)/\(name)") }
            }
        }
        #expect(found.isEmpty)
        let targets = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        #expect(targets.components(separatedBy: "RainGauge").count <= 3, "one target, and its path")
    }
}
