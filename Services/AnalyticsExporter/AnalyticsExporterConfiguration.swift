internal import Channels
internal import ExporterAPI
internal import Foundation
public import Lanes
public import Models
public import ServiceKit

/// Every setting of `nkul-analytics-exporter`.
public struct AnalyticsExporterConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration
    /// `NKUL_EXPORTER_HTTP`, default `127.0.0.1:8090`: the API of operators and the regulator, and the page.
    public let http: HostPort
    /// `NKUL_EXPORTER_LEAFLET`, default `/usr/share/javascript/leaflet`: the map library of Debian's `libjs-leaflet`.
    public let leaflet: String
    /// `NKUL_EXPORTER_BASE_MAP`, default none: URL template of map tiles, `https://host/{z}/{x}/{y}.png`.
    public let baseMap: String?
    /// `NKUL_EXPORTER_OPERATORS`, default Cameroon's: networks that the page offers, `PLMN=name,…`.
    let operators: [(plmn: PLMN, name: String)]
    /// `NKUL_REGIONS`, default none: a file of regions in place of the built-in ones.
    let regions: String?
    /// `NKUL_EXPORTER_HEATMAP_CELLS`, default 10 000, 1…200 000: the most cells of one answer.
    public let heatmapCells: Int
    /// `NKUL_EXPORTER_DOWNLOADS`, default 4, 1…64: downloads of raw rows at once.
    public let downloads: Int
    /// `NKUL_EXPORTER_EXPORT_DAYS`, default 7, 0…31: whole days that files of exports are kept; 0 makes none.
    public let exportDays: Int
    /// `NKUL_RELEASES_LICENCE`, default none: under which open data of releases may be used; without it none is given.
    let licence: String?
    /// `NKUL_DENSITY_TENANTS`, default none, and `NKUL_DENSITY_PEOPLE_PER_DEVICE`, default 1, 1…1 000 000: who beside regulators is told
    /// crowd density, and how many people a device stands for.
    let density: (tenants: Set<String>, peoplePerDevice: Int)
    /// `NKUL_EXPORTER_STREAMS`, default 256, 1…10 000: alarm streams at once.
    public let streams: Int
    /// `NKUL_EXPORTER_GATHER_MS`, default 100, 0…1 000: how long blocks of raw rows gather before they are committed.
    public let gather: Duration
    /// `NKUL_EXPORTER_TENANT_SENSORS` `_DOORS` `_KEYS`, default 2 000, 200, 2 000: what a tenant may have of its sites.
    let siteLimits: SiteLimits
    /// `NKUL_NOTIFIER_ALLOW_PRIVATE`, default none: networks of one's own that channels may be told at.
    let channelAddresses: AddressPolicy
    /// `NKUL_ALERT_ROUTER_TRUST`, default any: whose records count in alarms, as the router reads it; tests of rules count the same.
    let alarmTrust: TrustPolicy
    /// `NKUL_NOTIFIER`, default 0: whether the home has a notifier, who tells channels.
    let hasNotifier: Bool

    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        http = try common.httpAddress(
            settings, "NKUL_EXPORTER_HTTP", default: "127.0.0.1:8090", "the operators' API and the page")
        leaflet = try settings.value(
            .text("NKUL_EXPORTER_LEAFLET", default: "/usr/share/javascript/leaflet", "directory of the map library"))
        baseMap = try settings.value(.baseMap)
        operators = try settings.value(.operators)
        regions = try settings.value(
            .optionalText("NKUL_REGIONS", "file of regions and towns in place of the built-in ones"))
        heatmapCells = try settings.value(
            .integer(
                "NKUL_EXPORTER_HEATMAP_CELLS", default: 10_000, in: 1...200_000, unit: "cells", "the most in one answer"
            ))
        downloads = try settings.value(
            .integer("NKUL_EXPORTER_DOWNLOADS", default: 4, in: 1...64, unit: "downloads", "of raw rows at once"))
        exportDays = try settings.value(
            .integer(
                "NKUL_EXPORTER_EXPORT_DAYS", default: 7, in: 0...31, unit: "days", "files of exports; 0 makes none"))
        licence = try settings.value(.licence)
        density = (
            try settings.value(.densityTenants),
            try settings.value(
                .integer(
                    "NKUL_DENSITY_PEOPLE_PER_DEVICE", default: 1, in: 1...1_000_000, unit: "people",
                    "one contributing device stands for"))
        )
        streams = try settings.value(
            .integer("NKUL_EXPORTER_STREAMS", default: 256, in: 1...10_000, unit: "streams", "of alarms at once"))
        gather = try settings.value(
            .milliseconds("NKUL_EXPORTER_GATHER_MS", default: 100, in: 0...1000, "gathering of blocks before a commit"))
        siteLimits = SiteLimits(
            sensors: try settings.value(.documents("NKUL_EXPORTER_TENANT_SENSORS", default: 2_000, "sensors")),
            doors: try settings.value(.documents("NKUL_EXPORTER_TENANT_DOORS", default: 200, "doors")),
            keys: try settings.value(.documents("NKUL_EXPORTER_TENANT_KEYS", default: 2_000, "keys")))
        channelAddresses = try settings.value(.allowedNetworks)
        alarmTrust = try settings.value(
            .trust("NKUL_ALERT_ROUTER_TRUST", "whose records count in alarms, and so in tests of rules"))
        hasNotifier = try settings.value(.notifier)
    }
}

