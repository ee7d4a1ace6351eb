import Administration
import Foundation
import GRDB
import IngestUploads
import Lanes
import Models
import ServiceKit
import Storage

/// Who runs the home of a run: makes backups, loses the home, and makes another of a backup, as `docs/backup.md` says.
final class SimulatedOperator {
    private let plan: HomeRestorePlan
    private let script = BackupScript()
    private let backups: SimulatedBackup
    private let home: SimulatedHome
    private let services: SimulatedServices
    private let phones: SimulatedPhones
    private unowned let simulation: Simulation
    private var ingest: SimulatedIngest { services.ingest }
    private var backup: SimulatedBackup.Made?
    /// Requests in the file of orders that is kept elsewhere.
    private var exported: Set<String> = []
    private var losses = 0
    /// No loss is planned any more.
    private(set) var isOver = false

    init(
        _ plan: HomeRestorePlan, _ home: SimulatedHome, _ services: SimulatedServices, _ phones: SimulatedPhones,
        in simulation: Simulation
    ) {
        self.plan = plan
        self.home = home
        self.services = services
        self.phones = phones
        self.simulation = simulation
        backups = SimulatedBackup(script, of: home, services, in: simulation)
    }

    /// Plans what happens to the home.
    func start(from begin: Int64) {
        let time = begin + Int64(plan.backedUpAfter)
        for milliseconds in plan.first.absent {
            simulation.timeline.at(time - Int64(simulation.random.within(1...milliseconds))) { [self] in
                simulation.random.pick(services.all).die(for: milliseconds)
            }
        }
        simulation.timeline.at(time) { [self] in try backUp(before: plan.first) }
    }

    private func backUp(before loss: HomeRestorePlan.Loss) throws {
        if let made = try backups.make(steps: plan.steps) { backup = made }
        simulation.timeline.after(simulation.random.below(loss.after)) { [self] in try export() }
        simulation.timeline.after(loss.after) { [self] in try lose(loss) }
    }

    /// Writes the orders so far into a file, as `nkul admin erasure export` does.
    private func export() throws {
        let documents = try services.privacyWorker.database.read {
            try String.fetchAll($0, sql: "SELECT document FROM erasure_orders")
        }
        let orders = try documents.map {
            try JSONDecoder().decode(ErasureOrderDocument.self, from: Data($0.utf8))
        }
        exported = Set(orders.map(\.request))
        let text = try SortedJSON.text(of: ErasureOrderList(orders, exportedAt: simulation.clock.now))
        try text.write(toFile: home.path("orders.json"), atomically: true, encoding: .utf8)
    }

    // MARK: Loss

    /// The home is lost, and another one is made of the backup.
    private func lose(_ loss: HomeRestorePlan.Loss) throws {
        guard let backup else { return isOver = true }
        losses += 1
        simulation.note(losses == 1 ? .homeRestored : .homeRestoredTwice)
        for service in services.all { service.die() }
        ingest.die()
        try simulation.episodes.look(into: services.router.database)
        try simulation.alertNumbers.restored(backup.knowledge.alerts, lost: services.lastAlerts())
        try simulation.places.restored(
            backup.knowledge.places!, lost: services.exporter.database.read { try GivenPlaces.Last($0) })
        let orders: LaterOrders, ordered: Set<String>
        switch loss.orders {
        case .previousHome: (orders, ordered) = (.previousHome(home.current), simulation.requestedErasures)
        case .exported where !exported.isEmpty: (orders, ordered) = (.file(home.path("orders.json")), exported)
        case .exported, .none: (orders, ordered) = (.none, [])
        }
        try restore(backup.file, orders, diesAt: loss.diesAt)
        try home.move()
        try goOn(from: backup.knowledge, ordered, loss)
        planSecond()
    }

    /// Runs `nkul restore`; if it is killed, what it leaves is no home, and it is run again.
    private func restore(_ file: String, _ orders: LaterOrders, diesAt step: RestoreStep?) throws {
        func run(_ reached: (RestoreStep) throws -> Void) throws {
            try script.restore(
                file, to: home.next, orders: orders, now: simulation.clock.now,
                newGeneration: { simulation.random.next() >> 1 | 1 }, reached: reached)
        }
        if let step {
            simulation.note(.restoreKilled)
            let draft = home.next.path + ".partial", left = home.path("left")
            do {
                try run {
                    guard $0 == step else { return }
                    // What is on the disk at this moment: nobody tidies up after a process that is killed.
                    try FileManager.default.copyItem(atPath: draft, toPath: left)
                    throw SimulatedCrash()
                }
            } catch is SimulatedCrash { try FileManager.default.moveItem(atPath: left, toPath: draft) }
            guard !FileManager.default.fileExists(atPath: home.next.path) else {
                throw SimulationFailure("a restore that was killed left a home")
            }
        }
        try run { _ in }
    }

