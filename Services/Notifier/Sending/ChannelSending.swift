internal import Channels
package import NotifierMessages

/// Sends what channels tell, each kind its own way.
package struct ChannelSending: ChannelSender {
    private let poster: HTTPPoster
    private let mail: MailServer?
    private let sms: SMSGateway?
    /// For the gateway, which the operator of the home has chosen, wherever it is.
    private let gatewayPoster: HTTPPoster
    private let vapid: VAPIDKey
    private let timeout: Duration

    /// - Parameters:
    ///   - gatewayPoster: for the gateway of short messages.
    ///   - mail: nil: e-mail is not set up, and its channels fail.
    ///   - sms: nil: short messages are not set up, and their channels fail.
    package init(
        poster: HTTPPoster, gatewayPoster: HTTPPoster, mail: MailServer?, sms: SMSGateway?, vapid: VAPIDKey,
        timeout: Duration
    ) {
        self.poster = poster
        self.gatewayPoster = gatewayPoster
        self.mail = mail
        self.sms = sms
        self.vapid = vapid
        self.timeout = timeout
    }

    package func send(_ call: OutgoingCall) async -> SendAnswer {
        guard call.code != nil || !call.deliveries.isEmpty else { return .failed("the code is over, or does not open") }
        return switch call.channel.kind {
        case .webhook(let url): await post(WebhookMessage.request(call, to: url), call)
        case .alertmanager(let url, let resend):
            await post(AlertmanagerMessage.request(call, to: url, resend: resend), call)
        case .email(let address, _):
            if let mail {
                await mail.send(DigestMail(call, from: mail.from, to: address, host: mail.host), timeout: timeout)
            } else {
                .failed("there is no mail server: NKUL_NOTIFIER_SMTP is not set")
            }
        case .sms(let number):
            if let sms {
                if let message = ShortMessage.request(call, to: number, by: sms) {
                    await gatewayPoster.post(message, attempts: call.attempts)
                } else {
                    .failed("there is nothing to tell")
                }
            } else {
                .failed("there is no gateway of short messages: NKUL_NOTIFIER_SMS is not set")
            }
        case .tmf642(let url, _): await post(EventMessage.request(call, to: url), call)
        case .webpush:
            if let subscription = call.secrets.subscription {
                await post(try? PushMessage.request(call, subscription, vapid), call)
            } else {
                .failed("the channel has no subscription")
            }
        }
    }

    private func post(_ message: HTTPMessage?, _ call: OutgoingCall) async -> SendAnswer {
        guard let message else { return .failed("the message cannot be made: a secret is missing or is none") }
        return await poster.post(message, attempts: call.attempts)
    }
}
