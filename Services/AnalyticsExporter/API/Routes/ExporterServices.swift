package import ExporterScores
package import ExporterSupport
package import ServiceKit

/// What answers the calls of the operators' API, each with its own part.
package struct ExporterServices: Sendable {
    let gate: Gate
    let login: LoginService
    let files: StaticFiles
    let session: SessionDocument
    let reports: ReportDownloads
    let exports: ExportService
    let releases: ReleaseService
    let openData: OpenDataService
    let tiles: ReleaseTiles
    let heatmap: HeatmapService
    let events: EventService
    let kpis: KPIService
    let comparison: ComparisonService
    let cellTable: CellTableService
    let released: ReleasedService
    let regions: RegionService
    let scores: ScoreService
    let relation: RelationService
    let words: WordService
    let density: DensityService
    let engagement: EngagementService
    let campaigns: CampaignService
    package let promptPolicy: PromptPolicyService
    let alarms: AlarmService
    package let commands: AlarmCommandService
    package let onCall: OnCallService
    package let sites: SiteService
    let notices: NoticeService
    let erasures: ErasureService
    let status: StatusService
    package let managed: ManagedDocuments
    let ruleTests: RuleTestService
    let clock: WallClock
    /// Sessions and failed log-ins are people's, whose time no recording changes.
    let systemClock: WallClock

    package init(
        gate: Gate, login: LoginService, files: StaticFiles, session: SessionDocument, reports: ReportDownloads,
        exports: ExportService, releases: ReleaseService, openData: OpenDataService, tiles: ReleaseTiles,
        heatmap: HeatmapService, events: EventService, figures: FigureSource, profiles: [ScoreProfile],
        relation: RelationService, words: WordService, density: DensityService, engagement: EngagementService,
        campaigns: CampaignService, promptPolicy: PromptPolicyService,
        alarms: AlarmService, commands: AlarmCommandService, onCall: OnCallService, sites: SiteService,
        notices: NoticeService, erasures: ErasureService, status: StatusService, managed: ManagedDocuments,
        ruleTests: RuleTestService, clock: WallClock, systemClock: WallClock
    ) {
        self.gate = gate
        self.login = login
        self.files = files
        self.session = session
        self.reports = reports
        self.exports = exports
        self.releases = releases
        self.openData = openData
        self.tiles = tiles
        self.heatmap = heatmap
        self.events = events
        kpis = KPIService(figures)
        comparison = ComparisonService(figures)
        cellTable = CellTableService(figures)
        released = ReleasedService(figures)
        regions = RegionService(figures.regions)
        scores = ScoreService(figures, profiles: profiles)
        self.relation = relation
        self.words = words
        self.density = density
        self.engagement = engagement
        self.campaigns = campaigns
        self.promptPolicy = promptPolicy
        self.alarms = alarms
        self.commands = commands
        self.onCall = onCall
        self.sites = sites
        self.notices = notices
        self.erasures = erasures
        self.status = status
        self.managed = managed
        self.ruleTests = ruleTests
        self.clock = clock
        self.systemClock = systemClock
    }

    /// Every call of the API but that for its document.
    var routes: [ExporterRoute] {
        sessionRoutes + rowRoutes + statisticsRoutes + figureRoutes + alarmRoutes + actRoutes + tmfAlarmRoutes
            + tmfTaskRoutes + tmfHubRoutes + onCallRoutes + siteRoutes + siteActRoutes + managedRoutes + erasureRoutes
    }
}
