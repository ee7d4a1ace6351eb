import ServiceKit
import TemporaryFiles
import Testing

@testable import AnalyticsExporter

/// Campaigns as documents: read, refused by member, set by version.
@Suite struct CampaignDocumentTests {
    private let directory: TemporaryDirectory
    private let exporter: TestExporter

    init() throws {
        directory = try TemporaryDirectory()
        exporter = try TestExporter(directory)
    }

    private static let whole: JSONValue = [
        "amount_xaf": 50, "from": "2026-03-01T00:00:00+01:00", "to": "2026-06-01T00:00:00+01:00",
        "operators": ["62401"], "daily_maximum": 3, "device_maximum": 100, "number_daily_maximum": 5,
        "prompted_only": true, "budget_xaf": 2_000_000, "cell_day_budget_xaf": 1_000,
    ]

    private func set(_ document: JSONValue, _ call: String = "set") async throws -> JSONValue {
        try await exporter.documentCalls.answer("campaign.\(call)", ["id": "spring", "document": document])
    }

    private func changed(_ member: String, _ value: JSONValue?) throws -> JSONValue {
        var members = try #require(Self.whole.object)
        members[member] = value
        return .object(members)
    }

    @Test func `a document is set as it says, and each time is another version`() async throws {
        let first = try await set(Self.whole)
        #expect(first["version"] == 1 && first["budget_xaf"] == 2_000_000 && first["prompted_only"] == true)
        #expect(first["from_ms"] == 1_772_319_600_000 && first["cell_day_budget_xaf"] == 1_000)
        #expect(try await set(Self.whole)["version"] == 2)
        // What is shown can be changed and set again.
        var members = try #require(
            try await exporter.documentCalls.answer("campaign.show", ["id": "spring"]).object)
        members["budget_xaf"] = 3_000_000
        #expect(try await set(.object(members))["version"] == 3)
        let error = await #expect(throws: ControlError.self) { try await set(.object(members)) }
        #expect(error?.code == "refused" && error?.message.contains("is at version 3, and not at 2") == true)
        #expect(try await set(Self.whole, "check")["amount_xaf"] == 50)
        #expect(
            try await exporter.documentCalls.answer("campaign.list", [:]).array?.map { $0["budget_xaf"] } == [3_000_000]
        )
    }

    @Test func `ways to earn beside records are read, one in a campaign and where they have an effect`() async throws {
        let milestone = try await set(["amount_xaf": 500, "milestone": ["records": 50, "repeats": true]], "check")
        #expect(milestone["milestone"] == ["records": 50, "repeats": true])
        let confirmed = try await set(
            ["amount_xaf": 100, "confirmed_emergency": [:], "cell_day_budget_xaf": 900], "check")
        #expect(confirmed["confirmed_emergency"] == ["devices": 2, "minutes": 30])
        let error = await #expect(throws: ControlError.self) {
            try await set(["amount_xaf": 1, "milestone": [:], "confirmed_emergency": [:]])
        }
        #expect(error?.message.contains("document.confirmed_emergency is there beside milestone") == true)
    }

    @Test(
        arguments: [
            ("amount_xaf", nil, "document.amount_xaf is missing"),
            ("amount_xaf", 0, "document.amount_xaf is 0; expected 1…10000"),
            ("budget_xaf", 49, "document.budget_xaf is 49; expected amount_xaf or more"),
            ("budget_xaf", "all", "document.budget_xaf is \"all\""),
            ("cell_day_budget_xaf", 10, "document.cell_day_budget_xaf is 10; expected amount_xaf or more"),
            ("device_maximum", 0, "document.device_maximum is 0; expected 1…1000000"),
            ("operators", ["orange"], "document.operators[0] is \"orange\""),
            ("from", "spring", "document.from is \"spring\"; expected RFC 3339"),
            ("to", "2026-02-01T00:00:00Z", "document.to is not after from"),
            ("kind", "report", "document.kind is \"report\"; expected one of feedback"),
            ("prompted_only", 1, "document.prompted_only is 1; expected true or false"),
            ("milestone", ["records": 0], "document.milestone.records is 0; expected 1…1000000"),
            ("milestone", ["record": 5], "document.milestone.record is unknown"),
            ("milestone", ["records": 5], "document.prompted_only is there beside milestone"),
            ("milestone", ["records": 5], "document.cell_day_budget_xaf is there beside milestone"),
            ("confirmed_emergency", ["devices": 21], "document.confirmed_emergency.devices is 21; expected 1…20"),
            ("confirmed_emergency", [:], "document.prompted_only is there beside confirmed_emergency"),
            ("bugdet_xaf", 7, "document.bugdet_xaf is unknown"), ("id", "autumn", "document.id is \"autumn\""),
        ] as [(String, JSONValue?, String)])
    func `a document at fault is refused by its member, and changes nothing`(
        member: String, value: JSONValue?, text: String
    ) async throws {
        _ = try await set(Self.whole)
        let before = try exporter.worker.published()
        for call in ["set", "check"] {
            let error = await #expect(throws: ControlError.self) { try await set(changed(member, value), call) }
            #expect("\(try #require(error))".contains(text), "\(error.map { "\($0)" } ?? "")")
        }
        #expect(try exporter.worker.published() == before)
        #expect(try await exporter.documentCalls.answer("campaign.show", ["id": "spring"])["version"] == 1)
    }
}
