import Foundation
import ServiceKit
import Testing

@testable import Administration

struct UpChildTests {
    /// Runs a shell script to its end.
    private func run(_ script: String, _ act: @Sendable (UpChild) -> Void = { _ in }) async throws -> (
        lines: [String], end: UpEnd?
    ) {
        let (stream, feed) = AsyncStream.makeStream(of: Result<String, Ended>.self)
        let child = try UpChild(
            program: "/bin/sh", arguments: ["-c", script], environment: ["WORD": "hello"],
            line: { feed.yield(.success($0)) },
            ended: {
                feed.yield(.failure(Ended(end: $0)))
                feed.finish()
            })
        act(child)
        var lines: [String] = []
        var end: UpEnd?
        for await item in stream {
            switch item {
            case .success(let line): lines.append(line)
            case .failure(let ended): end = ended.end
            }
        }
        withExtendedLifetime(child) {}
        return (lines, end)
    }

    private struct Ended: Error { let end: UpEnd }

    @Test(.timeLimit(.minutes(1)))
    func `lines of both outputs arrive in order, the last even without its end`() async throws {
        let result = try await run("echo $WORD; echo two >&2; printf three; exit 7")
        #expect(result.lines == ["hello", "two", "three"])
        #expect(result.end == .exited(7))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a signal is told apart from an exit`() async throws {
        let result = try await run("exec cat") { $0.send(signal: SIGKILL) }
        #expect(result.end == .killed(signal: SIGKILL))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a child has a process group of its own, so that Ctrl-C does not reach it`() async throws {
        let result = try await run("ps -o pgid= -p $$ | tr -d ' '; echo $$")
        #expect(result.lines.count == 2 && result.lines[0] == result.lines[1])
        #expect(result.lines.first != "\(getpgrp())")
    }

    @Test(.timeLimit(.minutes(1)))
    func `a child's standard input ends with its starter`() async throws {
        let (stream, feed) = AsyncStream.makeStream(of: UpEnd.self)
        var child: UpChild? = try UpChild(
            program: "/bin/cat", arguments: [], environment: [:], line: { _ in }, ended: { feed.yield($0) })
        #expect(child?.pid ?? 0 > 0)
        child = nil
        for await end in stream {
            #expect(end == .exited(0))
            break
        }
    }

    @Test func `a program that is not there is an error that names it`() {
        #expect {
            try UpChild(
                program: "/nowhere/nkul-ingest", arguments: [], environment: [:], line: { _ in }, ended: { _ in })
        } throws: { error in
            "\(error)".contains("/nowhere/nkul-ingest") && "\(error)".contains("ENOENT")
        }
    }
}
