import Foundation
import Models
import ServiceKit
import TemporaryFiles
import Testing

@testable import Administration

@Suite struct CampaignReportTests {
    private static let noon: Int64 = 1_772_366_400_000  // 2026-03-01T12:00:00Z

    /// A recording of feedback and a report, from noon on, a row a minute; the last of another network.
    private func recording(_ directory: TemporaryDirectory) throws -> String {
        let rows = (0..<6).map { number in
            "p\(number % 2),feedback,\(Self.noon + Int64(number) * 60_000),624,\(number == 5 ? 2 : 1),3.87,11.52,4,"
        }
        let text = """
            # nkul-recording 1
            device,kind,captured_at_ms,mcc,mnc,latitude,longitude,rating,latency_ms
            \(rows.joined(separator: "\n"))
            p1,report,\(Self.noon + 600_000),624,1,3.87,11.52,,30

            """
        let path = directory.path + "/day.csv"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func campaign(from: Int64, to: Int64 = 32_503_680_000_000) -> CampaignDocument {
        var campaign = CampaignDocument(
            id: "spring", amountXAF: 50, dailyMaximum: 0, operators: ["62401"], from: from, to: to, isActive: true)
        campaign.budgetXAF = 150
        return campaign
    }

    @Test func `a recording goes through a campaign: what it costs by day, when its budget ends, what is refused`()
        throws
    {
        let directory = try TemporaryDirectory()
        let report = try CampaignReport(
            campaign(from: Self.noon - 60_000), recording: recording(directory), timeZone: "Africa/Douala", holds: false
        )
        let json = report.json
        #expect(json["records"]?.integer == 6 && json["grants"]?.integer == 3 && json["spent_xaf"]?.integer == 150)
        #expect(json["budget_ends_ms"]?.integer == Self.noon + 180_000 && json["moved_days"]?.integer == 0)
        #expect(json["refused"]?["budget_exhausted"]?.integer == 2 && json["refused"]?["no_campaign"]?.integer == 1)
        #expect(json["cost_per_useful_xaf"] == .number(50) && json["new_cells"]?.integer == 1)
        #expect(json["days"]?.array?.map { $0["day"]?.string } == ["2026-03-01"])
        #expect(report.text.contains("6 records: 3 grants to 2 devices, 150 XAF"))
        #expect(report.text.contains("the budget ends 2026-03-01T12:03:00"))
        #expect(report.text.contains("refused, budget_exhausted: 2"))
    }

    @Test func `a recording from before the campaign, or after it, is moved by whole days to its beginning`() throws {
        let directory = try TemporaryDirectory(), path = try recording(directory), day: Int64 = 86_400_000
        for (from, to, moved) in [
            (Self.noon + 10 * day - 3_600_000, Int64.max, 10), (Self.noon - 5 * day, Self.noon - day, -5),
            (Self.noon + 1, Int64.max, 1),
        ] as [(Int64, Int64, Int64)] {
            let report = try CampaignReport(
                campaign(from: from, to: to), recording: path, timeZone: "Africa/Douala", holds: false)
            #expect(report.json["moved_days"]?.integer == moved && report.json["grants"]?.integer == 3)
        }
    }
}
