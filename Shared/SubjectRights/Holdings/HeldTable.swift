public import Models

/// A table of a service's database, and what of persons is in it. Every table of every database is declared, else a test fails.
public struct HeldTable: Sendable {
    /// What is in a table.
    public enum Content: Sendable {
        case personal(PersonalRows)
        /// Nothing of persons, and why.
        case free(String)
    }

    /// In the database; `*` stands for the name of a lane.
    public let name: String
    public let content: Content
    /// Whether it is made when it is needed, or left by an older program.
    public var mayBeAbsent = false

    /// Rows of persons.
    public static func personal(_ name: String, _ rows: PersonalRows) -> HeldTable {
        HeldTable(name: name, content: .personal(rows))
    }

    /// No row of it is about a person.
    ///
    /// - Parameters:
    ///   - reason: what it is about instead.
    ///   - mayBeAbsent: whether it is made when it is needed, or left by an older program.
    public static func free(_ name: String, _ reason: String, mayBeAbsent: Bool = false) -> HeldTable {
        HeldTable(name: name, content: .free(reason), mayBeAbsent: mayBeAbsent)
    }

    /// What is in it of persons; nil if nothing is.
    public var rows: PersonalRows? {
        guard case .personal(let rows) = content else { return nil }
        return rows
    }
}

/// Rows of persons: whose, of when and where, and what becomes of them.
public struct PersonalRows: Sendable {
    /// The column with the device's ordinal; nil if whose a row is must be found another way.
    public var owner: String?
    /// Time and place of a row's record, by which an erasure of a part takes it; nil: only an erasure of everything does.
    public var scope: Scope?
    public var erased: Erasure
    public var copied: Copy
    public var kept: Span

    /// How rows of a part of a subject's records are found.
    public struct Scope: Sendable {
        /// The column with the time, Unix milliseconds.
        public var time: String
        /// The column with an alarm's identifier, which has the cell.
        public var alarm: String
        /// The columns that tell the rows of one device apart.
        public var key: [String]

        public init(time: String, placeOfAlarm alarm: String, key: [String]) {
            self.time = time
            self.alarm = alarm
            self.key = key
        }
    }

    /// What an erasure does.
    public enum Erasure: Sendable {
        /// Rows of the device are deleted.
        case deleted(Deletion = Deletion())
        /// Rows stay, and these columns lose what they say: assignments of SQL.
        case emptied(String)
        /// What a declaration cannot say, by code of the service.
        case by(String)
    }

    /// How rows are deleted.
    public struct Deletion: Sendable {
        /// Assignments of SQL by which names are overwritten where they stand, before the rows go.
        public var overwriting: String?
        /// A table in which the device's ordinal must stand while its rows are deleted.
        public var unlockedBy: String?
        /// Rows of a slice; nil: all.
        public var atOnce: Int?
        /// Whether the tree is written anew after an erasure of everything: SQLite leaves copies of what it moves.
        public var rewrites: Bool

        public init(
            overwriting: String? = nil, unlockedBy: String? = nil, atOnce: Int? = nil, rewrites: Bool = false
        ) {
            self.overwriting = overwriting
            self.unlockedBy = unlockedBy
            self.atOnce = atOnce
            self.rewrites = rewrites
        }
    }

    /// What a subscriber is shown of it.
    public enum Copy: Sendable {
        /// Lines of these kinds, which ``HeldKind`` explains in English and French.
        case lines([String])
        /// Nothing, because it is shown otherwise.
        case none(String)
    }

    /// For how long it is kept.
    public enum Span: Sendable {
        /// Deleted by its time: of a kind of retention, by a column with an index, in units of so many milliseconds.
        case until(RetentionKind, time: String, unit: Int64 = 1, bytes: String = "0")
        /// Of a kind of retention that the service's own code executes.
        case retained(RetentionKind)
        /// As long as something else, in words. The engine does nothing for it; the service deletes by itself (ingest:
        /// `IngestEngine.maintain`).
        case asLongAs(String)
    }

    public init(
        of owner: String?, scope: Scope? = nil, erased: Erasure, copied: Copy, kept: Span
    ) {
        self.owner = owner
        self.scope = scope
        self.erased = erased
        self.copied = copied
        self.kept = kept
    }
}
