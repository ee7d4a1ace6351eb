internal import Logging
internal import Models
internal import ServiceKit
internal import Storage
internal import Synchronization
internal import ZeroMQ

/// The sockets of the tenants, as the effects know them. Confined to the thread of the effects.
protocol TenantEndpoints: AnyObject {
    /// Opens what is missing and closes what is too many; a tenant that cannot be served does not stop the others.
    func settle(_ tenants: [AlertTenant])

    /// What is bound now, that of the built-in regulator included.
    var bound: [EndpointDocument] { get }

    /// Whether ``bound`` changed since it was last told on the lane, or has not been told since the start.
    var hasNews: Bool { get }

    /// What ``bound`` was is on disk and on its way.
    func announced()
}

/// The endpoints of all tenants: which are open, which cannot be and why, and what is to be announced.
///
/// A tenant whose address another program holds does not stop the others; it is tried again each second, and readiness
/// names it. Touched by the thread that builds the service, and then by that of the effects.
final class AlertEndpoints: TenantEndpoints, @unchecked Sendable {
    // Sendable: one thread at a time, the building one and then that of the effects; sockets are reached by `sockets` only.
    static let condition = "alert endpoints"
    static let retry = Duration.seconds(1)

    private struct Slot {
        let tenant: AlertTenant
        var opened: AlertEndpointOpening.Opened?
        var problem: String?

        /// Whether its sockets are the tenant's: what it owns may be other things, for they are not the sockets' concern.
        func serves(_ other: AlertTenant) -> Bool {
            tenant.number == other.number && tenant.name == other.name
                && tenant.clientPublicKey == other.clientPublicKey
        }
    }

    private let opening: AlertEndpointOpening
    private let open: Gauge
    /// The built-in regulator first, then by number.
    private var slots: [Slot]
    private var lastTry = ContinuousClock.now
    private(set) var hasNews = true

    /// Opens the built-in regulator's endpoint.
    ///
    /// - Throws: what keeps it from opening: without it the service does not start.
    init(_ opening: AlertEndpointOpening) throws {
        self.opening = opening
        open = opening.host.metrics.gauge("nkul_alert_endpoints", "Tenants whose alert endpoint is bound.")
        slots = [Slot(tenant: .regulator, opened: try opening.open(.regulator))]
        if opening.configuration.isInsecure {
            opening.host.logger.warning("alert endpoints speak clear text (NKUL_ALERTS_INSECURE)")
        }
        opening.host.readiness.declare(Self.condition)
    }

    var bound: [EndpointDocument] { slots.compactMap { $0.opened?.announcement } }

    func announced() { hasNews = false }

    func settle(_ tenants: [AlertTenant]) {
        for slot in slots.dropFirst() where !tenants.contains(where: { slot.serves($0) }) { close(slot, tenants) }
        slots = slots.filter { slot in slot.tenant == .regulator || tenants.contains { slot.serves($0) } }
        for tenant in tenants where !slots.contains(where: { $0.serves(tenant) }) {
            slots.append(Slot(tenant: tenant))
        }
        slots.sort { $0.tenant.number < $1.tenant.number }
        hasNews = true
        openMissing()
    }

    /// Tries again what could not be opened; call it about once a second.
    func tryAgain() {
        guard slots.contains(where: { $0.opened == nil }), lastTry + Self.retry <= .now else { return }
        openMissing()
    }

    /// Sends messages of a transaction that is committed, each on its tenant's endpoint; those of a tenant without one
    /// wait in the store for REPLAY.
    func publish(_ messages: [AlertMessage]) {
        let byTenant = Dictionary(grouping: messages, by: \.tenant)
        let work = slots.compactMap { slot in
            slot.opened.flatMap { opened in byTenant[slot.tenant.number].map { (opened.endpoint, $0) } }
        }
        opening.sockets.enqueue { loop in
            for (endpoint, messages) in work { endpoint.on(loop).publish(messages) }
        }
    }

    private func openMissing() {
        lastTry = .now
        for place in slots.indices where slots[place].opened == nil {
            let name = slots[place].tenant.name
            do {
                slots[place].opened = try opening.open(slots[place].tenant)
                slots[place].problem = nil
                hasNews = true
            } catch {
                let problem = "tenant \(name) has no alert endpoint: \(error)"
                if slots[place].problem != problem { opening.host.logger.error("\(problem)") }
                slots[place].problem = problem
            }
        }
        open.set(Int64(bound.count))
        let problems = slots.compactMap(\.problem)
        if problems.isEmpty {
            opening.host.readiness.hold(Self.condition)
        } else {
            opening.host.readiness.fail(Self.condition, problems.joined(separator: "; "))
        }
    }

    /// Closes an endpoint; its keys go too, unless the tenant stays and only its subscribers have another key.
    private func close(_ slot: Slot, _ tenants: [AlertTenant]) {
        if let opened = slot.opened { opening.close(opened) }
        opening.host.logger.info("alert endpoint closed", metadata: ["tenant": "\(slot.tenant.name)"])
        guard !tenants.contains(where: { $0.number == slot.tenant.number }) else { return }
        do {
            try opening.keys.remove(AlertKeys.fileName(slot.tenant.name))
        } catch {
            opening.host.logger.error("the keys of a removed tenant stay: \(error)")
        }
    }
}
