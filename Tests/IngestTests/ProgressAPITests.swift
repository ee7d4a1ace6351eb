import Foundation
import HTTPTypes
import Models
import Testing

@testable import IngestAPI

@Suite struct ProgressAPITests {
    /// 2025-10-09 in Douala, when the bench's copies were told.
    private let today: Int64 = 20_370

    private func progress(_ bench: APIBench, _ token: String) async throws -> APIBench.Answer {
        try await bench.call(.get, "/v1/me/progress", headers: [.authorization: "Bearer \(token)"])
    }

    private func document(_ device: UInt64, until: Int64) -> ProgressDocument {
        ProgressDocument(
            device: device, totals: ["feedback": 12],
            streaks: [.init(measure: "feedback", days: 3, best: 5, until: until)],
            goals: [
                .init(
                    goal: "feedback_week", measure: "feedback", period: "week", target: 5, done: 2, from: until - 3,
                    until: until, timesMet: 1)
            ], badges: [.init(badge: "feedback_1", day: 20_300)])
    }

    private func put(_ bench: APIBench, _ document: ProgressDocument?, of device: UInt64) throws {
        try bench.copies.take(
            bench.copies.block(
                .rewards, .progress,
                [
                    CopiesBench.Record(
                        key: "\(device)", device: device,
                        document: try document.map { Array(try JSONEncoder().encode($0)) })
                ]))
    }

    @Test func `who has contributed nothing is told so`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let answer = try await progress(bench, token)
        #expect(answer.status == 200 && answer.text.hasSuffix(#""streaks":[],"goals":[],"badges":[],"totals":{}}"#))
    }

    @Test func `streaks, goals and badges are told as they are today`() throws {
        func text(_ today: Int64) -> String {
            String(
                decoding: ProgressAnswer(progress: document(1, until: 20_371), today: today, asOf: nil).body,
                as: UTF8.self)
        }
        #expect(
            text(20_370) == """
                {"today":"2025-10-09","streaks":[{"measure":"feedback","days":3,"best":5,"until":"2025-10-10"}],\
                "goals":[{"goal":"feedback_week","measure":"feedback","period":"week","target":5,"done":2,"times_met":1}],\
                "badges":[{"badge":"feedback_1","day":"2025-07-31"}],"totals":{"feedback":12}}
                """)
        #expect(text(20_371).contains(#""days":3"#))
        #expect(text(20_372).contains(#""days":0,"best":5}"#) && text(20_372).contains(#""done":0,"times_met":1"#))
    }

    @Test func `a device sees its own progress only, the last that was told, and none that was removed`() async throws {
        let bench = try await APIBench(), first = try await bench.enrol(), second = try await bench.enrol()
        try put(bench, document(1, until: 20_000), of: 1)
        try put(bench, document(1, until: 20_001), of: 1)
        #expect(try await progress(bench, first).text.contains(#""totals":{"feedback":12}"#))
        #expect(try await progress(bench, second).text.contains(#""totals":{}"#))
        try put(bench, nil, of: 1)
        #expect(try await progress(bench, first).text.contains(#""totals":{}"#))
        #expect(try await progress(bench, "x").status == 401)
    }
}
