import ServiceKit
import Testing

@testable import AnalyticsExporter

@Suite struct PromptPolicyTests {
    private func calls(_ exporter: TestExporter) -> PromptPolicyCalls {
        PromptPolicyCalls(desk: exporter.desk, logger: TestExporter.logger)
    }

    private func code(_ body: () async throws -> JSONValue) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? ControlError)?.code
        }
    }

    @Test func aPolicyIsPublishedShownAndKept() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        #expect(await code { try await calls(exporter).show() } == ControlError.notFound)
        let policy: JSONValue = ["version": 2, "after": ["call_drop"], "pause_minutes": 60]
        #expect(try await calls(exporter).set(["document": policy]) == policy)
        #expect(try await calls(exporter).show() == policy)
        #expect(
            try exporter.worker.published() == [
                #"prompt_policy policy {"after":["call_drop"],"pause_minutes":60,"version":2}"#
            ])
        #expect(try await calls(TestExporter(directory)).show() == policy)
    }

    @Test func itsVersionRises() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        func set(_ version: Int64) async -> String? {
            await code { try await calls(exporter).set(["document": ["version": .integer(version)]]) }
        }
        #expect(await set(5) == nil)
        for version in [5, 4, 1] as [Int64] { #expect(await set(version) == ControlError.refused) }
        #expect(await set(6) == nil)
        #expect(try await calls(exporter).show() == ["version": 6])
        #expect(try exporter.worker.published().count == 2)
    }

    @Test(
        arguments: [
            [:], ["document": "text"], ["document": [1]], ["document": [:]], ["document": ["version": "1"]],
            ["document": ["version": 0]], ["document": ["version": -1]], ["document": ["version": 1.5]],
            ["document": ["version": 9_007_199_254_740_993]],
            ["document": ["version": 1, "text": .string(String(repeating: "x", count: 16_384))]],
        ] as [JSONValue])
    func whatIsNoPolicyIsRefusedAndLeavesNothing(arguments: JSONValue) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        #expect(await code { try await calls(exporter).set(arguments) } == ControlError.badArgument)
        #expect(try exporter.worker.published().isEmpty)
    }
}
