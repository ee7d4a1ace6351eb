import Foundation
import PipelineTesting
import ServiceKit
import SocketTesting
import Testing

/// Commands that pages tell people to run: every user of a machine sees the command lines of its programs.
@Suite(.timeLimit(.minutes(1))) struct ShownCommandsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")

    private func lines(_ page: String) throws -> [String] {
        try String(contentsOf: Self.root.appending(path: page), encoding: .utf8).components(separatedBy: "\n")
    }

    /// Every page, and the script that shows commands, by their path.
    private static let pages: [String] = {
        let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".md") && !$0.hasPrefix(".build") } + ["compose/demo"]
    }()

    @Test func `no page shows a token on a command line: curl has it from its input or a file`() throws {
        var shown: [String] = []
        for page in Self.pages {
            // In backticks, or as a line of a request, it is no command.
            for line in try lines(page)
            where line.contains("Bearer ") && !line.contains("`") && !line.contains(/^ *Authorization: Bearer/) {
                let isHeld =
                    line.contains(#/echo \\?"Authorization: Bearer [^|]*\| curl [^|]*-H @-/#)
                    || line.contains(#/echo "Authorization: Bearer [^|]*> /#)
                    || line.contains(#/<<< "Authorization: Bearer /#)
                #expect(isHeld, "\(page): \(line)")
                shown.append(page)
            }
            for line in try lines(page) {
                #expect(
                    !line.contains(#/curl .*(?:-u |--user|--oauth2-bearer|-H ['"]?Authorization)/#), "\(page): \(line)")
            }
        }
        let expected: Set = ["README.md", "docs/administration.md", "docs/exports.md", "compose/demo"]
        #expect(expected.isSubset(of: shown))
    }

    @Test func `the form that is shown is let in`() async throws {
        let house = try House([.analyticsExporter])
        #expect(try await eventually { house.port(of: "mno_api", .analyticsExporter) != nil })
        let port = try #require(house.port(of: "mno_api", .analyticsExporter))
        let shown = try #require(try lines("docs/administration.md").first { $0.hasPrefix("    echo \"Authorization") })
        let asked = shown.replacing("127.0.0.1:8080/v1/me/rewards", with: "127.0.0.1:\(port)/v1/session")
        let answer = try await house.shell("token=$(cat home/keys/regulator.token)\n" + asked)
        #expect(answer.contains(#""tenant":"regulator""#), "\(answer)")
        try await house.stop()
    }
}
