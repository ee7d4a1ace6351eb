internal import ExporterOperations
internal import ExporterRows
public import ExporterStores
internal import ExporterSupport
internal import GRDB
public import Storage

extension ExporterStore {
    /// Schema; the engine's own tables come with `Lanes`.
    public static let migrations = [
        Migration("cells, alarms, figures") { db in
            try CellStore.createTables(db)
            try AlarmStore.createTables(db)
            try db.execute(
                sql: "CREATE TABLE figures (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID")
        },
        Migration("networks of alarms") { try AlarmStore.addNetworks($0) },
        Migration("tenants, contacts, sessions, operations") { try AccessSchema.createTables($0) },
        Migration("networks that served alarms") { try AlarmStore.addServing($0) },
        Migration("failed log-ins by minute") { try AccessSchema.countFailures($0) },
        Migration("engagement") { try EngagementStore.createTables($0) },
        Migration("references to finer cells") { try CellStore.addSources($0) },
        Migration("erasures") { db in
            try RawErasurePlan.createTable(db)
            try NoticeStore.createTable(db)
            try ErasureOrderStore.createTable(db)
        },
        RestoredRawRows.migration,
        Migration("retention") { db in
            try RawRetirements.createTable(db)
            try NoticeRetention.createIndex(db)
            try AlarmStore.indexChanges(db)
        },
        Migration("exports") { try ExportStore.createTables($0) },
        Migration("cells by programme and population") { try CellStore.addPopulations($0) },
        Migration("what tenants own besides networks") { try AccessSchema.addScopes($0) },
        Migration("handling of alarms") { db in
            try AlarmTaskStore.createTable(db)
            try AlarmHandlingStore.createTables(db)
        },
        Migration("tasks of TMF642") { try TMFTaskStore.createTable($0) },
        Migration("deliveries of the notifier") { try DeliveryStore.createTable($0) },
        Migration("whose documents they are, and the notifier's key") { db in
            try DocumentStore.addTenants(db)
            try NotifierKeyStore.createTable(db)
        },
        Migration("sensors, and what sites are to do") { try SiteTaskStore.createTables($0) },
        Migration("how samples of cells are spread over devices") { try CellStore.addSpreads($0) },
        Migration("releases") { try ReleaseStore.createTables($0) },
        Migration("outages by time") { try AlarmStore.addOutages($0) },
        Migration("sums of months") { try MonthStore.createTables($0) },
        Migration("exports of statistics") { try ExportStore.addContents($0) },
        Migration("figures of campaigns") { try CampaignStore.createTable($0) },
    ]
}
