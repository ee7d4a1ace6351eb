internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import ServiceKit
internal import Wire

/// Where rewards go: takes numbers as the edge sealed them, keeps them encrypted, hands one out for a payment.
///
/// Confined to the thread of the effects, in their transactions.
struct PayoutBook {
    /// What a block of numbers did.
    struct Taken {
        var kept = 0
        var removed = 0
        /// Sealed to a key that is not here, or for another device.
        var unreadable = 0
        /// Devices whose number changed.
        var devices: [UInt64] = []
    }

    /// Why a grant that is due is not paid yet.
    enum Hold {
        /// Too many devices have its number.
        case shared(String, until: UnixMilliseconds)
        /// Its number was paid to a moment ago.
        case paced(String, until: UnixMilliseconds)
        /// Its device has not said where rewards go; it is looked at at once when it does.
        case unaddressed(until: UnixMilliseconds)

        var event: RewardDispatcherCore.Event {
            switch self {
            case .shared(let reason, let until), .paced(let reason, let until): .held(reason, until: until)
            case .unaddressed(let until): .held("no payout number was given", until: until)
            }
        }
    }

    private let keys: PayoutKeys
    private let mostDevices: Int
    private let gap: UnixMilliseconds
    private let needsNumber: Bool
    private let store = PayoutStore()

    /// - Parameters:
    ///   - mostDevices: devices to whom one number may pay; those that gave it first.
    ///   - gap: least time between two orders to pay to one number.
    ///   - needsNumber: whether a device that has given none waits.
    init(_ keys: PayoutKeys, mostDevices: Int, gap: UnixMilliseconds, needsNumber: Bool) {
        self.needsNumber = needsNumber
        self.keys = keys
        self.mostDevices = mostDevices
        self.gap = gap
    }

    /// Takes the rows of a block of kind `payout`.
    func take(_ columns: Columns, committedAt: UnixMilliseconds, _ db: Database) throws -> Taken {
        var taken = Taken()
        let device = columns[ColumnID.device], received = columns[ColumnID.receivedAt]
        let document = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let device = device?.integer(row).map(UInt64.init(bitPattern:)), let text = document?.value(row),
                let payout = try? JSONDecoder().decode(PayoutDocument.self, from: Data(text))
            else {
                taken.unreadable += 1
                continue
            }
            if payout.sealed == nil {
                try store.remove(of: device, db)
                taken.removed += 1
            } else if let number = keys.open(payout, of: device) {
                try store.put(
                    keys.keep(number, of: device), mark: keys.mark(number), of: device,
                    at: received?.integer(row) ?? committedAt, db)
                taken.kept += 1
            } else {
                taken.unreadable += 1
                continue
            }
            taken.devices.append(device)
        }
        return taken
    }

    /// Why a device is not paid for the time being, and until when; nil if it may be.
    func hold(_ device: UInt64, now: UnixMilliseconds, _ db: Database) throws -> Hold? {
        if try store.predecessors(of: device, db) >= mostDevices {
            return .shared(
                "held: \(mostDevices) other devices gave this payout number before",
                until: now + RewardDispatcherCore.holdPause)
        }
        if needsNumber, try store.mark(of: device, db) == nil {
            return .unaddressed(until: now + RewardDispatcherCore.holdPause)
        }
        // A clock that was set back does not make the pause longer.
        guard let paidAt = try store.paidAt(numberOf: device, db), paidAt <= now, now < paidAt + gap else { return nil }
        return .paced("this payout number was paid to less than \(gap / 1_000) s ago", until: paidAt + gap)
    }

    /// An order to pay to a device's number is given now.
    func notePayment(to device: UInt64, now: UnixMilliseconds, _ db: Database) throws {
        try store.notePayment(toNumberOf: device, at: now, db)
    }

    /// Where a device's rewards go; nil if it has not said.
    func number(of device: UInt64, _ db: Database) throws -> PayoutNumber? {
        try store.sealed(of: device, db).flatMap { try keys.number($0, of: device) }
    }

    /// Tells the edge which key to seal to, unless it was told.
    func publish(_ emit: inout Emission, _ db: Database) throws {
        guard try store.publishedKey(db) != keys.document.id else { return }
        try emit.append(
            to: .rewards, kind: .payoutKey,
            columns: Columns(
                rowCount: 1,
                columns: [
                    Column(id: ColumnID.key, strings: [Array("current".utf8)]),
                    Column(id: ColumnID.document, strings: [try SortedJSON.bytes(of: keys.document)]),
                ]))
        try store.published(keys.document.id, db)
    }
}
