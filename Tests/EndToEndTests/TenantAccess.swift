import Foundation
import PipelineTesting

/// Somebody who may look: an operator, or the regulator.
struct TenantAccess: Sendable {
    /// Token of its first contact.
    let token: String
    let alerts: AlertAccess
    /// The networks it may see; nil for the regulator, who sees all.
    let networks: Set<String>?

    /// `nkul admin tenant add`, while the services run.
    static func added(_ name: String, _ networks: Set<String>, in pack: ServicePack) throws -> TenantAccess {
        let options = networks.sorted().flatMap { ["--plmn", $0] }
        let printed = Data(try pack.answer("nkul", ["admin", "tenant", "add", name, "--json"] + options).utf8)
        let document = try JSONSerialization.jsonObject(with: printed) as? [String: Any]
        return TenantAccess(
            token: document?["token"] as? String ?? "", alerts: try AlertAccess(json: printed), networks: networks)
    }

    /// The built-in regulator, by the files in the home.
    static func regulator(of pack: ServicePack) throws -> TenantAccess {
        TenantAccess(
            token: try RawRowsPage.regulatorToken(pack), alerts: try AlertAccess.regulator(of: pack), networks: nil)
    }

    /// Whether a record is its own: by the SIM, or by the network that served it.
    func sees(_ record: ReferenceRecord) -> Bool {
        guard let networks else { return true }
        return [("mcc", "mnc"), ("serving_mcc", "serving_mnc")].contains { mcc, mnc in
            guard let country = record.number(mcc), let network = record.number(mnc) else { return false }
            return networks.contains(String(format: "%03d%02d", Int(country), Int(network)))
        }
    }
}
