import Foundation
import GRDB
import IngestCommands
import Models
import RewardDispatcher
import Storage

/// How phones say where rewards go, sealed as the edge seals it, until that is heard; and whether the dispatcher knows it.
final class SimulatedPayouts {
    /// The same in all runs.
    static let keys = try! PayoutKeys(
        current: [UInt8](repeating: 7, count: 32), storing: [UInt8](repeating: 9, count: 32))

    private unowned let simulation: Simulation
    private let ingest: SimulatedIngest
    private let services: SimulatedServices
    private let phones: SimulatedPhones
    private let wishes: [PayoutPlan.Wish]
    /// Wishes that were heard, by their places.
    private var heard: Set<Int> = []

    init(
        _ phones: SimulatedPhones, _ services: SimulatedServices, _ ingest: SimulatedIngest,
        in simulation: Simulation
    ) {
        self.simulation = simulation
        self.ingest = ingest
        self.services = services
        self.phones = phones
        wishes = simulation.payouts?.wishes ?? []
    }

    /// True once nothing waits for an answer.
    var areHeard: Bool { heard.count == wishes.count }

    func start() {
        for place in wishes.indices {
            simulation.timeline.after(Int(wishes[place].at)) { [self] in give(place) }
        }
    }

    private func give(_ place: Int) {
        guard !heard.contains(place) else { return }
        let wish = wishes[place]
        if let device = phones.device(of: wish.phone) {
            simulation.timeline.after(1 + simulation.pause()) { [self] in
                if ingest.isStranger(device) { return phones.enrolAgain(wish.phone, insteadOf: device) }
                // Nobody has heard of the dispatcher's key yet.
                guard let key = try publishedKey(), let number = PayoutNumber(phone: wish.number, operator: "62401")
                else { return }
                let change = try PayoutChange(number, of: device, to: key, signedAt: nil)
                ingest.take(
                    .payout(device, change, number) { [self] in
                        phones.hear { [self] in heard.insert(place) }
                    })
            }
        }
        simulation.timeline.after(simulation.random.within(800...2500)) { [self] in give(place) }
    }

    /// The key that the dispatcher has published, as far as ingest's copies have it.
    private func publishedKey() throws -> PayoutKeyDocument? {
        let document = try services.copies.database.read { db in
            try Data.fetchOne(
                db, sql: "SELECT document FROM documents WHERE kind = ?", arguments: [Int(RecordKind.payoutKey.id)])
        }
        return try document.map { try JSONDecoder().decode(PayoutKeyDocument.self, from: $0) }
    }
}

extension SimulatedServices {
    /// False if the dispatcher was told that it missed numbers, or joined behind them.
    func haveHeardNumbers(_ simulation: Simulation) -> Bool {
        let unheard = simulation.payoutBlocks.subtracting(rewards.appliedBlocks[.requests] ?? [])
        let missed = dispatcher.missed[.requests] ?? [], first = dispatcher.firstCursors[.requests] ?? .max
        return unheard.allSatisfy { $0 > first && !missed.contains($0) }
    }

    /// The dispatcher knows the last number of each device, and none that was withdrawn or erased.
    func comparePayouts(_ simulation: Simulation) throws {
        guard simulation.payouts != nil else { return }
        let rows = try dispatcher.database.read { db in
            try Row.fetchAll(db, sql: "SELECT device, sealed FROM payouts")
        }
        var kept: [Int: String] = [:]
        for row in rows {
            let device: Int = row[0]
            kept[device] = try SimulatedPayouts.keys.number([UInt8](row[1] as Data), of: UInt64(device))?.phone
        }
        let model = simulation.model, expected = model.payouts.compactMapValues(\.phone)
        let strange = kept.first { model.payouts[$0.key]?.given.contains($0.value) != true }
        guard strange == nil, kept == expected || !haveHeardNumbers(simulation) else {
            throw SimulationFailure("the dispatcher pays to \(kept), not to \(expected)")
        }
    }
}
