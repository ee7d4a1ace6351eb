import Foundation
import Lanes
import Models
import Wire
import ZeroMQ

@testable import AlertRouter

/// Tenants as the exporter would put them on the lane, each with its subscribers' key pair.
struct Added {
    var document: TenantDocument
    let pair: CurveKeyPair

    init(
        _ name: String, _ number: Int64, _ plmns: [String], scopes: [String]? = nil, isRegulator: Bool = false
    ) throws {
        pair = try CurveKeyPair.generate()
        document = TenantDocument(
            name: name, plmns: plmns, scopes: scopes, isRegulator: isRegulator, showsOriginalIDs: false,
            number: number, clientPublicKey: pair.publicKey)
    }

    var tenant: AlertTenant { AlertTenant(document) }

    /// What `tenant add` would print of it, as keys that a subscriber opens sockets by.
    func keys(at announced: EndpointDocument) -> AlertKeys {
        AlertKeys(
            tenant: document.name, number: nil, curve: announced.curve, serverPublicKey: announced.serverPublicKey,
            serverSecretKey: "", clientPublicKey: pair.publicKey, clientSecretKey: pair.secretKey,
            alertsPub: announced.alertsPub, alertsReplay: announced.alertsReplay)
    }

    /// Rows of the lane: tenants that are put, and names that are removed.
    static func columns(_ put: [Added], removed: [String] = []) throws -> Columns {
        let names = put.map(\.document.name) + removed
        let documents = try put.map { Array(try JSONEncoder().encode($0.document)) } + removed.map { _ in nil }
        return Columns(
            rowCount: names.count,
            columns: [
                Column(id: ColumnID.key, strings: names.map { Array($0.utf8) }),
                Column(id: ColumnID.document, strings: documents),
            ])
    }

    static func block(_ number: UInt64, _ put: [Added], removed: [String] = []) throws -> LaneBlock {
        try LaneBlock(.operations, number, .tenant, columns(put, removed: removed))
    }
}
