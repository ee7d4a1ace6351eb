import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import TemporaryFiles
import Testing
import Wire

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

    /// The page's sources.
    static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Services/AnalyticsExporter/Dashboard").standardized.path
    static var pageFiles: [String] { StaticFiles.pageFiles(in: sources) }

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
        let english = try await keys(of: "words/english.js"), french = try await keys(of: "words/french.js")
        #expect(english.count > 100 && english == french, "\(english.symmetricDifference(french))")
    }

    @Test func `every word that the page names is there`() async throws {
        let page = try matches(#"data-word(?:-label|-title)?="([A-Za-z]+)""#, in: try await file("index.html"))
        var named = page
        for name in Self.pageFiles where name.hasSuffix(".js") {
            let text = try await file(name)
            named.formUnion(try matches(#"\bword\("([A-Za-z_.]+)"\)"#, in: text))
            named.formUnion(try matches(#"\bword(?:Label|Title)?: "([A-Za-z_.0-9]+)""#, in: text))
        }
        let missing = named.subtracting(try await keys(of: "words/english.js"))
        #expect(page.count > 10 && named.count > page.count && missing.isEmpty, "\(missing)")
    }

    @Test func `every module that is imported is served`() async throws {
        for name in Self.pageFiles where name.hasSuffix(".js") {
            let imported = try matches(#"from "(\.[a-z./-]+\.js)""#, in: try await file(name))
            let folder = URL(filePath: "/" + name).deletingLastPathComponent()
            let paths = imported.map { String(folder.appending(path: $0).standardized.path.dropFirst()) }
            #expect(Set(paths).isSubset(of: Self.pageFiles), "\(name): \(imported)")
        }
    }

    @Test func `every style sheet and script of the page is served, and folders stay small`() async throws {
        let page = try await file("index.html"), files = Self.pageFiles
        let named = try matches(#"(?:href|src)="([a-z]+/[a-z./-]+)""#, in: page).filter { !$0.hasPrefix("leaflet/") }
        #expect(named.count > 4 && named.isSubset(of: files), "\(named)")
        // One after the other, as imports name them, they would take a round trip a level.
        let preloaded = try matches(#"rel="modulepreload" href="([a-z/.-]+)""#, in: page)
        let begun = ["app/console.js", "map/reading.js", "push.js"]
        let modules = Set(files.filter { $0.hasSuffix(".js") }).subtracting(begun)
        #expect(preloaded == modules, "\(preloaded.symmetricDifference(modules))")
        let folders = Dictionary(grouping: files) { $0.split(separator: "/").dropLast().joined(separator: "/") }
        #expect(folders.values.allSatisfy { $0.count <= 15 })
    }

    @Test func `a file is deflated for who takes that, and not sent again to who has it`() async throws {
        let plain = await exporter.request("/app/console.js", headers: [:])
        let short = await exporter.request("/app/console.js", headers: [.acceptEncoding: "gzip"])
        #expect(plain.headers[.contentEncoding] == nil && short.headers[.contentEncoding] == "gzip")
        let bytes = try await short.bytes(), text = try await plain.bytes()
        #expect(bytes.count * 2 < text.count)
        #expect(try Inflater.inflate(bytes, limit: 1 << 20) == text)
        let tag = try #require(plain.headers[.eTag])
        #expect(short.headers[.eTag] == tag && short.headers[.vary] == "Accept-Encoding")
        let again = await exporter.request("/app/console.js", headers: [.ifNoneMatch: tag])
        #expect(again.status == .notModified)
        let other = await exporter.request("/app/keys.js", headers: [.ifNoneMatch: tag])
        #expect(other.status == .ok)
    }

    @Test func `nothing of the page reads HTML or runs what it is told`() async throws {
        for name in Self.pageFiles where name.hasSuffix(".js") {
            let text = try await file(name)
            let pattern = #"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function)"#
            let found = try matches(pattern, in: text)
            #expect(found.isEmpty, "\(name): \(found)")
        }
    }

    @Test func `every act has a word, and so has every reason why one fails`() async throws {
        let keys = try await keys(of: "words/english.js")
        #expect(keys.isSuperset(of: AlarmCommandService.acts.keys.map { "act." + $0 }))
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/alarms.md")
        let table = try #require(try String(contentsOf: page, encoding: .utf8).split(separator: "| code | why |").last)
        let codes = try matches(#"`([a-z_]+)`[^|\n]*\|"#, in: String(table.prefix { $0 != "#" }))
            .union(try matches(#", `([a-z_]+)`"#, in: String(table.prefix { $0 != "#" })))
        #expect(codes.count >= 10)
        #expect(keys.isSuperset(of: codes.map { "failed." + $0 }), "\(codes)")
    }

    @Test func `every metric and technology has a name`() async throws {
        let keys = try await keys(of: "words/english.js")
        let technologies = ["2G", "3G", "4G", "5G", "WIFI", "ETHERNET", "NONE", "UNKNOWN"].map { "technology." + $0 }
        #expect(keys.isSuperset(of: technologies))
        let metrics = try await file("support/metrics.js")
        #expect(
            HeatmapQuery.metrics(of: .qoe).allSatisfy { keys.contains($0.name) && metrics.contains("\($0.name): {") })
    }
}
