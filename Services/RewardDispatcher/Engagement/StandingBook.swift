internal import Engagement
internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights
internal import Wire

/// Keeps standings: takes names, and tells places some time after something changed. Ranks are a function of the contributions and
/// names that there are then, so that late records and erasures leave nothing behind.
///
/// Confined to the thread of the effects.
struct StandingBook {
    /// What standings are of, beside the measure.
    static let periods: [CalendarPeriod] = [.week, .month]

    private let measures: [String]
    private let zone: TimeZone
    private let pause: UnixMilliseconds
    private let store = StandingStore()
    /// When places are told next; nil if nothing has changed. Once after a start.
    private(set) var dueAt: UnixMilliseconds? = 0
    private var today: Int64 = .min
    /// Whether somebody is shown, or still stands on the lane.
    private var isAnybodyShown = false

    /// - Parameter pause: from a change until places are told, milliseconds.
    init(_ measures: [String], zone: TimeZone, pause: UnixMilliseconds) {
        self.measures = measures
        self.zone = zone
        self.pause = pause
    }

    /// Something that counts has changed.
    mutating func note(now: UnixMilliseconds) {
        if isAnybodyShown { dueAt = dueAt ?? now + pause }
    }

    /// Takes the rows of a block of kind `nickname`; how many cannot be read.
    mutating func take(_ columns: Columns, now: UnixMilliseconds, _ db: Database) throws -> Int {
        let devices = columns[ColumnID.device], documents = columns[ColumnID.document]
        var unreadable = 0
        for row in 0..<columns.rowCount {
            guard let device = devices?.integer(row).map(UInt64.init(bitPattern:)), let text = documents?.value(row),
                let document = try? JSONDecoder().decode(NicknameDocument.self, from: Data(text)),
                document.nickname.map(NicknameDocument.isNickname) != false
            else {
                unreadable += 1
                continue
            }
            try store.put(document.nickname, of: device, db)
        }
        isAnybodyShown = true
        note(now: now)
        return unreadable
    }

    /// Tells the places that have changed, if it is time to. A period that is over is nobody's any more.
    mutating func tell(now: UnixMilliseconds, _ emit: inout Emission, _ db: Database) throws {
        let day = CivilDay.number(of: now, in: zone)
        if day != today { dueAt = min(dueAt ?? now, now) }
        guard let dueAt, dueAt <= now else { return }
        (self.dueAt, today) = (nil, day)
        let nicknames = try store.nicknames(db), told = try store.told(db)
        isAnybodyShown = !nicknames.isEmpty || !told.isEmpty
        guard isAnybodyShown else { return }
        let places = try places(nicknames, db)
        var rows = RewardRows()
        for (device, nickname) in nicknames.sorted(by: { $0.key < $1.key }) {
            let document = StandingDocument(device: device, nickname: nickname, places: places[device] ?? [])
            let bytes = try SortedJSON.bytes(of: document)
            guard told[device] != bytes else { continue }
            try store.tell(bytes, of: device, db)
            rows.append(String(device), device, encoded: bytes)
        }
        if rows.count > 0 { try emit.append(to: .rewards, kind: .standing, columns: rows.columns) }
        let gone = told.keys.filter { nicknames[$0] == nil }.sorted()
        for device in gone { try store.tell(nil, of: device, db) }
        if !gone.isEmpty {
            try emit.append(
                to: .rewards, kind: .standing, columns: .tombstones(gone.map { (String($0), $0) }))
        }
    }

    private func places(
        _ nicknames: [UInt64: String], _ db: Database
    ) throws -> [UInt64: [StandingDocument.Place]] {
        var found: [UInt64: [StandingDocument.Place]] = [:]
        for measure in measures {
            for period in Self.periods {
                let days = period.days(around: today), scores = try store.scores(measure, days, db)
                let standings = Standings(
                    scores.map { Standings.Entry(subject: $0.key, nickname: nicknames[$0.key] ?? "", score: $0.value) })
                for place in standings.places {
                    found[place.entry.subject, default: []].append(
                        StandingDocument.Place(
                            measure: measure, period: period.rawValue, from: days.lowerBound,
                            until: days.upperBound - 1, rank: Int64(place.rank),
                            count: Int64(standings.places.count), score: place.entry.score))
                }
            }
        }
        return found
    }
}
