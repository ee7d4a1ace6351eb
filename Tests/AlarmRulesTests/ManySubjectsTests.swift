@testable import AlarmRules
import Foundation
import Models
import Testing

/// More subjects than windows have room for. `NKUL_SUBJECTS=1000000` plays a million and prints the memory that it takes
/// (`docs/performance.md`).
@Suite struct ManySubjectsTests {
    private static let subjects = Int(ProcessInfo.processInfo.environment["NKUL_SUBJECTS"] ?? "") ?? 20_000
    private static let isAll = subjects > 100_000
    /// All of one cell of level 6, or of one of level 8.
    private static let corner = Quadkey(text: "122223" + "0000000000")!

    private static func at(_ minute: Int) -> UnixMilliseconds { RuleWorld.start + Int64(minute) * 60_000 }

    /// Most memory that the process has had, bytes.
    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return (Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "") ?? 0) * 1_024
    }

    @Test func `of more subjects than there is room for the parents tell, and memory stays bounded`() throws {
        let budget = Self.isAll ? RuleEngine.usualBudget : 3 << 20
        let rule = try RuleText.rule(RuleText.count(["level": 16]))
        let before = try Self.peak()
        // Small, for it is measured, too: cells of open alarms, parents apart.
        var engine = RuleEngine([rule], budget: budget), open: Set<UInt64> = [], parents: Set<UInt64> = []
        var most = 0, raised = 0
        func take(_ found: [RuleTransition]) {
            for one in found {
                guard case .cell(let cell) = one.subject else { continue }
                let key = cell.map { WindowKey(owner: 0, cell: $0).subject } ?? 0
                switch (one.change, one.isParent) {
                case (.raised, false): (_, raised) = (open.insert(key), raised + 1)
                case (.raised, true): parents.insert(key)
                case (.cleared, false), (.withdrawn, false): open.remove(key)
                case (.cleared, true), (.withdrawn, true): parents.remove(key)
                case (.worse, _), (.revised, _): break
                }
            }
        }
        take(engine.advance(to: Self.at(0)))
        for minute in 0..<4 {
            engine.hear(at: Self.at(minute))
            for number in stride(from: minute, to: Self.subjects, by: 4) {
                let place = Quadkey(level: 16, code: Self.corner.code + UInt64(number))
                for device in 0..<3 {
                    let row = RuleRow(
                        kind: 1, device: UInt32(number * 3 + device + 1), eventAt: Self.at(minute), owner: 624_002,
                        place: place, stratum: 7, hasNetwork: false)
                    take(engine.add(row) { $0 == ColumnID.event ? 2 : nil })
                }
                if number % 997 == 0 { most = max(most, engine.byteCount) }
            }
        }
        for minute in 4..<12 {
            engine.hear(at: Self.at(minute))
            take(engine.advance(to: Self.at(minute)))
        }
        // Between two looks it may grow by some thousands of subjects.
        #expect(most < 2 * budget)
        #expect(engine.byteCount <= budget)
        let cells = parents.union(open).map { WindowKey(owner: 0, subject: $0).cell.text }
        // Every part of the country has an open alarm that lies in it or around it.
        for number in stride(from: 0, to: Self.subjects, by: 1 << 14) {
            let place = Quadkey(level: 16, code: Self.corner.code + UInt64(number)).parent(at: 9).text
            #expect(cells.contains { $0.hasPrefix(place) || place.hasPrefix($0) }, "\(place)")
        }
        let grown = try Self.peak() - before
        if Self.isAll {
            print(
                "\(Self.subjects) subjects: \(grown >> 20) MB more at most, \(engine.byteCount >> 20) MB counted, "
                    + "cells of level \(engine.level), \(raised) alarms, \(open.count) open")
            #expect(grown <= 150 << 20)
        }
        #expect(engine.figures["r"]?.rolledUp ?? 0 > 0)
    }
}

extension RuleEngine {
    fileprivate var level: Int { runs[0].level }
}
