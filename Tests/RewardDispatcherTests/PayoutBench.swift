import Foundation
import Lanes
import Models
import Storage
import Wire

@testable import RewardDispatcher

/// Payout numbers as ingest would seal them and put them on the requests lane.
struct PayoutBench {
    let keys: PayoutKeys
    private var number: UInt64 = 0

    init(_ keys: PayoutKeys) { self.keys = keys }

    /// A document sealed to a key for a device.
    static func sealed(_ phone: String, for device: UInt64, to key: PayoutKeyDocument) throws -> PayoutDocument {
        let clear = Array(#"{"phone":"\#(phone)","operator":"62401"}      "#.utf8)
        let sealed = try RecipientSeal.seal(
            clear, to: [UInt8](Data(base64Encoded: key.publicKey)!), purpose: PayoutDocument.purpose,
            additional: PayoutDocument.additional(device: device))
        return PayoutDocument(key: key.id, sealed: Data(sealed).base64EncodedString())
    }

    /// A block with a number of each device; nil withdraws it.
    mutating func block(_ numbers: [(device: UInt64, phone: String?)]) throws -> LaneBlock {
        try block(
            documents: numbers.map { device, phone in
                (
                    device,
                    try phone.map { try Self.sealed($0, for: device, to: keys.document) }
                        ?? PayoutDocument(key: nil, sealed: nil)
                )
            })
    }

    mutating func block(documents: [(device: UInt64, document: PayoutDocument)]) throws -> LaneBlock {
        number += 1
        let columns = Columns(
            rowCount: documents.count,
            columns: [
                Column(id: ColumnID.device, values: documents.map { Int64($0.device) }),
                Column(id: ColumnID.receivedAt, values: documents.map { _ in RewardBench.start + Int64(number) }),
                Column(
                    id: ColumnID.document, strings: try documents.map { Array(try JSONEncoder().encode($0.document)) }),
            ])
        return try Given.block(number, .payout, columns, on: .requests, at: RewardBench.start)
    }
}
