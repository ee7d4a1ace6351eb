internal import Lanes
internal import Logging
internal import Models
internal import ServiceKit
internal import Storage
internal import SubjectRights

/// Wires the router's effects to the lanes it reads and writes and to its endpoints.
struct AlertRouterParts {
    private let configuration: AlertRouterConfiguration
    private let host: ServiceHost
    private let programmes: Programmes
    private let database: ServiceDatabase
    private let journal: Journal
    private let sockets: LaneSockets
    private let endpoints: AlertEndpoints

    init(
        _ configuration: AlertRouterConfiguration, _ host: ServiceHost, _ programmes: Programmes,
        _ database: ServiceDatabase, _ journal: Journal, _ sockets: LaneSockets, _ endpoints: AlertEndpoints
    ) {
        self.configuration = configuration
        self.host = host
        self.programmes = programmes
        self.database = database
        self.journal = journal
        self.sockets = sockets
        self.endpoints = endpoints
    }

    func service(_ life: AlertLife) throws -> AlertRouterService {
        let key = try ReceiptKey(KeyStore(directory: host.home.keys), service: ServiceName.alertRouter.rawValue)
        let effects = try effects()
        let windows = try AlertWindows(
            configuration, host, programmes, sockets: sockets, key: key,
            sealer: configuration.common.encryptBlocks
                ? try KeyStore(directory: host.home.keys).blockSealer(service: ServiceName.alertRouter.rawValue) : nil)
        effects.desk = windows.desk
        let engine = try EffectEngine(
            database: database, reads: AlertRouterEffects.subscriptions(programmes), journals: [journal],
            effects: SubjectRightsEffects(
                effects, effects.subjectsWithWindows, database: database, journals: [journal], key: key))
        engine.beforeSync = effects.publishCommitted
        let threads = try LaneThreads(host, sockets, engine, clock: host.clock, options())
        return AlertRouterService(host: host, threads: threads, windows: windows, life: life)
    }

    private func effects() throws -> AlertRouterEffects {
        let published = host.metrics.counter("nkul_alert_messages_total", "Messages numbered and stored for tenants.")
        let skipped = Dictionary(
            uniqueKeysWithValues: AlarmExclusion.allCases.map { reason in
                let counter = host.metrics.counter(
                    "nkul_alert_skipped_rows_total", "Urgent rows that count in no alarm, by reason.",
                    labels: ["reason": reason.rawValue])
                return (reason, counter)
            })
        let sites = Dictionary(
            uniqueKeysWithValues: Sites.Outcome.allCases.map { outcome in
                let counter = host.metrics.counter(
                    "nkul_site_rows_total", "Rows of sensors and answers of doors, by what became of them.",
                    labels: ["outcome": outcome.rawValue])
                return (outcome.rawValue, counter)
            })
        let held = Dictionary(
            uniqueKeysWithValues: AlarmHold.allCases.map { reason in
                let counter = host.metrics.counter(
                    "nkul_alert_held_alarms_total", "Alarms of rules that others speak for, or that stay open.",
                    labels: ["reason": reason.rawValue])
                return (reason, counter)
            })
        let unreadable = host.metrics.counter(
            "nkul_alert_unreadable_commands_total", "Commands of contacts that could not be read and were set aside.")
        let steps = Dictionary(
            uniqueKeysWithValues: [(true, "called"), (false, "nobody")].map { hasCalled, outcome in
                let counter = host.metrics.counter(
                    "nkul_alert_escalation_steps_total", "Steps of escalations, by whether they called anybody.",
                    labels: ["outcome": outcome])
                return (hasCalled, counter)
            })
        let effects = try AlertRouterEffects(
            programmes: programmes, database: database,
            updateInterval: Int64(configuration.updateInterval / .milliseconds(1)),
            keepMilliseconds: Int64(configuration.keepHours) * 3_600_000,
            mostMessages: Int64(configuration.keepMessages), raisedPerMinute: Int64(configuration.raisedPerMinute),
            trust: configuration.trust, skipped: { skipped[$0]?.add($1) }, held: { held[$0]?.add($1) },
            unreadable: { [log = host.logger] command, error in
                unreadable.add()
                log.error(
                    "a command of a contact cannot be read and is set aside",
                    metadata: ["task": "\(command.prefix(64))", "error": "\(error)"])
            },
            siteRows: { sites[$0]?.add($1) },
            refused: { [log = host.logger] name, reason in
                log.error("a tenant is refused", metadata: ["tenant": "\(name.prefix(64))", "reason": "\(reason)"])
            },
            unusable: { [log = host.logger] document, reason in
                log.error("a document cannot be used", metadata: ["document": "\(document)", "reason": "\(reason)"])
            },
            stepped: { steps[$0]?.add(1) },
            publish: { [endpoints] messages in
                published.add(messages.count)
                endpoints.publish(messages)
            })
        effects.endpoints = endpoints
        effects.logger = host.logger
        endpoints.settle(effects.present)
        return effects
    }

    private func options() -> EffectLoopOptions {
        let rows = host.metrics.counter("nkul_alert_rows_total", "Rows of all applied blocks.")
        return EffectLoopOptions(
            name: "router-effects", niceness: 0, isPrompt: true,
            onStep: { outcome, _ in rows.add(outcome.appliedRows) },
            onMaintenance: { [endpoints] _ in endpoints.tryAgain() })
    }
}
