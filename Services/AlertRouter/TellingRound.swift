internal import GRDB
internal import Lanes
internal import Models
internal import Wire

/// What one transaction tells: numbers the messages, stores them, and gathers the rows of the alarms lane.
struct TellingRound {
    let now: UnixMilliseconds
    let db: Database
    private let store: AlertMessageStore
    private let deflater: BodyDeflater
    private var seq: Int64
    private var told: [AlertMessage] = []
    private var rows = AlarmRows()

    init(_ store: AlertMessageStore, _ deflater: BodyDeflater, now: UnixMilliseconds, _ db: Database) throws {
        self.store = store
        self.deflater = deflater
        self.now = now
        self.db = db
        seq = try store.lastSeq(db)
    }

    mutating func tell(_ telling: AlarmTelling, alarm number: Int64) throws {
        let document = telling.alarm.document(state: telling.state)
        let body = deflater.deflate(document)
        for topic in telling.topics {
            seq += 1
            let header = AlertHeader.alarm(telling, tenant: store.tenant, seq: seq, time: now)
            let message = AlertMessage(seq: seq, topic: topic, header: header, body: body)
            try store.append(message, alarm: number, at: now, db)
            told.append(message)
        }
        try store.setLatest(seq, ofAlarm: number, db)
        rows.append(key: Array(telling.alarm.id.utf8), document: document)
    }

    /// Ends the round: the messages in the order of their numbers, to be sent once committed.
    consuming func finish(_ emit: inout Emission) throws -> [AlertMessage] {
        guard !told.isEmpty else { return [] }
        try store.setLastSeq(seq, db)
        try emit.append(to: .alerts, kind: .alarm, columns: rows.columns)
        return told
    }
}
