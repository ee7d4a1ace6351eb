internal import Channels
internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import NotifierMessages
internal import Wire

/// A transaction's blocks, in the hands of the handlers.
struct NotifierReading {
    var alarms: [(alarm: AlarmFact, networks: Set<PLMN>)] = []
    /// What changed about the handling of alarms, in the order of the lane; nil is handling that is gone.
    var cares: [(alarm: String, tenant: String, care: AlarmCare?)] = []
    /// Channels that are new or other than before; all if tenants changed.
    var channels: Set<String> = []
    var removed: Set<String> = []
    var hasNewTenants = false
    /// One-time codes that contacts are to be told.
    var codes: [LoginCodeDocument] = []
    /// Where subscribers' browsers are, and what they are to be asked, in the order of the lane.
    var pushed: [(device: UInt64, change: Pushed)] = []
    var unreadable = 0

    enum Pushed {
        case subscription(PushDocument)
        case question(PushPromptDocument)
    }

    static let handlers = EffectHandlers<NotifierReading>(
        "notifier",
        [
            .tenant: { reading, block, transaction in
                for (key, document) in keyed(block.columns) {
                    try ChannelStore(transaction.db).put(tenant: key, document)
                    reading.hasNewTenants = true
                }
            },
            .channel: { reading, block, transaction in
                for (key, document) in keyed(block.columns) {
                    let store = ChannelStore(transaction.db)
                    if let document {
                        guard try store.put(key, document) else { continue }
                        reading.channels.insert(key)
                        reading.removed.remove(key)
                    } else {
                        try store.remove(key)
                        reading.channels.remove(key)
                        reading.removed.insert(key)
                    }
                }
            },
            .push: { reading, block, _ in
                take(PushDocument.self, block.columns, &reading) { .subscription($0) }
            },
            .pushPrompt: { reading, block, _ in
                take(PushPromptDocument.self, block.columns, &reading) { .question($0) }
            },
            .loginCode: { reading, block, _ in
                for (_, document) in keyed(block.columns) {
                    guard let document else { continue }
                    guard let code = try? JSONDecoder().decode(LoginCodeDocument.self, from: Data(document)) else {
                        reading.unreadable += 1
                        continue
                    }
                    reading.codes.append(code)
                }
            },
            .alarm: { reading, block, transaction in
                let networks = block.columns[ColumnID.networks]
                for (row, (key, document)) in keyed(block.columns).enumerated() {
                    guard let document else {
                        try AlarmStore(transaction.db).remove(key)
                        continue
                    }
                    guard let alarm = AlarmFact(document) else {
                        reading.unreadable += 1
                        continue
                    }
                    var all = AlarmStore.networks(
                        networks?.value(row).map { String(decoding: $0, as: UTF8.self) } ?? "")
                    if let owner = alarm.owner, owner.scheme == Scope.plmn, owner.number > 0 {
                        all.insert(PLMN(rawValue: owner.number))
                    }
                    reading.alarms.append((alarm, all))
                }
            },
            .alarmHandling: { reading, block, _ in
                for (key, document) in keyed(block.columns) {
                    guard let slash = key.lastIndex(of: "/") else {
                        reading.unreadable += 1
                        continue
                    }
                    let alarm = String(key[..<slash]), tenant = String(key[key.index(after: slash)...])
                    guard let document else {
                        reading.cares.append((alarm, tenant, nil))
                        continue
                    }
                    guard let handling = try? JSONDecoder().decode(AlarmHandling.self, from: Data(document)) else {
                        reading.unreadable += 1
                        continue
                    }
                    reading.cares.append((alarm, tenant, AlarmCare(handling)))
                }
            },
        ])

    /// Rows that devices have asked for; those of nobody are of an erased device.
    private static func take<Document: Decodable>(
        _ type: Document.Type, _ columns: Columns, _ reading: inout NotifierReading, _ change: (Document) -> Pushed
    ) {
        let devices = columns[ColumnID.device], documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let device = devices?.integer(row).map(UInt64.init(bitPattern:)), let bytes = documents?.value(row)
            else { continue }
            guard let document = try? JSONDecoder().decode(type, from: Data(bytes)) else {
                reading.unreadable += 1
                continue
            }
            reading.pushed.append((device, change(document)))
        }
    }

    /// Rows of a state lane; nil is a key that is gone.
    private static func keyed(_ columns: Columns) -> [(key: String, document: [UInt8]?)] {
        let keys = columns[ColumnID.key], documents = columns[ColumnID.document]
        return (0..<columns.rowCount).map { row in
            (
                keys?.value(row).map { String(decoding: $0, as: UTF8.self) } ?? "",
                documents?.value(row).map { Array($0) }
            )
        }
    }
}
