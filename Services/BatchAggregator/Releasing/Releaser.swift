package import AggregatorCells
package import AggregatorDeriving
package import AggregatorFolding
package import GRDB
package import Lanes
package import Models
import Releases
import Storage
import SubjectRights

/// Releases hours and days of open rows (`docs/releases.md`).
///
///     an hour is over for an hour ─▶ provisional             of each network
///     a day is to be sealed       ─▶ technology and final    of each network; the day waits for it
///
/// One job at a time (``ReleaseJob``), in slices. A crash, or rows that are erased, let it begin anew; what was issued before is
/// issued, and the job leaves it out. Confined to the thread that writes the database.
package final class Releaser {
    /// How long after its end an hour is released, and until when, seconds. An hour that was missed for longer is in no provisional release.
    static let hourRests: Int64 = 3_600, hourLasts: Int64 = 48 * 3_600
    /// Until it is looked again for hours that are over, ms.
    private static let interval: UnixMilliseconds = 60_000
    /// Until work that could not be done is tried again, ms.
    private static let pause: UnixMilliseconds = 1_000
    /// Bytes of rows in memory, unless tests say otherwise.
    package static let usualLimit = 48 << 20

    private let open: OpenRowDirectory
    private let counting: CountingRules
    private let settings: ReleaseSettings
    private let threads: TwoThreads<OpenRowMaker>
    private let writer: ReleaseWriter
    private let awaited: [String]
    private let limit: Int
    private let isRollupsFull: () -> Bool
    private var classes: DeviceClassTable?
    private var job: ReleaseJob?
    /// A release that has all its atoms and is to be issued.
    private var ready: (ReleaseSeries, AtomList)?
    /// A day that is to be sealed and is not released.
    private var wanted: Int64?
    /// Days that begin before are sealed.
    private var sealed: Int64
    private var asksAgainAt: UnixMilliseconds = 0
    private var pace = SliceThrottle(stopwatch: { .now })
    private var isKnown = false
    /// Since it was taken last.
    private var figures = ReleaseFigures()

    /// - Parameters:
    ///   - sealed: days that begin before are.
    ///   - awaited: erasures since the backup that the home is from: before they were heard of nothing is released.
    ///   - limit: bytes of rows in memory.
    package init(
        _ settings: ReleaseSettings, _ open: OpenRowDirectory, _ counting: CountingRules,
        _ threads: TwoThreads<OpenRowMaker>, sealed: Int64, awaited: [String], limit: Int = Releaser.usualLimit,
        isRollupsFull: @escaping () -> Bool
    ) {
        self.settings = settings
        self.open = open
        self.counting = counting
        self.threads = threads
        self.sealed = sealed
        self.awaited = awaited
        self.limit = limit
        self.isRollupsFull = isRollupsFull
        writer = ReleaseWriter(settings: settings, programmes: counting.programmes)
    }

    /// So many rows have come; while they do, slices are followed by rests.
    package func came(_ rows: Int, now: UnixMilliseconds) { pace.came(rows, now: now) }

    /// Rows were erased: a job has perhaps read them.
    package func rowsWent() { giveUp() }

    /// When ``tick(in:)`` is to be called.
    package var nextTick: UnixMilliseconds {
        job != nil || ready != nil ? max(pace.nextSlice, asksAgainAt) : asksAgainAt
    }

    /// Whether the days with open rows before a time are released; if not, they will be.
    package func areReleased(before end: Int64, _ db: Database) throws -> Bool {
        wanted = try open.existingDays().first { day in
            try day >= sealed && day < end && !ReleaseStore.isDone(.final, day, db)
        }
        if wanted != nil, job == nil { asksAgainAt = 0 }
        return wanted == nil
    }

    /// Days before a time are closed.
    package func daysAreClosed(before through: Int64, _ db: Database) throws {
        sealed = through
        wanted = nil
        try ReleaseStore.forget(before: through, db)
    }

    /// One bounded piece of work; true if it did anything.
    package func tick(in transaction: inout EffectTransaction) throws -> Bool {
        let db = transaction.db, now = transaction.now
        if !isKnown {
            try ReleaseStore.use(settings.root, lastDay: open.existingDays().last, now: now / 1_000, db)
            isKnown = true
        }
        guard try !isRollupsFull() && ErasureExecutor.haveHeard(of: awaited, db) && !ErasureExecutor.areRecordsLeft(db)
        else {
            // Of who is being erased nothing is released any more.
            if !isRollupsFull() { giveUp() }
            asksAgainAt = now + Self.pause
            return false
        }
        pace.began()
        if let (series, atoms) = ready, let job {
            let count = try writer.write(series, job.period, atoms, now: now, db, &transaction.emit)
            if count > 0 { figures.issued(series.kind, atoms: count) }
            ready = nil
            return true
        }
        if let job { return try proceed(job, now, db, &transaction.emit) }
        return try begin(now, db, &transaction.emit)
    }

    /// After the commit of a step.
    package func committed(now: UnixMilliseconds) { pace.ended(now: now) }

    /// What was done since it was asked last; to be asked after the commit.
    package func takeFigures() -> ReleaseFigures {
        defer { figures = ReleaseFigures() }
        return figures
    }

    private func giveUp() { (job, ready) = (nil, nil) }

    private func proceed(
        _ job: ReleaseJob, _ now: UnixMilliseconds, _ db: Database, _ emit: inout Emission
    ) throws -> Bool {
        switch try job.slice(open.file(job.period.day)) {
        case .goesOn: break
        case .finished(let series, let atoms): ready = (series, atoms)
        case .done:
            try writer.finish(job.period, nil, now: now, db, &emit)
            figures.add(job)
            giveUp()
            asksAgainAt = 0
        }
        return true
    }

    /// Begins the next job; what cannot be released any more is said to be so.
    private func begin(_ now: UnixMilliseconds, _ db: Database, _ emit: inout Emission) throws -> Bool {
        guard let period = try nextPeriod(now / 1_000, db) else {
            asksAgainAt = now + Self.interval
            return false
        }
        guard try period.day >= ReleaseStore.firstDay(db) else {
            try writer.finish(period, .restored, now: now, db, &emit)
            return true
        }
        if classes?.day != period.day { classes = DeviceClassTable(root: settings.root, day: period.day) }
        guard let classes else { return false }
        job = ReleaseJob(
            period, settings, counting, threads, ends: try open.file(period.day).read { try OpenRowFile.ends($0) },
            limit: limit, classOf: classes.of)
        asksAgainAt = 0
        return true
    }

    /// A day that waits to be sealed, or the first hour that is over.
    private func nextPeriod(_ second: Int64, _ db: Database) throws -> ReleasePeriod? {
        if let wanted, try !ReleaseStore.isDone(.final, wanted, db) {
            return ReleasePeriod(day: wanted, end: open.end(of: wanted))
        }
        for day in try open.existingDays() where day >= sealed && day < second {
            let end = open.end(of: day)
            guard end > second - Self.hourLasts else { continue }
            for hour in 0...(end - day - 1) / 3_600 {
                let period = ReleasePeriod(hour: hour, of: day, end: end), over = period.seconds.upperBound
                guard over + Self.hourRests <= second else { break }
                guard over > second - Self.hourLasts else { continue }
                if try !ReleaseStore.isDone(.provisional, period.seconds.lowerBound, db) { return period }
            }
        }
        return nil
    }
}

