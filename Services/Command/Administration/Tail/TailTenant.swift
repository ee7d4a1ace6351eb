import CommandSupport
import ServiceKit

/// A tenant whose own key the home does not have: its alarms are followed at the regulator's endpoint, which tells all.
struct TailTenant {
    /// `62401`, `site/12`: what stands in its topics.
    let owners: [String]
    let isRegulator: Bool

    /// Asks the exporter, which keeps the tenants.
    ///
    /// - Throws: `ServiceError` if there is no such tenant, `ControlError` if nobody can be asked.
    static func find(_ name: String, _ control: ControlClients) async throws -> TailTenant {
        let tenants = try await control.ask(.analyticsExporter, "tenant.list").array ?? []
        let present = tenants.filter { $0["removed_at_ms"] == nil }
        guard let tenant = present.first(where: { $0["tenant"]?.string == name }) else {
            let names = present.compactMap { $0["tenant"]?.string }.joined(separator: ", ")
            throw ServiceError(.failed, "there is no tenant \(name); there are \(names)")
        }
        return TailTenant(tenant)
    }

    /// - Parameter document: of `tenant.list`.
    init(_ document: JSONValue) {
        let texts = { (member: String) in (document[member]?.array ?? []).compactMap(\.string) }
        owners = texts("plmns") + texts("scopes").map { $0.replacing(":", with: "/") }.filter { !$0.hasPrefix("plmn/") }
        isRegulator = document["regulator"] == true
    }

    /// The topics of a call that are the tenant's.
    func own(_ topics: [String]) -> [String] {
        if isRegulator { return topics }
        return topics.flatMap { topic in
            owners.compactMap { owner in
                let own = "alerts/\(owner)/"
                return topic.hasPrefix(own) ? topic : own.hasPrefix(topic) ? own : nil
            }
        }
    }
}
