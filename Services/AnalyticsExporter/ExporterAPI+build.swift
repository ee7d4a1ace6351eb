internal import ExporterAPI
internal import ExporterOperations
internal import ExporterRows
internal import ExporterScores
internal import ExporterStores
internal import ExporterSupport
internal import Foundation
internal import Logging
internal import ServiceKit
internal import Storage

extension ExporterAPI {
    /// The API over an open folder; nothing is bound yet. Tests call it too.
    static func build(
        _ configuration: AnalyticsExporterConfiguration, folder: ExporterFolder, exports: ExportShelf,
        secrets: ExporterKeys,
        changes: ChangeQueue, alarmChanges: ChangeBroadcast, decided: ChangeBroadcast, freshness: Freshness,
        metrics: Metrics, clock: WallClock,
        systemClock: WallClock, logger: Logger
    ) throws -> ExporterAPI {
        let gate = Gate(directory: changes.directory)
        let allowed = StillAllowed(directory: changes.directory, clock: systemClock)
        let state = try StateReaders(folder.database, metrics: metrics)
        let zone = try configuration.zone
        let cells = CellSource(
            state: state, programmes: folder.files.layout.programmes, zone: zone, cellLimit: configuration.heatmapCells,
            freshness: freshness)
        let resources = Bundle.module.resourcePath.map { $0 + "/Reference" } ?? "Reference"
        let figures = FigureSource(
            cells, regions: try RegionTable(path: configuration.regions ?? resources + "/regions.json"))
        let downloads = Permits(configuration.downloads, "downloads", metrics)
        let files = StaticFiles(
            dashboard: Bundle.module.resourcePath.map { $0 + "/Dashboard" } ?? "Dashboard",
            leaflet: configuration.leaflet)
        if !files.hasPage { logger.error("the page's files are missing; the API works without them") }
        if !files.hasLeaflet {
            logger.warning("map library missing", metadata: ["NKUL_EXPORTER_LEAFLET": "\(configuration.leaflet)"])
        }
        let rules = DocumentService.rules(
            folder.files.layout.programmes, changes: changes, state: state, logger: logger)
        let services = ExporterServices(
            gate: gate,
            login: LoginService(
                gate: gate, changes: changes, state: state, brake: LoginBrake(), logger: logger,
                refused: metrics.counter(
                    "nkul_logins_refused_total", "Log-ins with a token or a one-time code that is not known."),
                codesSent: metrics.counter("nkul_login_codes_sent_total", "One-time codes that were sent to contacts.")),
            files: files,
            session: SessionDocument(
                timeZone: configuration.common.timeZone, operators: configuration.operators,
                baseMap: configuration.baseMap),
            reports: ReportDownloads(
                rows: folder.files.opener, pseudonymKey: secrets.pseudonyms,
                permits: downloads,
                allowed: allowed, freshness: freshness, logger: logger),
            exports: ExportService(
                shelf: exports, state: state, changes: changes, key: secrets.exports, days: configuration.exportDays,
                zone: zone, permits: downloads, allowed: allowed, systemClock: systemClock, logger: logger),
            releases: ReleaseService(
                state: state, changes: changes, key: secrets.exports, programmes: folder.files.layout.programmes,
                permits: downloads),
            openData: OpenDataService(
                state: state, programmes: folder.files.layout.programmes, licence: configuration.licence,
                permits: downloads),
            tiles: ReleaseTiles(
                state: state, programmes: folder.files.layout.programmes, permits: downloads),
            heatmap: HeatmapService(cells), events: EventService(cells),
            figures: figures, profiles: try profiles(in: resources + "/scores"),
            relation: RelationService(figures, rows: folder.files.opener, permits: Permits(2, "relations", metrics)),
            words: WordService(figures, rows: folder.files.opener, permits: Permits(1, "words", metrics)),
            density: DensityService(
                figures, permits: Permits(2, "density", metrics), tenants: configuration.density.tenants,
                peoplePerDevice: configuration.density.peoplePerDevice),
            engagement: EngagementService(state: state, zone: zone, freshness: freshness),
            campaigns: CampaignService(state: state, zone: zone, freshness: freshness),
            promptPolicy: PromptPolicyService(
                changes: changes, gate: gate, timeZone: configuration.common.timeZone, logger: logger),
            alarms: AlarmService(
                state: state, alarmChanges: alarmChanges, permits: Permits(configuration.streams, "streams", metrics),
                allowed: allowed,
                freshness: freshness),
            commands: AlarmCommandService(state: state, changes: changes, gate: gate, decided: decided, clock: clock),
            onCall: OnCallService(changes: changes, state: state, gate: gate, clock: clock, logger: logger),
            sites: SiteService(
                documents: SiteDocuments(
                    changes: changes, state: state, limits: configuration.siteLimits, logger: logger), gate: gate,
                decided: decided,
                clock: clock),
            notices: NoticeService(state: state, changes: changes, gate: gate), erasures: ErasureService(state: state),
            status: StatusService(freshness: freshness, clock: clock),
            managed: ManagedDocuments(
                rules: rules,
                channels: .channels(
                    configuration.channelAddresses, changes: changes, state: state, logger: logger),
                policy: configuration.channelAddresses, gate: gate),
            ruleTests: RuleTestService(
                rules, rows: folder.files.opener, gate: gate, permits: Permits(1, "rule_tests", metrics),
                trust: configuration.alarmTrust), clock: clock, systemClock: systemClock)
        return ExporterAPI(
            gate: gate, services: services,
            headers: SecurityHeaders(
                baseMapOrigin: configuration.baseMap.flatMap(AnalyticsExporterConfiguration.origin)),
            logger: logger, refusals: RefusalMetrics(metrics))
    }

    /// The profiles of scores, in the order in which they are offered.
    private static func profiles(in directory: String) throws -> [ScoreProfile] {
        try ["etsi", "crc", "rtr", "iqb", "voice_mos"].map { name in
            let path = "\(directory)/\(name).json"
            do { return try ScoreProfile(Array(SmallFile.read(path).utf8)) } catch let error as ScoreProfileError {
                throw ServiceError(.failed, "\(path): \(error)")
            }
        }
    }
}
