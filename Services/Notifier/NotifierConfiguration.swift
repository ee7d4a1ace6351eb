internal import Channels
internal import Foundation
internal import Models
internal import NotifierMessages
internal import NotifierSending
public import ServiceKit
internal import Storage

/// Every setting of the notifier.
public struct NotifierConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration
    let settings: NotifierSettings
    let mail: MailServer?
    let sms: SMSGateway?
    /// `NKUL_NOTIFIER_CALL_TIMEOUT_MS`: longest that a call of a channel may take.
    let callTimeout: Duration
    /// `NKUL_NOTIFIER_CONTACT`: whom push services may ask.
    let contact: String

    /// - Throws: `ServiceError` of code `usage`.
    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        self.settings = try Self.deliveries(settings)
        mail = try Self.mail(settings)
        sms = try Self.sms(settings)
        callTimeout = try settings.value(
            .milliseconds(
                "NKUL_NOTIFIER_CALL_TIMEOUT_MS", default: 10_000, in: 100...120_000,
                "longest that a webhook, a push service or the mail server may take"))
        contact = try settings.value(
            Setting(
                "NKUL_NOTIFIER_CONTACT", default: "mailto:nkul@localhost", range: "mailto:… or https://…",
                "whom push services may ask about this home (RFC 8292)"
            ) { text in
                let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
                return isPlain && (text.hasPrefix("mailto:") || text.hasPrefix("https://")) ? text : nil
            })
        // Read here too, so that `--help` and the check of unknown keys know it; it decides for `nkul up`.
        _ = try settings.value(.notifier)
    }

    private static func deliveries(_ settings: Settings) throws -> NotifierSettings {
        var all = NotifierSettings()
        all.policy = try settings.value(.allowedNetworks)
        func milliseconds(_ key: String, _ standard: Int, _ range: ClosedRange<Int>, _ summary: String) throws -> Int64
        {
            Int64(try settings.value(.milliseconds(key, default: standard, in: range, summary)) / .milliseconds(1))
        }
        all.schedule.firstPause = try milliseconds(
            "NKUL_NOTIFIER_FIRST_PAUSE_MS", 1_000, 10...3_600_000, "until the first repetition; then doubled")
        all.schedule.longestPause = try milliseconds(
            "NKUL_NOTIFIER_LONGEST_PAUSE_MS", 900_000, 10...3_600_000, "between two tries of a delivery")
        all.schedule.mostAttempts = Int64(
            try settings.value(
                .integer(
                    "NKUL_NOTIFIER_ATTEMPTS", default: 50, in: 1...10_000, unit: "tries",
                    "after which a delivery is given up")))
        all.schedule.longest = try milliseconds(
            "NKUL_NOTIFIER_GIVE_UP_MS", 86_400_000, 1_000...604_800_000, "after which a delivery is given up")
        all.callsAtOnce = try settings.value(
            .integer(
                "NKUL_NOTIFIER_CALLS", default: 16, in: 1...256, unit: "calls",
                "calls at the same time, one of a channel"))
        all.mostWaiting = try settings.value(
            .integer(
                "NKUL_NOTIFIER_OUTBOX", default: 10_000, in: 1...1_000_000, unit: "deliveries",
                "that may wait of a channel; beyond that it is not told of new alarms"))
        guard all.schedule.longestPause >= all.schedule.firstPause else {
            throw ServiceError(
                .usage, "NKUL_NOTIFIER_LONGEST_PAUSE_MS must be at least NKUL_NOTIFIER_FIRST_PAUSE_MS")
        }
        return all
    }

    private static func mail(_ settings: Settings) throws -> MailServer? {
        let url = try settings.value(
            Setting<String?>(
                "NKUL_NOTIFIER_SMTP", default: "", range: "smtp://HOST:PORT or smtps://HOST:PORT; empty: no e-mail",
                "the mail server that takes digests"
            ) { text in
                guard !text.isEmpty else { return .some(nil) }
                let schemes = ["smtp://", "smtps://"].filter(text.hasPrefix)
                let isAddress = schemes.first.flatMap { HostPort(String(text.dropFirst($0.count))) } != nil
                return isAddress ? .some(text) : nil
            })
        let tls = try settings.value(
            .choice(
                "NKUL_NOTIFIER_SMTP_TLS", default: "required", of: ["required", "off"],
                "off: e-mail and password go in clear, to a server on this machine"))
        let user = try settings.value(.optionalText("NKUL_NOTIFIER_SMTP_USER", "name at the mail server"))
        let file = try settings.value(
            .optionalText("NKUL_NOTIFIER_SMTP_PASSWORD_FILE", "file (0600) with the password at the mail server"))
        let authorities = try settings.value(
            .optionalText("NKUL_NOTIFIER_SMTP_CA", "file of certificates (PEM) instead of the system's"))
        let from = try settings.value(
            Setting(
                "NKUL_NOTIFIER_MAIL_FROM", default: "nkul@localhost", range: "name@host", "who sends digests"
            ) { Channel.isMailbox($0) ? $0 : nil })
        guard let url else { return nil }
        return MailServer(
            url: url, requiresTLS: tls == "required", user: user, password: try file.map(password),
            authorities: authorities,
            from: from)
    }

    /// The gateway may be anywhere: it is the operator's own choice, as the mail server is.
    private static func sms(_ settings: Settings) throws -> SMSGateway? {
        let url = try settings.value(
            Setting<TargetURL?>(
                "NKUL_NOTIFIER_SMS", default: "", range: "http://… or https://…; empty: no short messages",
                "the gateway that sends short messages, which is posted JSON"
            ) { text in
                text.isEmpty ? .some(nil) : (try? TargetURL(text, .everywhere)).map { .some($0) }
            })
        let file = try settings.value(
            .optionalText(
                "NKUL_NOTIFIER_SMS_AUTHORIZATION_FILE", "file (0600) with the header Authorization for the gateway"))
        guard let url else { return nil }
        return SMSGateway(
            url: url, authorization: try file.map { try secret("NKUL_NOTIFIER_SMS_AUTHORIZATION_FILE", in: $0) })
    }

    private static func password(in file: String) throws -> String {
        try secret("NKUL_NOTIFIER_SMTP_PASSWORD_FILE", in: file)
    }

    private static func secret(_ setting: String, in file: String) throws -> String {
        guard let bytes = try KeyStore.existing(at: file) else {
            throw ServiceError(.usage, "\(setting): there is no file \(file)")
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
