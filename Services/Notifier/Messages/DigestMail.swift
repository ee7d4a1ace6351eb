internal import Channels
internal import Foundation
internal import Models

/// A message of e-mail: what happened to the alarms of a channel since the one before, or a one-time code.
///
/// Whatever an alarm's text is, it cannot end a header or a body: headers are of visible ASCII, others as encoded words (RFC
/// 2047), and the body is base64.
package struct DigestMail: Sendable, Equatable {
    package let from: String
    package let to: String
    /// The whole message with CR LF at the ends of lines.
    package let bytes: [UInt8]

    /// - Parameters:
    ///   - from: who sends it: `name@host`.
    ///   - host: who makes its identifier.
    package init(_ call: OutgoingCall, from: String, to: String, host: String) {
        self.from = from
        self.to = to
        let subject = call.code == nil ? Self.subject(call.deliveries) : "[Nkul] code to log in"
        let identifier = call.code?.delivery ?? call.deliveries.first?.id ?? "empty"
        let lines = [
            "Date: \(Self.date(call.at))", "From: Nkul <\(from)>", "To: <\(to)>", "Subject: \(Self.header(subject))",
            "Message-ID: <\(identifier).\(call.deliveries.count)@\(Self.plain(host))>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
            Self.base64(call.code.map(CodeText.mail) ?? Self.body(call)), "",
        ]
        bytes = Array(lines.joined(separator: "\r\n").utf8)
    }

    private static func subject(_ deliveries: [OutgoingCall.Delivery]) -> String {
        if deliveries.count == 1, let only = deliveries.first {
            return "[Nkul] \(only.word) \(only.alarm.severity.rawValue): \(only.alarm.problem)"
        }
        let cleared = deliveries.filter { $0.word == "cleared" }.count,
            open = deliveries.filter { $0.word != "cleared" }
        let worst = open.map(\.alarm.severity).max().map { ", worst \($0.rawValue)" } ?? ""
        return "[Nkul] \(open.count) alarms raised or changed, \(cleared) cleared\(worst)"
    }

    private static func body(_ call: OutgoingCall) -> String {
        let lines = call.deliveries.map { delivery in
            let alarm = delivery.alarm
            let what =
                delivery.previous.map { "\($0.rawValue) -> \(alarm.severity.rawValue)" } ?? alarm.severity.rawValue
            let time = delivery.word == "cleared" ? alarm.clearedTime ?? alarm.changedTime : alarm.changedTime
            let place = [alarm.owner?.name, alarm.place].compactMap(\.self).filter { !$0.isEmpty }.joined(
                separator: " ")
            return "\(time)  \(delivery.word)  \(what)  \(oneLine(alarm.problem))"
                + (place.isEmpty ? "" : "  \(oneLine(place))")
                + "\n    alarm \(oneLine(alarm.id)), since \(alarm.raisedTime)"
        }
        return lines.joined(separator: "\n") + "\n\n-- \nchannel \(call.channel.id)\n"
    }

    /// Text of a header, whatever it is given.
    package static func header(_ text: String) -> String {
        let line = oneLine(text)
        guard !line.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) || line.utf8.count > 200 || line.contains("=?")
        else {
            return line
        }
        // An encoded word has 75 characters at most, and no character of UTF-8 may be cut.
        var words: [String] = [], part = ""
        for scalar in line.unicodeScalars.prefix(200) {
            if part.utf8.count > 38 { (words, part) = (words + [part], "") }
            part.unicodeScalars.append(scalar)
        }
        return (words + [part]).map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// Without anything that ends a line or moves the cursor.
    static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isControl =
                        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
                        || [0x2028, 0x2029].contains(scalar.value)
                    return isControl ? " " : scalar
                }))
    }

    private static func plain(_ host: String) -> String {
        let kept = host.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
        return kept.isEmpty ? "nkul" : kept
    }

    private static func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString(options: [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ])
    }

    /// RFC 5322, UTC.
    private static func date(_ time: UnixMilliseconds) -> String {
        let date = Date(timeIntervalSince1970: Double(time) / 1_000)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = [parts.hour!, parts.minute!, parts.second!].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(days[parts.weekday! - 1]), \(parts.day!) \(months[parts.month! - 1]) \(parts.year!) "
            + clock.joined(separator: ":") + " +0000"
    }
}
