import Foundation
import Lanes
import Models
import Storage
import SubjectRights
import Wire

/// Orders of erasures and what becomes of them, for an exporter under test.
extension TestLane {
    /// The block by which the privacy worker tells whom erasures are about.
    mutating func subjects(_ subjects: [ErasureSubject]) throws -> LaneBlock {
        try block(kind: .erasureSubject, ErasureSubject.columns(subjects))
    }

    mutating func receipt(of service: String, for request: String) throws -> LaneBlock {
        let receipt = ErasureReceiptDocument(
            request: request, subject: "ab", service: service, barriers: [], removed: 0, signedAt: 0, keyID: "")
        return try block(kind: .erasureReceipt, .documents([("\(request)/\(service)", receipt)]))
    }

    mutating func orders(_ orders: [ErasureOrderDocument]) throws -> LaneBlock {
        try block(kind: .erasureOrder, .documents(orders.map { ($0.request, $0) }))
    }
}

extension ErasureSubject {
    /// A subject whose records have all come.
    static func of(_ device: UInt64, _ scope: ErasureScope = .everything, request: String = "r1") -> ErasureSubject {
        ErasureSubject(
            device: device,
            document: ErasureSubjectDocument(request: request, subject: "ab", scope: scope, barriers: []))
    }
}

/// The lanes by which an exporter learns of erasures; a value outlives the exporters of a test.
struct TestOrders {
    var privacy = TestLane(.privacy)
    var alerts = TestLane(.alerts)
    var rollups = TestLane(.rollups)

    /// Where alerts and rollups have a block already.
    static func behindFirst() throws -> TestOrders {
        var orders = TestOrders()
        _ = try (orders.alerts.receipt(of: "x", for: "x"), orders.rollups.receipt(of: "x", for: "x"))
        return orders
    }

    /// The order, and the receipts of those who are waited for.
    mutating func blocks(_ subjects: [ErasureSubject]) throws -> [LaneBlock] {
        var blocks = [try privacy.subjects(subjects)]
        for request in subjects.map(\.request) {
            blocks.append(try alerts.receipt(of: "alert-router", for: request))
            blocks.append(try rollups.receipt(of: "batch-aggregator", for: request))
        }
        return blocks
    }
}

extension TestExporter {
    /// Steps until there is nothing to do; true if the last receipt is for the request.
    @discardableResult
    func settle(atMost steps: Int = 500) throws -> Int {
        var done = 0
        while done < steps, effectsAreDue {
            try take([])
            done += 1
        }
        return done
    }

    private var effectsAreDue: Bool { worker.nextTick.map { $0 <= clock.now } ?? false }

    /// Orders erasures and has them executed.
    func erase(_ subjects: [ErasureSubject], _ orders: inout TestOrders) throws {
        try take(try orders.blocks(subjects))
        try settle()
    }
}
