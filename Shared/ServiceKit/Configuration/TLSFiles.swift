/// Where a server's certificate and its key are: `NKUL_TLS_CERT` and `NKUL_TLS_KEY`.
package struct TLSFiles: Sendable, Equatable {
    /// PEM file of the certificate, followed by those between it and the root.
    package let certificate: String
    /// PEM file of its private key, not encrypted; nobody but its owner and group may read it.
    package let key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// What the settings say; nil if they have neither.
    ///
    /// - Throws: ``ServiceError`` of code `usage` if they have only one of the two.
    static func read(_ settings: Settings) throws -> TLSFiles? {
        let certificate = try settings.value(
            .optionalText("NKUL_TLS_CERT", "PEM file of the certificate chain: TLS 1.3 for phones and operators"))
        let key = try settings.value(.optionalText("NKUL_TLS_KEY", "PEM file of the certificate's private key"))
        switch (certificate, key) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        case (_?, nil): throw ServiceError(.usage, "NKUL_TLS_CERT is set, NKUL_TLS_KEY is not; TLS needs both")
        case (nil, _?): throw ServiceError(.usage, "NKUL_TLS_KEY is set, NKUL_TLS_CERT is not; TLS needs both")
        }
    }
}