extension Setting where Value == Int {
    fileprivate static func documents(_ key: String, default standard: Int, _ unit: String) -> Setting {
        .integer(key, default: standard, in: 0...100_000, unit: unit, "that a tenant may have")
    }
}

extension Setting where Value == Set<String> {
    fileprivate static var densityTenants: Setting {
        Setting(
            "NKUL_DENSITY_TENANTS", default: "", range: "names of tenants, by comma, or none",
            "who beside regulators is told crowd density"
        ) { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if names == [""] { return [] }
            return names.allSatisfy { !$0.isEmpty && $0.utf8.count <= 64 } ? Set(names) : nil
        }
    }
}

extension Setting where Value == String? {
    /// Stands in each line of open data.
    fileprivate static var licence: Setting {
        Setting(
            "NKUL_RELEASES_LICENCE", default: "", range: "1…200 characters, e.g. CC-BY-4.0, or none",
            "licence of open data; none: no open data"
        ) { text in
            if text.isEmpty { return .some(nil) }
            return text.count <= 200 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
                ? text : nil
        }
    }

    fileprivate static var baseMap: Setting {
        Setting(
            "NKUL_EXPORTER_BASE_MAP", default: "", range: "http(s)://host/…{z}…{x}…{y}…",
            "URL template of a base map, or none"
        ) { text in
            if text.isEmpty { return .some(nil) }
            guard AnalyticsExporterConfiguration.origin(of: text) != nil,
                ["{z}", "{x}", "{y}"].allSatisfy(text.contains)
            else { return nil }
            return text
        }
    }
}

extension AnalyticsExporterConfiguration {
    /// `https://host:port` of a URL template.
    static func origin(of template: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: template.hasPrefix) else { return nil }
        let host = template.dropFirst(scheme.count).prefix { $0 != "/" }
        let isPlain =
            !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:".contains($0)) }
        return isPlain ? scheme + host : nil
    }
}

extension AnalyticsExporterConfiguration {
    /// The lanes that the exporter reads, and the kinds it knows: of records that are urgent at times, and of all of them.
    ///
    /// - Parameter hasNotifier: whether the home has a notifier, whose key and deliveries are read then.
    public static func subscriptions(_ programmes: Programmes, hasNotifier: Bool) -> [LaneSubscription] {
        let urgent = programmes.kinds.map(\.kind).filter { !$0.problems.isEmpty }
        return [
            LaneSubscription(lane: .realtime, kinds: urgent),
            LaneSubscription(
                lane: .alerts,
                kinds: [
                    .alarm, .alarmHandling, .alarmTask, .endpoint, .sensorState, .siteTask, .erasureReceipt,
                ]),
            LaneSubscription(
                lane: .rollups, kinds: [.cell, .release, .releaseAtom, .releaseRound, .erasureReceipt]),
            LaneSubscription(lane: .batch, kinds: programmes.kinds.map(\.kind)),
            LaneSubscription(lane: .rewards, kinds: [.campaignDay], isRequired: false),
            LaneSubscription(
                lane: .privacy, kinds: [.erasureSubject, .erasureOrder, .retentionOrder, .accessOrder]),
        ]
            + (hasNotifier
                ? [LaneSubscription(lane: .deliveries, kinds: [.channelKey, .delivery], isRequired: false)] : [])
    }
}

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
