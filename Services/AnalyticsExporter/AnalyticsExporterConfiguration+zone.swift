internal import Foundation
internal import ServiceKit

extension AnalyticsExporterConfiguration {
    /// The time zone by whose days figures are kept.
    ///
    /// - Throws: `ServiceError` naming the setting.
    var zone: TimeZone {
        get throws {
            guard let zone = TimeZone(identifier: common.timeZone) else {
                throw ServiceError(.usage, "NKUL_TIME_ZONE: \"\(common.timeZone)\" is not a time zone of this system")
            }
            return zone
        }
    }
}
