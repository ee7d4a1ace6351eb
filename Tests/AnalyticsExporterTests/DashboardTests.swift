import Foundation
import HTTPTypes
import Models
import QoE
import TemporaryFiles
import Testing

@testable import ExporterAPI
@testable import ExporterSupport

/// The page's files among themselves; how it looks and behaves in a browser is looked at by `make check-page`.
@Suite struct DashboardTests {
    private let exporter: TestExporter
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        exporter = try TestExporter(directory)
    }

    private func file(_ name: String) async throws -> String { try await exporter.text("/" + name, headers: [:]) }

    /// What is in the first brackets of every match.
    private func matches(_ pattern: String, in text: String) throws -> Set<String> {
        Set(text.matches(of: try Regex(pattern, as: (Substring, Substring).self)).map { String($0.output.1) })
    }

    private func keys(of dictionary: String) async throws -> Set<String> {
        let text = try await file(dictionary)
        return try matches(#"(?:^|[,{])\s*"?([A-Za-z_0-9.]+)"?: ""#, in: text)
    }

    @Test func `every word is there in both languages`() async throws {
        let english = try await keys(of: "english.js"), french = try await keys(of: "french.js")
        #expect(english.count > 100 && english == french, "\(english.symmetricDifference(french))")
    }

    @Test func `every word that the page names is there`() async throws {
        let page = try matches(#"data-word(?:-label|-title)?="([A-Za-z]+)""#, in: try await file("index.html"))
        var named = page
        for name in StaticFiles.pageFiles where name.hasSuffix(".js") {
            named.formUnion(try matches(#"\bword\("([A-Za-z_]+)"\)"#, in: try await file(name)))
        }
        let missing = named.subtracting(try await keys(of: "english.js"))
        #expect(page.count > 20 && named.count > page.count && missing.isEmpty, "\(missing)")
    }

    @Test func `every module that is imported is served`() async throws {
        for name in StaticFiles.pageFiles where name.hasSuffix(".js") {
            let imported = try matches(#"from "\./([a-z-]+\.js)""#, in: try await file(name))
            #expect(imported.isSubset(of: StaticFiles.pageFiles), "\(name): \(imported)")
        }
    }

    @Test func `every act has a word, and so has every reason why one fails`() async throws {
        let keys = try await keys(of: "english.js")
        #expect(keys.isSuperset(of: AlarmCommandService.acts.keys.map { "act." + $0 }))
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/alarms.md")
        let table = try #require(try String(contentsOf: page, encoding: .utf8).split(separator: "| code | why |").last)
        let codes = try matches(#"`([a-z_]+)`[^|\n]*\|"#, in: String(table.prefix { $0 != "#" }))
            .union(try matches(#", `([a-z_]+)`"#, in: String(table.prefix { $0 != "#" })))
        #expect(codes.count >= 10)
        #expect(keys.isSuperset(of: codes.map { "failed." + $0 }), "\(codes)")
    }

    @Test func `every metric and technology has a name`() async throws {
        let keys = try await keys(of: "english.js")
        let technologies = ["2G", "3G", "4G", "5G", "WIFI", "ETHERNET", "NONE", "UNKNOWN"].map { "technology." + $0 }
        #expect(keys.isSuperset(of: technologies))
        let palette = try await file("palette.js")
        #expect(
            HeatmapQuery.metrics(of: .qoe).allSatisfy { keys.contains($0.name) && palette.contains("\($0.name): {") })
    }
}
