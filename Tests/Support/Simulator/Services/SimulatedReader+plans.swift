import AlertRouter
import AnalyticsExporter
import BatchAggregator
import ExporterStores
import Foundation
import IngestAPI
import Lanes
import Models
import Notifier
import PrivacyWorker
import QoE
import RewardDispatcher
import ServiceKit
import Storage
import SubjectRights
import TemporaryFiles

extension SimulatedReader.Plan {
    private static let records = [RecordKind.report, .feedback]
    static let zone = TimeZone(identifier: "Africa/Douala")!
    /// Keys of the audit log; the same in all runs.
    static let auditKeys: AuditKeys = {
        guard let home = try? TemporaryDirectory(inMemory: true),
            let store = try? KeyStore(directory: home.path("keys")),
            let keys = try? AuditKeys(store)
        else { fatalError("no keys can be made") }
        return keys
    }()

    /// The key by which a service signs receipts; the same in all runs.
    static func receiptKey(_ service: String) -> ReceiptKey {
        ReceiptKey(secret: [UInt8](repeating: UInt8(service.utf8.count), count: 32), service: service)
    }

    /// - Parameter rules: what runs beside it; nil: no rules.
    static func router(trust: ReferenceTrustPolicy, _ rules: SimulatedRules?) -> Self {
        Self(
            name: "alert-router", migrations: AlertRouterEffects.migrations,
            reads: AlertRouterEffects.subscriptions(.qoe), writes: [.alerts],
            effects: { database, journals in
                let effects = try AlertRouterEffects(
                    programmes: .qoe, database: database, trust: TrustPolicy(trust), publish: { _ in })
                return try SubjectRightsEffects(
                    effects, rules == nil ? effects.subjects : effects.subjectsWithWindows, database: database,
                    journals: journals, key: receiptKey("alert-router"))
            }, began: { rules?.follow() }, takeIn: { try $0.settle($1, also: AlertRouterEffects.takeIn) })
    }

    /// The part of the router that runs rules.
    static func windows(_ rules: SimulatedRules, trust: ReferenceTrustPolicy, sealer: BlockSealer?) -> Self {
        Self(
            name: RuleWindows.reader, migrations: RuleWindows.migrations,
            reads: AlertRouterEffects.windowSubscriptions(.qoe), writes: [],
            effects: { database, _ in
                let windows = try RuleWindows(.qoe, database, trust: TrustPolicy(trust), sealer: sealer)
                try rules.begin(windows, database)
                return try SubjectRightsEffects(
                    windows.rules, windows.subjects, database: database, journals: [], key: receiptKey("alert-router"),
                    told: SubjectRightsEffects.Told(erased: { rules.erased($0.map(\.request)) }))
            }, applied: { try rules.applied($0) }, file: "windows.sqlite", folder: "alert-router", died: rules.end,
            takeIn: { try $0.settle($1) })
    }

    /// - Parameter releases: nil: none are made.
    static func aggregator(
        _ open: SimulatedOpenRows, _ sealing: SimulatedSealing, _ releases: SimulatedReleases?
    ) -> Self {
        Self(
            name: "batch-aggregator", migrations: AggregatorEffects.migrations,
            reads: AggregatorEffects.subscriptions(.qoe), writes: [.rollups],
            effects: { database, journals in
                let effects = try AggregatorEffects(
                    .qoe, database: database, open: open.directory, timeZone: zone, isRollupsFull: { false },
                    stopwatch: { 0 }, minimumDevices: SimulatedSealing.minimumDevices,
                    awaitedErasures: open.awaitedErasures, releases: releases?.settings)
                return try SubjectRightsEffects(
                    effects, effects.subjects(rollups: journals[0]), database: database, journals: journals,
                    key: receiptKey("batch-aggregator"))
            }, applied: { try releases?.applied($0) },
            looked: {
                try sealing.look(into: $0)
                try releases?.look(into: $0)
            }, takeIn: open.open)
    }

