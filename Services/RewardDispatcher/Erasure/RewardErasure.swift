internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights

/// How the dispatcher forgets subscribers: number and link go, amounts stay, the books balance.
///
/// What is settled loses everything at once. What was never sent is rejected. What is under way keeps the reference that the
/// provider knows, and nothing else, until it is settled; so it is still asked about, and booked, like any other.
///
/// Confined to the thread of the effects.
final class RewardErasure {
    /// Grants erased in a slice: some ten milliseconds.
    static let grantsAtOnce = 50
    /// From a settlement to the cleaning after it, so that several have one.
    static let cleaningPause: UnixMilliseconds = 60_000

    /// Of the `rewards` lane; its index of keys has identifiers of grants.
    var journal: Journal?
    /// When references that were replaced are to be cleaned away; nil if there are none. At once after a start: a program
    /// before may have died with old pages in the log.
    private(set) var cleaningAt: UnixMilliseconds? = 0
    private let database: ServiceDatabase
    private let books: (any ProviderBooks)?
    private let random: () -> UInt64
    private let tables = ErasureTables()
    /// Number and carried balance.
    private let declared: DeclaredRecords
    private let store = RewardDispatcherStore()
    private let ledger = Ledger()
    private var hasWithdrawn = false
    /// The provider's books may have copies of numbers that are gone.
    private var booksAreToBeCleaned = false
    /// Trees may have copies of what a pass erased; they may also after a start in the middle of one.
    private var isToBeRewritten = true

    /// - Parameters:
    ///   - declared: deletes the rows whose table is declared to be deleted from.
    ///   - books: those of the provider that are in this home.
    ///   - random: from which names that lead to nobody are made.
    init(
        _ database: ServiceDatabase, declared: DeclaredRecords, books: (any ProviderBooks)?,
        random: @escaping () -> UInt64
    ) {
        self.database = database
        self.declared = declared
        self.books = books
        self.random = random
    }

    /// One slice; books rejections into `changes`.
    ///
    /// - Parameter busy: grants about which a call is under way: they are settled when it is over.
    func next(
        _ subjects: [ErasureSubject], busy: Set<GrantID>, _ changes: inout GrantChanges
    ) throws -> ErasureSlice {
        var slice = ErasureSlice(isDone: false), left = Self.grantsAtOnce
        for device in Set(subjects.filter(\.scope.isEverything).map(\.device)).sorted() {
            var removed = try declared.eraseAll(of: device, changes.db).removed
            let grants = try tables.grants(of: device, limit: left, changes.db)
            for id in grants { try erase(id, of: device, isBusy: busy.contains(id), &changes) }
            removed += grants.count
            left -= grants.count
            if removed > 0 {
                isToBeRewritten = true
                slice.removed[device] = removed
            }
            guard left > 0 else { return slice }
            try tables.forgetOwner(of: device, changes.db)
        }
        slice.isDone = true
        return slice
    }

    private func erase(
        _ id: GrantID, of device: UInt64, isBusy: Bool, _ changes: inout GrantChanges
    ) throws {
        let db = changes.db
        guard let grant = try store.grant(id, db) else { return }
        let owner = try tables.owner(of: device, orElse: Ledger.erasedOwner + name().text, db)
        let erased = ErasedGrant(owner: owner, id: name())
        try ledger.erase(grant, as: erased, db)
        try tables.erase(id, as: erased, record: bytes(), db)
        guard let nameless = try store.grant(id, db) else { return }
        if nameless.state.isFinal {
            try tables.replaceReference(of: nameless, by: erased, db)
        } else {
            try withdraw(nameless)
            try changes.decide(.erased(isBusy: isBusy, now: changes.now), nameless)
        }
    }

    /// What an erased grant has ordered and nobody has been told to pay is not paid. If the transaction fails, the erasure is
    /// repeated, and nothing was lost.
    private func withdraw(_ grant: Grant) throws {
        guard let books, let reference = grant.reference, !grant.state.isFinal else { return }
        try books.withdraw([reference])
        booksAreToBeCleaned = true
    }

    /// Once after a start: orders of grants that were erased by a program that did not withdraw them.
    private func withdrawLeftOver() throws {
        guard !hasWithdrawn else { return }
        let references = try database.read { [tables] in try tables.openReferences($0) }
        if let books, !references.isEmpty {
            try books.withdraw(references)
            booksAreToBeCleaned = true
        }
        hasWithdrawn = true
    }

    /// An order that was on the way while its subject was erased has arrived.
    func orderIsOver(of grant: Grant, now: UnixMilliseconds) throws {
        guard grant.erased != nil, books != nil else { return }
        try withdraw(grant)
        noteReplaced(now: now)
    }

    /// A settled grant becomes nobody's, under a random name that no other grant has.
    func forget(_ grant: Grant, _ db: Database) throws {
        let erased = ErasedGrant(owner: Ledger.erasedOwner + name().text, id: name())
        try ledger.erase(grant, as: erased, db)
        try tables.erase(grant.id, as: erased, record: bytes(), db)
        try tables.replaceReference(of: grant, by: erased, db)
    }

    /// References were replaced outside a pass; they are to be cleaned away before long.
    func noteReplaced(now: UnixMilliseconds) {
        cleaningAt = min(cleaningAt ?? .max, now + Self.cleaningPause)
    }

    /// Grants of erased subjects that are not settled.
    func openGrants(_ db: Database) throws -> Int64 { try tables.openGrants(db) }

    /// After the last slice of a pass: see ``clean(evenIfNothingIsReplaced:)``.
    func cleanAfterPass() throws -> Bool { try clean(evenIfNothingIsReplaced: isToBeRewritten) }

    /// Outside any transaction: takes replaced references out of the provider's books, and copies of what was erased out of
    /// this file. Its log is emptied by the caller. False if it is to be asked again. A crash anywhere repeats it.
    private func clean(evenIfNothingIsReplaced isForced: Bool) throws -> Bool {
        let references = try database.read { [tables] in try tables.replacedReferences($0) }
        try withdrawLeftOver()
        if let books, booksAreToBeCleaned || !references.isEmpty {
            guard try books.replace(references) else { return false }
            booksAreToBeCleaned = false
        }
        guard isForced || !references.isEmpty else { return true }
        try database.write { [tables, journal] db in
            try tables.forget(references, db)
            try ServiceDatabase.rewrite(tables: ErasureTables.rewritten, db)
            try journal?.rewriteKeys(db)
        }
        isToBeRewritten = false
        return true
    }

    /// Cleans if it is time to, once settlements have replaced references; after a commit.
    func cleanIfDue(now: UnixMilliseconds) throws {
        guard let due = cleaningAt, due <= now else { return }
        let isClean = try clean(evenIfNothingIsReplaced: false) && database.truncateLog()
        cleaningAt = isClean ? nil : now + Self.cleaningPause
    }

    private func name() -> GrantID { GrantID(random(), random()) }

    private func bytes() -> [UInt8] { RecordIdentifier(high: random(), low: random()).bytes }
}
