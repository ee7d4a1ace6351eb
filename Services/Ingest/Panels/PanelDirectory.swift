internal import Alarms
internal import Foundation
package import IngestAPI
package import Models
internal import Synchronization

/// Which sensor a panel means by a zone of its account, and in the name of which device its events are stored. Thread-safe.
package final class PanelDirectory: Sendable {
    /// What a zone is.
    struct Zone: Equatable {
        let site: Int64
        let sensor: Int64
        let device: Int64
    }

    private struct Known {
        var asOf: UnixMilliseconds?
        var zones: [PanelZone: Zone] = [:]
        var accounts: Set<String> = []
    }

    /// Documents and when the last change of them was committed; nil if they are of the moment that is known.
    package typealias Documents =
        @Sendable (_ known: UnixMilliseconds?) async throws -> (
            asOf: UnixMilliseconds?, sites: [[UInt8]], sensors: [[UInt8]]
        )?

    private let documents: Documents
    private let known = Mutex(Known())

    package init(_ documents: @escaping Documents) { self.documents = documents }

    package convenience init(_ copies: CopiesReader) { self.init { try await copies.sites(unless: $0) } }

    /// Whether a sensor has the account, and what the zone is.
    func find(_ account: String, zones: [Int]) async throws -> (isKnown: Bool, zones: [Zone?]) {
        if let read = try await documents(known.withLock { $0.asOf }) { replace(read) }
        return known.withLock { known in
            (
                known.accounts.contains(account),
                zones.map { known.zones[PanelZone(account: account, zone: $0)] }
            )
        }
    }

    private func replace(_ read: (asOf: UnixMilliseconds?, sites: [[UInt8]], sensors: [[UInt8]])) {
        var new = Known(asOf: read.asOf)
        let sites = read.sites.compactMap { try? JSONDecoder().decode(SiteDocument.self, from: Data($0)) }
        let panels = Dictionary(sites.compactMap { site in site.panel.map { (site.id, $0) } }) { first, _ in first }
        for document in read.sensors {
            guard let sensor = try? JSONDecoder().decode(SensorDocument.self, from: Data(document)),
                let zone = sensor.panel
            else { continue }
            new.accounts.insert(zone.account)
            guard let device = panels[sensor.site] else { continue }
            new.zones[zone] = Zone(site: sensor.site, sensor: sensor.id, device: device)
        }
        known.withLock { $0 = new }
    }
}