/// The classes of the devices of a day, each looked up once.
final class DeviceClassTable {
    /// Ordinals above are looked up each time.
    private static let most = 4 << 20
    private static let unknown: UInt8 = 0xff

    let day: Int64
    private let classes: DeviceClasses
    private var known: [UInt8] = []

    init(root: [UInt8], day: Int64) {
        self.day = day
        classes = DeviceClasses(root: root, day: day)
    }

    func of(_ device: UInt32) -> ReleaseClass {
        let place = Int(device)
        guard place < Self.most else { return classes.of(device) }
        if place >= known.count {
            known.append(contentsOf: repeatElement(Self.unknown, count: max(place + 1, 2 * known.count) - known.count))
        }
        if let found = ReleaseClass(rawValue: known[place]) { return found }
        let found = classes.of(device)
        known[place] = found.rawValue
        return found
    }
}

/// What was released since the last report.
package struct ReleaseFigures: Equatable {
    /// Releases and their atoms, by class.
    package private(set) var releases: [String: Int] = [:]
    package private(set) var atoms = 0
    /// Samples in atoms, by level; 0 for whole networks.
    package private(set) var released = [Int64](repeating: 0, count: Quadkey.deepestLevel + 1)
    /// Samples of fewer devices than k, at the coarsest level.
    package private(set) var withheld: Int64 = 0
    package private(set) var left = LeftRows()

    package init() {}

    mutating func issued(_ kind: ReleaseClass, atoms count: Int) {
        releases[kind.name, default: 0] += 1
        atoms += count
    }

    mutating func add(_ job: ReleaseJob) {
        let samples = job.samples
        withheld += samples.withheld
        for level in released.indices { released[level] += samples.released[level] }
        left += job.left
    }
}
