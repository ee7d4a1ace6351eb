package import Channels
internal import Models
internal import ServiceKit

/// What the home's gateway is posted to send as a short message:
///
///     {"id":<the delivery, the same at each try>,"text":"[Nkul] raised critical: …","to":"+237690000000"}
package enum ShortMessage {
    /// Two parts of a short message where all characters are in GSM 03.38; up to five where one, as ç or ê, is not.
    static let mostCharacters = 300

    package static func request(_ call: OutgoingCall, to number: String, by gateway: SMSGateway) -> HTTPMessage? {
        let id: String, text: String
        if let code = call.code {
            (id, text) = (code.delivery, CodeText.short(code))
        } else if let delivery = call.deliveries.first {
            (id, text) = (delivery.id, Self.text(delivery))
        } else {
            return nil
        }
        let body = JSONValue.object(["id": .string(id), "to": .string(number), "text": .string(text)])
        var headers = [(name: "Content-Type", value: "application/json"), (name: "Nkul-Delivery", value: id)]
        if let authorization = gateway.authorization { headers.append((name: "Authorization", value: authorization)) }
        return HTTPMessage(url: gateway.url, headers: headers, body: Array(body.text.utf8))
    }

    private static func text(_ delivery: OutgoingCall.Delivery) -> String {
        let alarm = delivery.alarm
        let place = [alarm.owner?.name, alarm.place].compactMap(\.self).filter { !$0.isEmpty }
        let text =
            "[Nkul] \(delivery.word) \(alarm.severity.rawValue): \(alarm.problem)"
            + (place.isEmpty ? "" : ", " + place.joined(separator: " "))
        return String(DigestMail.oneLine(text).prefix(mostCharacters))
    }
}

/// The gateway that sends short messages, as the operator of the home has set it.
package struct SMSGateway: Sendable, Equatable {
    package let url: TargetURL
    /// The header of its requests; nil if it needs none.
    package let authorization: String?

    package init(url: TargetURL, authorization: String?) {
        self.url = url
        self.authorization = authorization
    }
}

/// A one-time code in words, in English and French.
enum CodeText {
    static func short(_ code: OutgoingCall.Code) -> String {
        "Nkul: \(code.text) is your code to log in, for 5 minutes. / Votre code de connexion, pour 5 minutes."
    }

    static func mail(_ code: OutgoingCall.Code) -> String {
        """
        \(code.text)

        This code opens Nkul for you once, within five minutes. If you did not ask for it, somebody else has entered your name; you need
        not do anything.

        Ce code vous ouvre Nkul une fois, dans les cinq minutes. Si vous ne l'avez pas demandé, quelqu'un d'autre a saisi votre nom ; vous
        n'avez rien à faire.

        """
    }
}
