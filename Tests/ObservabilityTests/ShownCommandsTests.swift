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

    @Test(arguments: ["README.md", "docs/administration.md", "compose/demo"])
    func `tokens reach curl by its input, not by its command line`(page: String) throws {
        let shown = try lines(page).filter { $0.contains("Authorization: Bearer") }
        #expect(!shown.isEmpty)
        for line in shown {
            #expect(line.contains(/echo \\?"Authorization: Bearer [^|]*\| curl [^|]*-H @-/), "\(line)")
        }
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
