internal import GRDB
internal import Models
internal import Storage

extension AlertRouterStore {
    /// The schema of the router's database, step by step.
    static let migrations = [
        first, TenantStore.migration, contributions, ContributionErasure.migration, OpenErasures.migration,
        AlertLeaps.migration, ContributionRetention.migration, AlertLife.migration, AlarmsByKey.migration,
        episodes, FoundAlarmsStore.migration, AlarmHandlingRows.migration,
        FoundAlarmsStore.parents, FoundAlarmsStore.standings, OnCallStore.migration,
        SiteStore.migration, FoundAlarmsStore.children,
    ]

    private static let first = Migration(
        "alarms and alert messages",
        sql: """
            CREATE TABLE alarms (
                number INTEGER PRIMARY KEY, plmn INTEGER NOT NULL, cell INTEGER NOT NULL, severity TEXT NOT NULL,
                problem INTEGER NOT NULL, raised_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
                records INTEGER NOT NULL, devices INTEGER NOT NULL, published_at INTEGER NOT NULL, due_at INTEGER,
                UNIQUE (plmn, cell));
            CREATE INDEX alarms_due ON alarms (due_at) WHERE due_at IS NOT NULL;
            CREATE TABLE alarm_devices (
                alarm INTEGER NOT NULL REFERENCES alarms (number) ON DELETE CASCADE, device INTEGER NOT NULL,
                PRIMARY KEY (alarm, device)) WITHOUT ROWID;
            CREATE TABLE alert_endpoints (tenant INTEGER PRIMARY KEY, last_seq INTEGER NOT NULL);
            CREATE TABLE alert_messages (
                tenant INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, alarm INTEGER NOT NULL,
                topic TEXT NOT NULL, header BLOB NOT NULL, body BLOB NOT NULL,
                PRIMARY KEY (tenant, seq)) WITHOUT ROWID;
            CREATE TABLE alert_latest (
                tenant INTEGER NOT NULL, alarm INTEGER NOT NULL, seq INTEGER NOT NULL,
                PRIMARY KEY (tenant, alarm)) WITHOUT ROWID;
            """)
}