    static func exporter(
        _ rows: SimulatedRawRows, _ operators: SimulatedOperators, _ exports: SimulatedExports
    ) -> Self {
        Self(
            name: "analytics-exporter", migrations: ExporterStore.migrations,
            reads: [
                LaneSubscription(lane: .realtime, kinds: records), LaneSubscription(lane: .batch, kinds: records),
                LaneSubscription(
                    lane: .rollups, kinds: [.cell, .release, .releaseAtom, .releaseRound, .erasureReceipt]),
                LaneSubscription(lane: .alerts, kinds: [.alarm, .erasureReceipt]),
                LaneSubscription(
                    lane: .privacy, kinds: [.erasureSubject, .erasureOrder, .retentionOrder, .accessOrder]),
            ], writes: [.operations],
            effects: { database, journals in
                let script = try OperationsScript(database)
                operators.take(script)
                let effects = try ExporterEffects(
                    database: database, files: rows.files, script: script, exports: exports.begin(database, script))
                return try SubjectRightsEffects(
                    effects, effects.subjects(in: database), database: database, journals: journals,
                    key: receiptKey("analytics-exporter"))
            }, applied: { _ in operators.noteDone() }, looked: { _ in try exports.look() }, takeIn: rows.open)
    }

    static func notifier(_ receivers: SimulatedReceivers) -> Self {
        Self(
            name: "notifier", migrations: NotifierEffects.migrations, reads: NotifierEffects.subscriptions,
            writes: [.deliveries],
            effects: { database, journals in
                let effects = try receivers.effects(database)
                return try SubjectRightsEffects(
                    effects, effects.subjects(), database: database, journals: journals, key: receiptKey("notifier"))
            }, applied: { try receivers.applied($0) }, takeIn: { try $0.settle($1) })
    }

    /// - Parameter hasNotifier: whether it waits for a notifier's signature, too.
    static func privacyWorker(_ retention: SimulatedRetention, hasNotifier: Bool) -> Self {
        Self(
            name: "privacy-worker", migrations: PrivacyWorkerEffects.migrations,
            reads: PrivacyWorkerEffects.subscriptions(hasNotifier: hasNotifier), writes: [.privacy],
            effects: { database, journals in
                try PrivacyWorkerEffects(
                    database: database, journal: journals[0], keys: auditKeys,
                    receiptKey: receiptKey("privacy-worker"), retention: retention.policy,
                    runRequests: retention.start(), hasNotifier: hasNotifier)
            }, takeIn: { try $0.settle($1, also: PrivacyWorkerEffects.takeIn) })
    }

    static func copies(_ ingest: SimulatedIngest) -> Self {
        Self(
            name: "ingest", migrations: CopiesSchema.migrations, reads: CopiesEffects.subscriptions, writes: [],
            effects: { [unowned ingest] database, _ in
                try ingest.copiesAreClean(of: database.read { try ErasureExecutor.done($0) })
                try ingest.retain(database.read { try RetentionExecutor.done($0) })
                let copies = CopiesEffects(timeZone: "Africa/Douala")
                return try SubjectRightsEffects(
                    copies, copies.subjects, database: database, journals: [], key: receiptKey("ingest"),
                    told: SubjectRightsEffects.Told(
                        erased: { [unowned ingest] in try? ingest.copiesAreClean(of: $0.map(\.request)) },
                        retired: { [unowned ingest] in try? ingest.retain($0) }))
            }, file: "copies.sqlite")
    }

    static func dispatcher(_ rewards: SimulatedRewards) -> Self {
        Self(
            name: "reward-dispatcher", migrations: RewardDispatcherEffects.migrations,
            reads: RewardDispatcherEffects.subscriptions(.qoe), writes: [.rewards],
            effects: { database, journals in
                let effects = try rewards.effects(database)
                return try SubjectRightsEffects(
                    effects, effects.subjects(journal: journals[0]), database: database, journals: journals,
                    key: receiptKey("reward-dispatcher"))
            }, applied: { try rewards.applied($0) },
            takeIn: { try $0.settle($1, also: RewardDispatcherEffects.takeIn) })
    }
}

extension TrustPolicy {
    /// The product's word for what the model says.
    init(_ policy: ReferenceTrustPolicy) { self.init(rawValue: policy.rawValue)! }
}
