package import Channels
internal import Models

/// What a listener of TM Forum TMF642 v4 is posted: an event about one alarm, whose `eventId` is the same at each try.
///
///     {"correlationId":<the alarm>,"event":{"alarm":{…}},"eventId":…,"eventTime":…,"eventType":"AlarmCreateEvent"}
package enum EventMessage {
    package static func request(_ call: OutgoingCall, to url: TargetURL) -> HTTPMessage? {
        guard let delivery = call.deliveries.first else { return nil }
        return HTTPMessage(
            url: url,
            headers: [
                (name: "Content-Type", value: "application/json"), (name: "Nkul-Delivery", value: delivery.id),
            ], body: body(of: delivery))
    }

    /// Names of events and deliveries are plain, and the alarm is JSON already.
    private static func body(of delivery: OutgoingCall.Delivery) -> [UInt8] {
        let alarm = delivery.alarm
        var body = Array("{\"correlationId\":\(JSONWriter.quoted(alarm.id)),\"event\":{\"alarm\":".utf8) + alarm.bytes
        body += "},\"eventId\":\"\(delivery.id)\",\"eventTime\":\"\(time(of: delivery))\"".utf8
        if delivery.word == "test" { body += ",\"title\":\"a test\"".utf8 }
        body += ",\"eventType\":\"\(AlarmEvent(transition: delivery.word).rawValue)\"}".utf8
        return body
    }

    private static func time(of delivery: OutgoingCall.Delivery) -> String {
        let alarm = delivery.alarm
        return delivery.word == "raised" ? alarm.raisedTime : alarm.clearedTime ?? alarm.changedTime
    }
}