    // MARK: After a restore

    /// Everything is as it was at the backup, but that what was ordered since is to be erased again.
    private func goOn(from knowledge: BackedUpKnowledge, _ ordered: Set<String>, _ loss: HomeRestorePlan.Loss) throws {
        let known = knowledge.ingest!, lost = simulation.model
        simulation.model = known.model
        simulation.feedbackBlocks = known.feedbackBlocks
        simulation.payoutBlocks = known.payoutBlocks
        let forgotten = simulation.requestedErasures.subtracting(known.erasures).subtracting(ordered)
        if !forgotten.isEmpty { simulation.note(.orderedSinceForgotten) }
        simulation.requestedErasures = known.erasures
        let devices = eraseAgain(ordered.subtracting(known.erasures), known.devices)
        let kept = Set(simulation.model.rows.map { "\($0.device) \($0.id)" })
        simulation.lostRows.formUnion(lost.rows.map { "\($0.device) \($0.id)" })
        simulation.lostRows.subtract(kept)
        if !simulation.lostRows.isEmpty { simulation.note(.recordsLost) }
        try ingest.move(to: known, known: devices, after: simulation.random.below(1500), dyingAfter: death(loss, 12))
        for reader in services.all {
            let known = reader.service.flatMap { knowledge.readers[$0] } ?? .init()
            try reader.move(to: known, after: simulation.random.below(2500), dyingAfter: death(loss, 3))
        }
        try simulation.episodes.restored(services.router.database)
        try services.rewards.goBack(to: knowledge.rewards!, in: services.dispatcher.database)
        services.operators.goBack(to: knowledge.operators!)
        phones.sendAgain(kept: plan.kept)
        simulation.timeline.after(simulation.random.below(1500)) { [self] in try backUpHalf() }
    }

    /// After how many commits a service dies again; ingest has the most to do before it listens.
    private func death(_ loss: HomeRestorePlan.Loss, _ commits: Int) -> Int? {
        simulation.random.chance(loss.crashes) ? simulation.random.below(commits) : nil
    }

    /// Tells the model what was ordered since the backup, in the order of the requests.
    ///
    /// - Returns: the devices that are left.
    private func eraseAgain(_ requests: Set<String>, _ devices: [UInt64: DeviceIdentity]) -> [UInt64: DeviceIdentity] {
        var devices = devices
        let taken = requests.compactMap { request in simulation.takenErasures[request].map { (request, $0) } }
        for (request, one) in taken.sorted(by: { ($0.1.at, $0.0) < ($1.1.at, $1.0) }) {
            // Nothing is there of a device that enrolled since, or that is erased as a whole.
            guard devices[one.device] != nil else { continue }
            simulation.model.erase(device: Int(one.device), one.erasure, now: one.at)
            if one.erasure.isEverything { devices[one.device] = nil }
            simulation.requestedErasures.insert(request)
            simulation.note(.orderedSinceErasedAgain)
        }
        return devices
    }

    /// A home whose services have not all taken their restore in is not to be backed up.
    private func backUpHalf() throws {
        let all = services.all.filter { $0.service != nil }
        let isUntouched = ingest.life == ingest.livesBefore || all.contains { $0.life == $0.livesBefore }
        let isWhole = ingest.hasTakenIn && all.allSatisfy(\.hasTakenIn)
        do {
            _ = try backups.make(steps: 0)
            guard !isUntouched else { throw SimulationFailure("a half restored home was backed up") }
        } catch let error as ServiceError {
            guard !isWhole else { throw SimulationFailure("a restored home is not backed up: \(error)") }
            simulation.note(.halfRestoredHomeRefused)
        }
    }

    private func planSecond() {
        guard losses == 1, let second = plan.second else { return isOver = true }
        guard !plan.isSameBackup else {
            simulation.note(.sameBackupRestoredAgain)
            simulation.timeline.after(second.after) { [self] in try lose(second) }
            return
        }
        simulation.timeline.after(simulation.random.within(1000...2500)) { [self] in try backUpWhole(before: second) }
    }

    /// Makes a backup as soon as all services have started since the restore.
    private func backUpWhole(before loss: HomeRestorePlan.Loss) throws {
        do { try backUp(before: loss) } catch is ServiceError {
            simulation.timeline.after(500) { [self] in try backUpWhole(before: loss) }
        }
    }
}
