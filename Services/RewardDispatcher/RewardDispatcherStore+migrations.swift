internal import Storage

extension RewardDispatcherStore {
    /// What is known of the attempts to pay a grant. Those of before are known by the grant's name, and each but the last has
    /// failed.
    private static let attempts = Migration(
        "attempts have references",
        sql: """
            ALTER TABLE grants ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE grants ADD COLUMN last_lost_attempt INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE grants ADD COLUMN paid_attempt INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE grants ADD COLUMN reference TEXT NOT NULL DEFAULT '';
            ALTER TABLE grants ADD COLUMN provider_id TEXT NOT NULL DEFAULT '';
            UPDATE grants SET reference = CASE WHEN attempts > 0 AND erased_id IS NOT id THEN id ELSE '' END,
                failures = CASE WHEN state = 'pending' THEN attempts ELSE max(attempts - 1, 0) END,
                paid_attempt = CASE WHEN state = 'confirmed' THEN attempts ELSE 0 END;
            CREATE INDEX grants_by_reference ON grants (reference) WHERE reference <> '';
            ALTER TABLE replaced_references ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
            """)

    /// What persons decided and is not booked yet.
    private static let decisions = Migration(
        "decisions about grants",
        sql: """
            CREATE TABLE grant_decisions (
                number INTEGER PRIMARY KEY, grant_id TEXT NOT NULL, result TEXT NOT NULL, decider TEXT NOT NULL,
                why TEXT NOT NULL) STRICT;
            """)

    /// The schema of the dispatcher's database, step by step.
    static let migrations = [
        Migration(
            "grants and campaigns",
            sql: """
                CREATE TABLE grants (
                    id TEXT NOT NULL PRIMARY KEY, device INTEGER NOT NULL, campaign TEXT NOT NULL, record BLOB NOT NULL,
                    day INTEGER NOT NULL, amount INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
                    asks INTEGER NOT NULL, moves INTEGER NOT NULL, sent_at INTEGER NOT NULL,
                    changed_at INTEGER NOT NULL, due_at INTEGER, reason TEXT NOT NULL,
                    UNIQUE (device, record)) WITHOUT ROWID;
                CREATE INDEX grants_due ON grants (due_at, id) WHERE due_at IS NOT NULL;
                CREATE INDEX grants_by_day ON grants (device, campaign, day);
                CREATE INDEX grants_open ON grants (state) WHERE state IN ('sent', 'asked', 'unknown', 'pending');
                CREATE TABLE campaigns (id TEXT NOT NULL PRIMARY KEY, document BLOB) WITHOUT ROWID;
                """),
        Ledger.migration,
        // Grants from before say only on which day the feedback was received: noon of it.
        Migration(
            "when feedback was received",
            sql: """
                ALTER TABLE grants ADD COLUMN received_at INTEGER NOT NULL DEFAULT 0;
                UPDATE grants SET received_at = day * 86400000 + 43200000;
                """),
        PayoutStore.migration, ErasureTables.migration, Ledger.erasureMigration, RestoredGrants.migration,
        CarriedBalances.migration, attempts, PayoutStore.paceMigration,
        EngagementStore.migration, ProviderState.migration, decisions,
        StandingStore.migration, CampaignLimits.migration, SuspicionBook.migration, CallbackBook.migration,
        CampaignDayStore.migration, CellDays.migration, CompetitionBook.migration,
        EmergencyBook.migration,
    ]
}
