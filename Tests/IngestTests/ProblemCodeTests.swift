import Foundation
import IngestUploads
import QoE
import Testing

@testable import IngestAPI

/// One list of codes: what is thrown, what the OpenAPI document says and what `docs/errors.md` says are the same.
@Suite struct ProblemCodeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `a code has a status a title and a remedy of its own`() {
        for code in ProblemCode.allCases {
            #expect((400..<600).contains(code.status) && !code.title.isEmpty && !code.entry.remedy.isEmpty)
            #expect(code.rawValue.wholeMatch(of: /[a-z0-9]+(_[a-z0-9]+)*/) != nil, "\(code.rawValue)")
        }
        #expect(Set(ProblemCode.allCases.map(\.title)).count == ProblemCode.allCases.count)
    }

    @Test func `every code is thrown somewhere`() throws {
        let folder = Self.root.appending(path: "Services/Ingest")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var text = ""
        for case let file as URL in files
        where file.pathExtension == "swift" && !file.path.contains("/OpenAPI/")
            && !file.lastPathComponent.hasPrefix("ProblemCode")
        {
            text += try String(contentsOf: file, encoding: .utf8)
        }
        for code in ProblemCode.allCases {
            let used = try Regex("\\(\\s*\\.\(code)\\b").firstMatch(in: text) != nil
            #expect(used, "nothing throws \(code.rawValue)")
        }
    }

    @Test func `every code is in the document or belongs to no call`() {
        let documented = Set(DeviceOperation.all(.qoe).flatMap(\.allProblems))
        #expect(Set(ProblemCode.allCases).subtracting(documented) == [.methodNotAllowed, .unknownMethod])
    }

    @Test func `the page of errors has every code`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/errors.md"), encoding: .utf8)
        let lines = page.split(separator: "\n").map(String.init)
        let codes = ProblemCode.allCases.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }
        let problems = codes.map { "| \($0.status) | `\($0.rawValue)` | \($0.title) | \($0.entry.remedy) |" }
        #expect(
            lines.filter { $0.prefixMatch(of: /\| \d{3} \| `/) != nil } == problems,
            "\(problems.joined(separator: "\n"))")
        let rows = RowCode.allCases.map { "| `\($0.rawValue)` | \($0.meaning.text) | \($0.meaning.field) |" }
        #expect(rows.allSatisfy(lines.contains), "\(rows.joined(separator: "\n"))")
    }

    @Test func `a problem is word for word the same`() {
        #expect(
            String(decoding: DeviceAPIError(.badLimit, field: "limit").body, as: UTF8.self) == """
                {"type":"urn:nkul:problem:bad_limit","title":"A page has 1 to 100 entries","status":400,"code":"bad_limit",\
                "field":"limit"}
                """)
        #expect(DeviceAPIError(.outOfRange, "x").body != DeviceAPIError(.outOfRange, "y").body)
    }
}
