import ArgumentParser
import CommandSupport
import Models
import OnCall
import ServiceKit

/// `nkul admin schedule`: who is on call when.
struct AdminSchedule: AsyncParsableCommand, OnCallWord {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Who of a tenant is on call when.",
        discussion: "docs/oncall.md describes the documents.",
        subcommands: [
            OnCallList<Self>.self, OnCallShow<Self>.self, OnCallSet<Self>.self, OnCallRemove<Self>.self,
            OnCallCheckCommand<Self>.self,
        ])

    static let word = "schedule"
    static let one = "schedule"
    static let columns: [AdminTable.Column] = [
        .text("zone"), .init(title: "SHIFTS", isRight: true) { "\($0["shifts"]?.array?.count ?? 0)" },
        .init(title: "OVERRIDES", isRight: true) { "\($0["overrides"]?.array?.count ?? 0)" },
    ]

    static func text(_ checked: JSONValue) -> String {
        guard let zone = CivilZone(name: checked["zone"]?.string ?? "") else { return checked.text }
        let turns = (checked["turns"]?.array ?? []).compactMap { turn -> Schedule.Turn? in
            guard let from = turn["from_ms"]?.integer, let to = turn["to_ms"]?.integer, from < to else { return nil }
            return Schedule.Turn(period: from..<to, contact: turn["contact"]?.string)
        }
        return SchedulePicture(turns: turns, zone: zone).text
    }
}

/// `nkul admin escalation`: whom to call about an alarm that nobody takes.
struct AdminEscalation: AsyncParsableCommand, OnCallWord {
    static let configuration = CommandConfiguration(
        commandName: "escalation", abstract: "Whom a tenant calls about an alarm that nobody takes, step by step.",
        discussion: "docs/oncall.md describes the documents.",
        subcommands: [
            OnCallList<Self>.self, OnCallShow<Self>.self, OnCallSet<Self>.self, OnCallRemove<Self>.self,
            OnCallCheckCommand<Self>.self,
        ])

    static let word = "escalation"
    static let one = "escalation"
    static let columns: [AdminTable.Column] = [
        .init(title: "STEPS", isRight: true) { "\($0["steps"]?.array?.count ?? 0)" }, .text("filter"),
    ]

    static func text(_ checked: JSONValue) -> String {
        let steps = (checked["steps"]?.array ?? []).enumerated().map { index, step in
            JSONValue.object((step.object ?? [:]).merging(["step": .integer(Int64(index + 1))]) { $1 })
        }
        return "an alarm that is raised now, and that nobody takes, calls\n\n"
            + AdminTable(columns: [
                .figure("step"), .time("at_ms", "AT"), .text("contacts"), .text("schedule"), .text("channel"),
            ]).text(of: steps, none: "nobody")
    }
}

/// `nkul admin maintenance`: planned work.
struct AdminMaintenance: AsyncParsableCommand, OnCallWord {
    static let configuration = CommandConfiguration(
        commandName: "maintenance", abstract: "Planned work, during which alarms are raised but not told.",
        discussion: "docs/oncall.md describes the documents.",
        subcommands: [
            OnCallList<Self>.self, OnCallShow<Self>.self, OnCallSet<Self>.self, OnCallRemove<Self>.self,
            OnCallCheckCommand<Self>.self,
        ])

    static let word = "maintenance"
    static let one = "planned work"
    static let columns: [AdminTable.Column] = [
        .text("from"), .text("to"), .text("weekly"), .text("filter"), .text("reason"),
    ]

    static func text(_ checked: JSONValue) -> String {
        (checked["active"]?.bool == true ? "it is going on now" : "it is not going on now") + "\n\n"
            + AdminTable(columns: [.time("from_ms", "FROM"), .time("to_ms", "TO")]).text(
                of: checked["windows"]?.array ?? [], none: "none in these days")
    }
}
