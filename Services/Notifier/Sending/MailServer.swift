internal import CCurl
internal import Dispatch
package import NotifierMessages

/// The mail server that takes messages for everybody, as the operator of the home has set it.
package struct MailServer: Sendable, Equatable {
    /// `smtp://host:port` or `smtps://host:port`.
    package var url: String
    /// Whether nothing goes without TLS: STARTTLS for `smtp`.
    package var requiresTLS: Bool
    package var user: String?
    package var password: String?
    /// A file of certificates (PEM) instead of the system's.
    package var authorities: String?
    /// Who sends: `name@host`.
    package var from: String

    package init(
        url: String, requiresTLS: Bool = true, user: String? = nil, password: String? = nil, authorities: String? = nil,
        from: String
    ) {
        self.url = url
        self.requiresTLS = requiresTLS
        self.user = user
        self.password = password
        self.authorities = authorities
        self.from = from
    }

    /// Its part behind the @.
    package var host: String { String(from.drop { $0 != "@" }.dropFirst()) }

    /// Hands a message over, off the cooperative pool.
    package func send(_ mail: DigestMail, timeout: Duration) async -> SendAnswer {
        await withCheckedContinuation { waiting in
            DispatchQueue.global().async { waiting.resume(returning: sendWaiting(mail, timeout)) }
        }
    }

    private func sendWaiting(_ mail: DigestMail, _ timeout: Duration) -> SendAnswer {
        var reason = [CChar](repeating: 0, count: 256), answer = 0
        let strings = [url, user, password, authorities, mail.from, mail.to].map { text in
            text.map { $0.utf8CString.map { $0 } }
        }
        // Kept until the call is over.
        let copies = strings.map { bytes in
            bytes.map { bytes in
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
                copy.initialize(from: bytes, count: bytes.count)
                return copy
            }
        }
        defer { for copy in copies { copy?.deallocate() } }
        let code = mail.bytes.withUnsafeBytes { bytes in
            var message = nkul_mail()
            (message.url, message.user, message.password) = (
                UnsafePointer(copies[0]), UnsafePointer(copies[1]), UnsafePointer(copies[2])
            )
            (message.authorities, message.from, message.to) = (
                UnsafePointer(copies[3]), UnsafePointer(copies[4]), UnsafePointer(copies[5])
            )
            message.requires_tls = requiresTLS ? 1 : 0
            (message.bytes, message.length) = (bytes.baseAddress, bytes.count)
            message.timeout_milliseconds = Int(timeout / .milliseconds(1))
            return nkul_mail_send(&message, &reason, &answer)
        }
        guard code != 0 else { return .delivered }
        let words = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return .failed((answer >= 400 ? "answered \(answer): " : "") + words)
    }
}
