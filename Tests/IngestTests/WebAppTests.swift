import Foundation
import HTTPTypes
import IngestSupport
import ServiceKit
import TemporaryFiles
import Testing

@testable import IngestAPI

/// The subscribers' app as files, and what is told to who has not enrolled yet. Tests/WebApp/check looks at it in Chromium.
@Suite(.timeLimit(.minutes(1))) struct WebAppTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Services/Ingest/WebApp").path

    private func bench() async throws -> APIBench {
        try await APIBench(
            app: WebApp(directory: Self.folder), policyText: try PolicyText(directory: Self.folder + "/policy"))
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    @Test func `every file that a page names is served, with a policy that lets nothing else in`() async throws {
        let bench = try await bench(), page = try await bench.raw("GET", "/")
        #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
        let policy = page.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("*"))
        #expect(page.headers[.xContentTypeOptions] == "nosniff")
        let names = page.text.matches(of: /(?:src|href)="([^"#]+)"/).map { String($0.output.1) }
        let imported = try ["app", "feedback", "welcome", "rewards", "privacy", "speed", "words", "server"].flatMap {
            name in
            try Self.text(name + ".js").matches(of: /from "\.\/([^"]+)"/).map { String($0.output.1) }
        }
        let kept = try Self.text("worker.js").matches(of: /"([a-z\/]+\.[a-z]+)"/).map { String($0.output.1) }
        #expect(names.count > 5 && imported.count > 10)
        #expect(Set(names + imported).isSubset(of: kept), "the worker keeps every file of the page")
        for name in Set(names + imported + kept + ["worker.js"]) {
            let file = try await bench.raw("GET", "/" + name)
            #expect(file.status == 200 && file.headers[.contentSecurityPolicy] == policy, "\(name): \(file.status)")
            let tag = try #require(file.headers[.eTag])
            #expect(try await bench.raw("GET", "/" + name, headers: [.ifNoneMatch: tag]).status == 304)
        }
    }

    @Test func `there is no script, no style and no other host in the page itself`() throws {
        let page = try Self.text("index.html")
        #expect(!page.contains("style=") && !page.contains("<style") && !page.contains("onclick"))
        #expect(page.matches(of: /<script(?![^>]*src=)/).isEmpty)
        for name in try FileManager.default.subpathsOfDirectory(atPath: Self.folder) where name.hasSuffix(".js") {
            let text = try Self.text(name)
            #expect(!text.contains("innerHTML") && !text.contains("eval(") && !text.contains("https://"), "\(name)")
        }
    }

    @Test func `both languages have the same words, and every word that is used`() throws {
        func words(_ name: String) throws -> Set<String> {
            Set(
                try Self.text("words/\(name).js").matches(of: /(?:^|[ ,{])([A-Za-z_0-9]+): "/).map {
                    String($0.output.1)
                })
        }
        let english = try words("english")
        #expect(english == (try words("french")) && english.count > 100)
        var used: Set<String> = []
        for name in ["app", "feedback", "welcome", "rewards", "privacy", "speed"] {
            used.formUnion(
                try Self.text(name + ".js").matches(of: /word\("([A-Za-z_0-9]+)"/).map { String($0.output.1) })
        }
        used.formUnion(
            try Self.text("index.html").matches(of: /data-word(?:-label)?="([A-Za-z_0-9]+)"/).map {
                String($0.output.1)
            })
        #expect(used.count > 60 && used.isSubset(of: english), "\(used.subtracting(english))")
    }

    @Test func `nothing else of the disk can be reached, and nothing is done to a file`() async throws {
        let bench = try await bench()
        let paths = ["/index.html", "/../Package.swift", "/words/", "/policy/en.txt", "//", "/%2e%2e/Package.swift"]
        for path in paths { #expect(try await bench.raw("GET", path).status == 404, "\(path)") }
        #expect(try await bench.raw("POST", "/").status == 404)
        let head = try await bench.raw("HEAD", "/app.js")
        #expect(head.status == 200 && head.body.isEmpty)
        let without = try await APIBench(app: WebApp(directory: "/nowhere"))
        #expect(try await without.raw("GET", "/").status == 404)
    }

    @Test func `the worker has a hash of all files, so that another app is another worker`() async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: Self.folder, toPath: folder.path("app"))
        let before = try await bench().raw("GET", "/worker.js")
        #expect(before.text.firstMatch(of: /"nkul-[0-9a-f]{16}"/) != nil)
        let css = folder.path("app/app.css")
        try Data("/* changed */".utf8).write(to: URL(filePath: css))
        let after = try await APIBench(app: WebApp(directory: folder.path("app"))).raw("GET", "/worker.js")
        #expect(after.text != before.text && after.headers[.eTag] != before.headers[.eTag])
    }

    @Test func `the policy is told with its hash in the language that is asked for`() async throws {
        let bench = try await bench()
        let english = try await bench.call(.get, "/v1/policy"),
            french = try await bench.call(.get, "/v1/policy?lang=fr")
        #expect(english.json["text"] as? String == (try Self.text("policy/en.txt")))
        #expect(french.json["text"] as? String == (try Self.text("policy/fr.txt")))
        #expect(english.json["version"] as? String == french.json["version"] as? String)
        #expect(english.json["lang"] as? String == "en" && french.json["lang"] as? String == "fr")
        #expect(english.json["sha256"] as? String != french.json["sha256"] as? String)
        let other = try await bench.call(.get, "/v1/policy?lang=xx")
        #expect(other.status == 422 && other.json["field"] as? String == "lang")
    }

    @Test func `another word is another version, and a policy with one language is none`() throws {
        let folder = try TemporaryDirectory()
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
        }
        try write("en.txt", "We count.")
        #expect(throws: ServiceError.self) { try PolicyText(directory: folder.path) }
        try write("fr.txt", "Nous comptons.")
        let one = try PolicyText(directory: folder.path)
        try write("fr.txt", "Nous comptons !")
        #expect(try PolicyText(directory: folder.path).version != one.version && one.version.count == 16)
        try write("fr.txt", "")
        #expect(throws: ServiceError.self) { try PolicyText(directory: folder.path) }
    }

    @Test func `the operators of the country are told`() async throws {
        let answer = try await bench().call(.get, "/v1/operators")
        let operators = try #require(answer.json["operators"] as? [[String: String]])
        #expect(operators.first == ["plmn": "62401", "name": "MTN"] && operators.count == 4)
    }
}
