import Foundation
import PipelineTesting
import Testing

/// Services started one after the other, in any order, on a home that is new.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct StartOrderTests {
    @Test
    func `whatever the order of starts, all are ready within 10 s of the last, and no early upload is lost`() throws {
        var slowest = 0.0
        let orders = StartOrders.chosen
        for order in orders {
            let seconds = try Self.started(in: order)
            #expect(seconds <= 10, "\(order) took \(seconds) s")
            slowest = max(slowest, seconds)
        }
        print(
            "start orders: \(orders.count), at most \(Int(slowest * 1000)) ms from the last start until all were ready")
    }

    @Test
    func `the orders that are taken by default put each service first, last, and before each other`() {
        let few = StartOrders.few, names = Set(ServicePack.names)
        #expect(StartOrders.all(of: ServicePack.names).count == 720 && few.allSatisfy { Set($0) == names })
        #expect(Set(few.map { $0.first! }) == names && Set(few.map { $0.last! }) == names)
        for one in names {
            for other in names where other != one {
                #expect(few.contains { $0.firstIndex(of: one)! < $0.firstIndex(of: other)! })
            }
        }
    }

    /// Starts all, each once the one before answers; ingest gets an upload as soon as it takes one.
    ///
    /// - Returns: seconds from the last start until all are ready.
    private static func started(in order: [String]) throws -> Double {
        let pack = try ServicePack()
        let load = EarlyLoad()
        var lastStart = Date()
        for name in order {
            lastStart = Date()
            try pack.processes[name]!.start()
            guard pack.isAlive(name, within: 60) else { throw NotReady(name: name, output: pack.output(of: name)) }
            if name == "nkul-ingest" { try load.send(to: pack) }
        }
        try pack.expectReady(within: 120)
        let seconds = Date().timeIntervalSince(lastStart)
        try load.expectArrived(in: pack)
        return seconds
    }
}

/// Orders in which the services are started.
enum StartOrders {
    /// `NKUL_ORDERS`: `all` for every order there is, or how many; otherwise twelve in which each service is twice the
    /// first and twice the last, and each is before each other.
    static var chosen: [[String]] {
        guard let wanted = ProcessInfo.processInfo.environment["NKUL_ORDERS"] else { return few }
        let all = all(of: ServicePack.names)
        return wanted == "all" ? all : Array(all.prefix(max(Int(wanted) ?? 0, 1)))
    }

    /// The list and its reverse, each turned round once.
    static var few: [[String]] {
        [ServicePack.names, ServicePack.names.reversed()].flatMap { names in
            names.indices.map { Array(names[$0...] + names[..<$0]) }
        }
    }

    /// Every order of names.
    static func all(of names: [String]) -> [[String]] {
        guard names.count > 1 else { return [names] }
        return names.flatMap { first in all(of: names.filter { $0 != first }).map { [first] + $0 } }
    }
}
