import AlertRouter
import GRDB
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import SubjectRights
import Wire

/// The windows of rules in a run: a part of the router's process with a database of its own, and what the model says about what they
/// are given.
final class SimulatedRules {
    /// The model's words for documents that operators have asked for.
    private var known: [String: ReferenceRule] = [:]
    private unowned let simulation: Simulation
    private(set) var model: ReferenceRules
    /// Of the present life of the router's process; nil while it is away.
    private var windows: RuleWindows?
    /// The watermark of all lives.
    private(set) var reached: Int64?
    /// Requests of which the windows have nothing left, and the router has not heard that.
    private var forgotten: [String] = []
    private var isTelling = false
    private(set) var appliedBlocks: [LaneName: Set<UInt64>] = [:]
    private var decoder = ColumnDecoder()
    /// The router, in whose process they run.
    var router: () -> SimulatedReader? = { nil }

    init(in simulation: Simulation) {
        self.simulation = simulation
        model = ReferenceRules(trust: simulation.alarmTrust)
        for (id, rule) in ReferenceRule.builtIn { model.hear(rule, id: id, at: 0, reached: nil) }
    }

    /// What a document on the lane says.
    func note(_ rule: ReferenceRule, as document: [UInt8]) {
        known[String(decoding: document, as: UTF8.self)] = rule
    }

    // MARK: The process

    /// The windows start.
    func begin(_ windows: RuleWindows, _ database: ServiceDatabase) throws {
        self.windows = windows
        reach()
        forgotten = try database.read { try ErasureExecutor.done($0) }
        follow()
        try tellRouter()
    }

    /// The process of both has died.
    func end() { windows = nil }

    /// The router takes over what they find, whichever of the two starts first.
    func follow() {
        guard let windows else { return }
        (router()?.effects as? AlertRouterEffects)?.follow(windows)
    }

    /// The windows have nothing left of requests: the router, which signs for both, hears of it.
    func erased(_ requests: [String]) { forgotten += requests }

    private func tellRouter() throws {
        guard !forgotten.isEmpty, !isTelling else { return }
        if let router = router(), let rights = router.engine?.effects as? SubjectRightsEffects {
            let requests = forgotten
            let isTold = try router.write { db in
                for request in requests { try rights.hear(signer: RuleWindows.reader, of: request, db) }
            }
            if isTold {
                forgotten = []
                return router.wake()
            }
        }
        // What does not come through is told again.
        isTelling = true
        simulation.timeline.after(300) { [self] in
            isTelling = false
            try tellRouter()
        }
    }

    // MARK: The model

    /// The windows have committed the effects of blocks, or gone on to a watermark.
    func applied(_ blocks: [LaneBlock]) throws {
        var waiting: [(id: String, rule: ReferenceRule?)] = []
        for block in blocks {
            appliedBlocks[block.lane, default: []].insert(block.position.block)
            let kind = block.block.header.kind
            if kind == RecordKind.rule.id {
                try waiting += changes(block)
            } else if let kind = [RecordKind.report, .feedback].first(where: { $0.id == kind }) {
                put(waiting)
                waiting = []
                try hear(block, kind)
            }
        }
        put(waiting)
        reach()
        router()?.wake()
        try tellRouter()
    }

    /// What was said of one rule without a row between is one change.
    private func put(_ changes: [(id: String, rule: ReferenceRule?)]) {
        var last: [String: ReferenceRule?] = [:]
        for (id, rule) in changes { last.updateValue(rule, forKey: id) }
        let now = Int(simulation.clock.now), reached = reached.map { Int($0) }
        for (id, rule) in last.sorted(by: { $0.key < $1.key }) {
            if model.has(id), rule == nil { simulation.note(.ruleRemoved) }
            if !model.has(id), rule != nil, model.hasHad(id) { simulation.note(.ruleSetAgain) }
            model.hear(rule, id: id, at: now, reached: reached)
        }
    }

    private func changes(_ block: LaneBlock) throws -> [(id: String, rule: ReferenceRule?)] {
        let columns = try block.block.columns(with: &decoder)
        return try (0..<columns.rowCount).map { row in
            let id = String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self)
            guard let document = columns[ColumnID.document]?.value(row) else { return (id, nil) }
            guard let rule = known[String(decoding: document, as: UTF8.self)] else {
                throw SimulationFailure("rule \(id) is on the lane as nobody has set it")
            }
            return (id, rule)
        }
    }

    private func hear(_ block: LaneBlock, _ kind: RecordKind) throws {
        let columns = try block.block.columns(with: &decoder)
        for row in 0..<columns.rowCount {
            let one = StoredRawRow(kind, columns, row)
            guard let row = simulation.row(device: one.device, id: one.id) else {
                throw SimulationFailure("rules were given a row nobody accepted: \(one)")
            }
            model.hear(row)
        }
    }

    private func reach() {
        guard let advancedTo = windows?.advancedTo else { return }
        reached = max(reached ?? .min, advancedTo)
    }

    /// True once they have gone on to the time at which everybody last woke.
    var areAtRest: Bool {
        let woken = max(simulation.wokenAt, SimulationSettings.start)
        return forgotten.isEmpty && windows != nil && windows?.rules.nextTick == nil
            && reached ?? .min >= woken - woken % 10_000
    }

    /// Why stored rules are not run.
    var refusals: [String] { windows?.refusals ?? [] }

    /// What must be of each rule.
    var outcomes: [String: ReferenceRules.Outcome] {
        let model = simulation.model
        return self.model.outcomes(reached: reached.map { Int($0) }, erased: model.erased.union(model.partlyErased))
    }
}

extension ReferenceRule {
    /// Of those that every home has, the ones that three phones can raise.
    fileprivate static let builtIn = [
        "built-in.no_service": ReferenceRule(
            kind: .count, field: "event", bad: .words(["no_service"]), window: 15, holdSet: 0, holdClear: 45, set: 3,
            clear: 0, least: 0, lateness: 3_600, level: 10, steps: [.init(3, "major"), .init(10, "critical")], text: ""),
        "built-in.call_failure": ReferenceRule(
            kind: .count, field: "event", bad: .words(["call_drop"]), window: 30, holdSet: 0, holdClear: 15, set: 3,
            clear: 0, least: 0, lateness: 120, level: 12, steps: [.init(3, "minor"), .init(10, "major")], text: ""),
    ]

    /// As operators set it.
    var document: JSONValue {
        var members: [String: JSONValue] = [
            "version": 1, "kind": .string(kind.rawValue), "metric": .string(field), "bad": bad.document,
            "window_s": .integer(Int64(window) * 60), "hold_set_s": .integer(Int64(holdSet) * 60),
            "hold_clear_s": .integer(Int64(holdClear) * 60), "lateness_s": .integer(Int64(lateness)),
            "level": .integer(Int64(level)), "text": .string(text),
            "severity": .array(
                steps.map { ["devices": .integer(Int64($0.devices)), "severity": .string($0.severity)] }),
        ]
        switch kind {
        case .count: (members["set"], members["clear"]) = (.integer(Int64(set)), .integer(Int64(clear)))
        case .ratio:
            (members["set"], members["clear"]) = (.number(Double(set) / 100), .number(Double(clear) / 100))
            members["min_devices"] = .integer(Int64(least))
        }
        return .object(members)
    }
}

extension ReferenceRule.Bad {
    fileprivate var document: JSONValue {
        switch self {
        case .words(let words): .array(words.map { .string($0) })
        case .above(let limit): ["above": .integer(Int64(limit))]
        case .below(let limit): ["below": .integer(Int64(limit))]
        }
    }
}
