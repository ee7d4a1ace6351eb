import CommandSupport
import Foundation
import Laboratory
import Models
import RewardDispatcher
import ServiceKit

/// What a campaign would have cost against a recording, for people and programs.
struct CampaignReport {
    private static let dayLength: UnixMilliseconds = 86_400_000
    /// Records taken at once.
    private static let atOnce = 1_000

    private let campaign: CampaignDocument
    private let days: [CampaignDayDocument]
    private let budgetEndedAt: UnixMilliseconds?
    /// Of the campaign's kind.
    private let records: Int
    /// Of those: that it is not for.
    private let uncovered: Int
    /// By how many days the recording was moved.
    private let shift: Int64

    /// Plays the recording through the campaign.
    ///
    /// - Throws: `RecordingError`, `StorageError`.
    init(
        _ campaign: CampaignDocument, recording: String, timeZone: String, holds: Bool,
        _ programmes: Programmes = .registered
    ) throws {
        self.campaign = campaign
        let trial = try CampaignTrial(campaign, timeZone: timeZone, holdsSuspected: holds)
        var reader = try RecordingReader(path: recording, programmes), waiting: [CampaignTrial.Record] = []
        var devices: [String: UInt64] = [:], shift: Int64?, records = 0
        while let row = try reader.next() {
            let days = shift ?? Self.shift(of: row.due, to: campaign)
            shift = days
            guard row.kind.name == campaign.kindName else { continue }
            records += 1
            let device = devices[row.device, default: UInt64(devices.count + 1)]
            devices[row.device] = device
            waiting.append(Self.record(row, device: device, moved: days * Self.dayLength))
            guard waiting.count == Self.atOnce else { continue }
            try trial.take(waiting)
            waiting.removeAll()
        }
        try trial.take(waiting)
        self.records = records
        self.shift = shift ?? 0
        days = try trial.days()
        (budgetEndedAt, uncovered) = (trial.budgetEndedAt, trial.uncovered)
    }

    /// By how many days what begins at a time is moved to lie within a campaign; 0 if it does.
    private static func shift(of first: UnixMilliseconds, to campaign: CampaignDocument) -> Int64 {
        guard first < campaign.from || first >= campaign.to else { return 0 }
        let (days, rest) = (campaign.from - first).quotientAndRemainder(dividingBy: dayLength)
        return days + (rest > 0 ? 1 : 0)
    }

    private static func record(
        _ row: RecordingRow, device: UInt64, moved: UnixMilliseconds
    ) -> CampaignTrial.Record {
        let values = row.values
        var record = CampaignTrial.Record(
            kind: row.kind.name, device: device, receivedAt: row.due + moved, capturedAt: row.capturedAt + moved,
            plmn: PLMN(mcc: values[ColumnID.mcc], mnc: values[ColumnID.mnc]))
        record.latitude = values[ColumnID.latitude]
        record.longitude = values[ColumnID.longitude]
        record.isPrompted = row.texts[ColumnID.promptID] != nil
        record.isEmergency = row.kind.recordKind.problems.contains { problem in
            problem.raisesAlone && problem.isReported { values[$0] }
        }
        record.isMocked = values[ColumnID.mockLocation] == 1
        return record
    }

    private var refused: [String: Int64] {
        var sums = days.reduce(into: [String: Int64]()) { $0.merge($1.refused, uniquingKeysWith: +) }
        if uncovered > 0 { sums[GrantRefusal.noCampaign.rawValue] = Int64(uncovered) }
        return sums
    }

    private func sum(_ figure: (CampaignDayDocument) -> Int64) -> Int64 { days.reduce(0) { $0 + figure($1) } }

    private var cost: JSONValue {
        let useful = sum(\.useful)
        return useful == 0 ? .null : .number((Double(sum(\.granted.xaf)) / Double(useful) * 10).rounded() / 10)
    }

    var json: JSONValue {
        [
            "campaign": .string(campaign.id), "records": .integer(Int64(records)), "moved_days": .integer(shift),
            "grants": .integer(sum(\.granted.grants)), "spent_xaf": .integer(sum(\.granted.xaf)),
            "held": .integer(sum(\.held)), "devices": .integer(sum(\.newDevices)), "useful": .integer(sum(\.useful)),
            "cost_per_useful_xaf": cost, "new_cells": .integer(sum(\.newCells)),
            "budget_ends_ms": budgetEndedAt.map { .integer($0) } ?? .null,
            "refused": .object(refused.mapValues { .integer($0) }),
            "days": .array(days.map(Self.json)),
        ]
    }

    private static func json(_ day: CampaignDayDocument) -> JSONValue {
        [
            "day": .string(CivilDay.text(day.day)), "grants": .integer(day.granted.grants),
            "spent_xaf": .integer(day.granted.xaf), "held": .integer(day.held), "devices": .integer(day.devices),
            "new_devices": .integer(day.newDevices), "useful": .integer(day.useful),
            "new_cells": .integer(day.newCells), "refused": .object(day.refused.mapValues { .integer($0) }),
        ]
    }

    var text: String {
        let rows = days.map { day in
            [CivilDay.text(day.day)]
                + [
                    day.granted.grants, day.granted.xaf, day.held, day.devices, day.newDevices, day.useful,
                    day.newCells,
                ].map { String($0) }
        }
        let header = ["day", "grants", "XAF", "held", "devices", "new", "useful", "new cells"]
        var lines = rows.isEmpty ? [] : [TextTable(header, rows, right: Set(1..<8)).text]
        lines.append(
            "\(records) records: \(sum(\.granted.grants)) grants to \(sum(\.newDevices)) devices, \(sum(\.granted.xaf)) XAF"
        )
        if case .number(let cost) = cost { lines.append("\(cost) XAF for a useful record") }
        for (reason, count) in refused.sorted(by: { $0.key < $1.key }) { lines.append("refused, \(reason): \(count)") }
        if let budgetEndedAt { lines.append("the budget ends \(SystemTime.text(budgetEndedAt))") }
        if shift != 0 { lines.append("the recording was moved by \(shift) days") }
        return lines.joined(separator: "\n")
    }
}
