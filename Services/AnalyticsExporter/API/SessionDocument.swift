internal import ExporterSupport
internal import Hummingbird
package import Models
internal import NIOCore
internal import QoE
internal import ServiceKit

/// What a browser that is logged in learns about this server: who it is, and what it may choose from.
package struct SessionDocument: Sendable {
    private struct Content: Encodable {
        struct Operator: Encodable {
            let plmn: String
            let name: String
        }

        let tenant: String
        let regulator: Bool
        let contact: String
        let role: ContactRole
        /// Contacts of the tenant who may have alarms.
        let contacts: [String]
        let now_ms: Int64
        /// `recording`: `now_ms` runs `clock_speed` times as fast as the system's clock.
        let clock: ClockMode
        let clock_speed: Double
        let time_zone: String
        let metrics: [String]
        let technologies: [String]
        let operators: [Operator]
        /// Those of which there may be released figures, for whomever.
        let networks: [Operator]
        let base_map: String?
    }

    private struct State: Encodable {
        let logged_in: Bool
        let now_ms: Int64
        let clock: ClockMode
        let clock_speed: Double
    }

    let timeZone: String
    let operators: [(plmn: PLMN, name: String)]
    /// URL template of a base map; nil: none.
    let baseMap: String?

    package init(timeZone: String, operators: [(plmn: PLMN, name: String)], baseMap: String?) {
        self.timeZone = timeZone
        self.operators = operators
        self.baseMap = baseMap
    }

    /// - Parameter contacts: of the caller's tenant, those who may do more than look.
    func response(of caller: Caller, contacts: [String], clock: WallClock) throws -> Response {
        let content = Content(
            tenant: caller.tenant.name, regulator: caller.tenant.isRegulator, contact: caller.contact,
            role: caller.role, contacts: contacts,
            now_ms: clock.now(), clock: clock.mode, clock_speed: clock.speed, time_zone: timeZone,
            metrics: HeatmapQuery.metrics(of: .qoe).map(\.name), technologies: Technology.allCases.map(\.name),
            operators: offered(to: caller.tenant, operators.filter { caller.tenant.scope.contains($0.plmn) }),
            networks: offered(to: caller.tenant, operators), base_map: baseMap)
        return try Self.json(content)
    }

    /// Networks to choose from: some of the settings, and the caller's own that these do not name.
    private func offered(to tenant: Tenant, _ named: [(plmn: PLMN, name: String)]) -> [Content.Operator] {
        let others = tenant.networks.subtracting(named.map(\.plmn)).sorted()
        return named.map { .init(plmn: $0.plmn.text, name: $0.name) }
            + others.map { .init(plmn: $0.text, name: $0.text) }
    }

    /// Whether somebody is logged in, and the server's time: what the page asks first and again and again, answered 200
    /// either way.
    func state(isOpen: Bool, clock: WallClock) throws -> Response {
        let state = State(logged_in: isOpen, now_ms: clock.now(), clock: clock.mode, clock_speed: clock.speed)
        return try Self.json(state)
    }

    private static func json(_ document: some Encodable) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: document))))
    }
}
