internal import IngestSupport
internal import IngestUploads
internal import Models

/// What a subscriber is told of the alarms its reports helped to raise: the answer to `GET /v1/me/impact`.
///
/// Nothing of it tells how many others there were.
struct ImpactAnswer: Sendable, Equatable {
    struct Alarm: Sendable, Equatable {
        let position: PagePosition
        let alarm: ImpactAlarm
        /// Records of the device that count in it.
        let records: Int64
    }

    /// Newest first.
    let alarms: [Alarm]
    /// Where the next page begins; nil on the last one.
    let next: PagePosition?
    /// Of all pages.
    let helped: Int64
    let cleared: Int64
    /// When the last change that ingest has read was committed by the router; nil before the first.
    let asOf: UnixMilliseconds?

    /// The JSON document.
    var body: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"alarms\":[" as StaticString)
        for (place, alarm) in alarms.enumerated() {
            if place > 0 { json.raw("," as StaticString) }
            Self.write(alarm, &json)
        }
        json.raw("]" as StaticString)
        if let next {
            json.raw(",\"next\":" as StaticString)
            json.string(next.text)
        }
        json.raw(",\"counts\":{\"helped\":\(helped),\"cleared\":\(cleared)}")
        if let asOf {
            json.raw("," as StaticString)
            json.time("as_of", asOf)
        }
        json.raw("}" as StaticString)
        return json.bytes
    }

    private static func write(_ told: Alarm, _ json: inout JSONWriter) {
        let alarm = told.alarm
        for (place, member) in [
            ("id", told.position.name), ("rule", alarm.rule), ("severity", alarm.severity), ("state", alarm.state),
        ].enumerated() {
            json.raw(place == 0 ? "{" : ",")
            json.string(member.0)
            json.raw(":" as StaticString)
            json.string(member.1)
        }
        json.raw(",\"acknowledged\":\(alarm.isAcknowledged),")
        json.time("raised_at", alarm.raisedAt)
        if let clearedAt = alarm.clearedAt {
            json.raw("," as StaticString)
            json.time("cleared_at", clearedAt)
        }
        if let cell = alarm.cell {
            json.raw(",\"cell\":" as StaticString)
            json.string(cell)
        }
        json.raw(",\"reports_of_mine\":\(told.records),")
        json.time("first_report_at", told.position.time)
        json.raw("}" as StaticString)
    }
}
