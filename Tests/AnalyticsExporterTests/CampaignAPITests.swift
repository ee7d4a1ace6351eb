import AnalyticsExporter
import ExporterSupport
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import ServiceKit
import SubjectRights
import TemporaryFiles
import Testing

/// What operators see of campaigns.
@Suite struct CampaignAPITests {
    /// 1 March 2026 in Douala.
    private static let today: Int64 = 20_513

    private static func day(
        _ campaign: String, _ operators: [String], ago: Int64 = 0,
        _ change: (inout CampaignDayDocument) -> Void = { _ in }
    ) -> CampaignDayDocument {
        var day = CampaignDayDocument(campaign: campaign, day: today - ago, operators: operators)
        day.granted = .init(grants: 10, xaf: 500)
        day.paid = .init(grants: 6, xaf: 300)
        day.open = .init(grants: 3, xaf: 150)
        (day.held, day.rejected, day.devices, day.newDevices, day.useful, day.newCells) = (1, 1, 8, 5, 7, 2)
        day.refused = ["daily_maximum": 4]
        change(&day)
        return day
    }

    private func house(_ days: [CampaignDayDocument]) throws -> (TestExporter, TemporaryDirectory, TestLane) {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.rewards)
        try exporter.take([try lane.block(kind: .campaignDay, .documents(days.map { ($0.key, $0) }))])
        return (exporter, directory, lane)
    }

    private func json(_ exporter: TestExporter, _ query: String = "", _ token: String? = nil) async throws
        -> [String: Any]
    {
        let text = try await exporter.text("/v1/campaigns" + query, headers: token.map(TestExporter.bearer))
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
    }

    private func names(_ exporter: TestExporter, _ token: String? = nil, _ query: String = "") async throws -> [String]
    {
        (try await json(exporter, query, token)["campaigns"] as! [[String: Any]]).map { $0["campaign"] as! String }
    }

    @Test func `a campaign's days are shown and summed up, with what a useful record cost`() async throws {
        let (exporter, _, _) = try house([
            Self.day("spring", ["62401"]),
            Self.day("spring", ["62401"], ago: 1) {
                $0.useful = 0
                $0.reversed = 1
                $0.refused = ["daily_maximum": 1, "no_consent": 2]
            },
            // Before the last thirty days.
            Self.day("spring", ["62401"], ago: 40),
        ])
        let answer = try await json(exporter)
        #expect(answer["to"] as? String == "2026-03-01" && answer["time_zone"] as? String == "Africa/Douala")
        #expect(answer["coverage"] as? [String: Int] == ["level": 13, "days": 28])
        let campaign = try #require((answer["campaigns"] as? [[String: Any]])?.first)
        #expect(campaign["networks"] as? [String] == ["62401"] && campaign["document"] == nil)
        #expect(campaign["ever"] as? [String: Int] == ["grants": 30, "spent_xaf": 1_350, "devices": 15])
        let days = try #require(campaign["days"] as? [[String: Any]])
        #expect(days.map { $0["day"] as? String } == ["2026-02-28", "2026-03-01"])
        #expect(days[1]["spent_xaf"] as? Int == 450 && days[1]["cost_per_useful_xaf"] as? Double == 64.3)
        #expect(days[0]["cost_per_useful_xaf"] is NSNull && days[1]["devices"] as? Int == 8)
        let total = try #require(campaign["total"] as? [String: Any])
        #expect(total["refused"] as? [String: Int] == ["daily_maximum": 5, "no_consent": 2])
        #expect(total["granted_xaf"] as? Int == 1_000 && total["new_devices"] as? Int == 10)
        #expect(total["reversed"] as? Int == 1 && total["held"] as? Int == 2 && total["new_cells"] as? Int == 4)
        #expect(total["devices"] == nil && total["day"] == nil)
    }

    @Test func `a day that is told again counts once, and one that is removed not at all`() async throws {
        let (exporter, _, used) = try house([Self.day("spring", []), Self.day("summer", [])])
        var lane = used
        let again = Self.day("spring", []) { $0.granted.grants = 11 }
        try exporter.take([
            try lane.block(kind: .campaignDay, .documents([(again.key, again)])),
            try lane.block(kind: .campaignDay, .tombstones([("\(Self.today)/summer", nil)])),
        ])
        let campaigns = try await json(exporter)["campaigns"] as! [[String: Any]]
        #expect(campaigns.count == 1 && (campaigns[0]["total"] as? [String: Any])?["grants"] as? Int == 11)
    }

    @Test func `a tenant sees campaigns of its own networks only, the regulator all`() async throws {
        let (exporter, _, _) = try house([
            Self.day("any", []), Self.day("both", ["62401", "62402"]), Self.day("mtn", ["62401"]),
            // It was for everybody once, and for one network since.
            Self.day("narrowed", [], ago: 1), Self.day("narrowed", ["62401"]),
            Self.day("orange", ["62402"]),
        ])
        let mtn = try await exporter.tenant("mtn", ["62401"])
        let both = try await exporter.tenant("group", ["62401", "62402"])
        #expect(try await names(exporter) == ["any", "both", "mtn", "narrowed", "orange"])
        #expect(try await names(exporter, mtn) == ["mtn", "narrowed"])
        #expect(try await names(exporter, both) == ["both", "mtn", "narrowed", "orange"])
        #expect(try await names(exporter, mtn, "?campaign=orange") == [])
        let own = try await json(exporter, "?campaign=narrowed", mtn)["campaigns"] as! [[String: Any]]
        #expect((own[0]["days"] as? [Any])?.count == 1 && (own[0]["ever"] as? [String: Int])?["grants"] == 10)
        let csv = try await exporter.text("/v1/campaigns.csv", headers: TestExporter.bearer(mtn))
        #expect(!csv.contains("orange") && !csv.contains("any,"))
    }

    @Test func `a campaign that has done nothing yet is there with its document`() async throws {
        let (exporter, _, _) = try house([])
        _ = try await exporter.documentCalls.answer(
            "campaign.set",
            ["id": "new", "document": ["amount_xaf": 50, "operators": ["62401"], "budget_xaf": 1_000]])
        let mtn = try await exporter.tenant("mtn", ["62401"]), orange = try await exporter.tenant("orange", ["62402"])
        let campaigns = try await json(exporter, "", mtn)["campaigns"] as! [[String: Any]]
        #expect((campaigns.first?["document"] as? [String: Any])?["budget_xaf"] as? Int == 1_000)
        #expect((campaigns.first?["days"] as? [Any])?.isEmpty == true)
        #expect(try await names(exporter, orange).isEmpty)
    }

    @Test func `the same as CSV, a row a campaign and day`() async throws {
        let (exporter, _, _) = try house([Self.day("spring", ["62401", "62402"]) { $0.refused["untrusted"] = 1 }])
        let answer = await exporter.request("/v1/campaigns.csv")
        #expect(answer.headers[.contentType] == "text/csv")
        #expect(
            String(decoding: try await answer.bytes(), as: UTF8.self) == """
                campaign,networks,day,grants,granted_xaf,paid,paid_xaf,open,open_xaf,held,rejected,reversed,spent_xaf,refused,\
                devices,new_devices,useful,cost_per_useful_xaf,new_cells\r
                spring,62401 62402,2026-03-01,10,500,6,300,3,150,1,1,0,450,daily_maximum:4 untrusted:1,8,5,7,64.3,2\r\n
                """)
        let tag = try #require(answer.headers[.eTag])
        let headers: HTTPFields = [.authorization: "Bearer \(exporter.token)", .ifNoneMatch: tag]
        #expect(await exporter.request("/v1/campaigns.csv", headers: headers).status == .notModified)
    }

    @Test(arguments: [
        ("?plmn=62401", "plmn", "unknown_parameter"), ("?campaign=a%20b", "campaign", "invalid_parameter"),
        ("?from=yesterday", "from", "invalid_parameter"),
        ("?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z", "to", "invalid_parameter"),
    ])
    func `a parameter at fault is named`(query: String, field: String, code: String) async throws {
        let (exporter, _, _) = try house([])
        let answer = await exporter.request("/v1/campaigns" + query)
        let problem = try JSONSerialization.jsonObject(with: Data(try await answer.bytes())) as! [String: Any]
        #expect(answer.status == .badRequest && problem["field"] as? String == field)
        #expect(problem["code"] as? String == code)
    }
}
