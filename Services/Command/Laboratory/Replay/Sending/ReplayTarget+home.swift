import CommandSupport
import ServiceKit

extension ReplayTarget {
    /// `--url`, or where ingest runs in the home, or where it is set to.
    ///
    /// - Throws: ``ServiceError`` of code `usage` for a URL or a setting that is none.
    static func named(
        _ url: String?, _ options: CommandSettings, _ common: CommonConfiguration
    ) async throws -> ReplayTarget {
        if let url { return try ReplayTarget(url: url) }
        let isSecure = common.tls != nil
        if let bound = ServiceRecord.ofRunning(.ingest, in: common.home)?.listeners["device_api"].flatMap({
            HostPort($0)
        }) {
            return ReplayTarget(bound, isSecure: isSecure)
        }
        let address = try await common.httpAddress(
            options.load(), "NKUL_INGEST_HTTP", default: "127.0.0.1:8080", "where phones send to")
        return ReplayTarget(address, isSecure: isSecure)
    }
}
