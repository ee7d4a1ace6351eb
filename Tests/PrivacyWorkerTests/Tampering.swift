import Models

@testable import PrivacyWorker

/// A log and its head in the hands of somebody who changes them; every change is one.
struct Tampering {
    static let kinds = 8
    var entries: [AuditEntry]
    var head: AuditHead

    init(_ entries: [AuditEntry], _ head: AuditHead) {
        self.entries = entries
        self.head = head
    }

    /// Does one thing at random and says what.
    mutating func tamper(_ dice: inout SplitMix64) -> String {
        let place = dice.below(entries.count)
        switch dice.below(Self.kinds) {
        case 0:
            edit(place, &dice)
            return "edit"
        case 1:
            entries.remove(at: place)
            return "removal"
        case 2:
            entries.removeLast(1 + dice.below(entries.count))
            return "truncation"
        case 3 where entries.count > 1:
            let other = (place + 1 + dice.below(entries.count - 1)) % entries.count
            entries.swapAt(place, other)
            return "exchange"
        case 4 where entries.count > 1:
            let other = (place + 1 + dice.below(entries.count - 1)) % entries.count
            exchangeContent(place, other)
            return "exchange of content"
        case 5:
            entries.insert(entries[place], at: dice.below(entries.count + 1))
            return "repetition"
        case 6:
            head.hash[dice.below(32)] ^= UInt8(1 << dice.below(8))
            return "hash of the head"
        default:
            head.signature[dice.below(64)] ^= UInt8(1 << dice.below(8))
            return "signature"
        }
    }

    private mutating func edit(_ place: Int, _ dice: inout SplitMix64) {
        switch dice.below(8) {
        case 0: entries[place].number += 1
        case 1: entries[place].at -= 1
        case 2: entries[place].actor += "x"
        case 3: entries[place].action = "consent.withdrawn"
        case 4: entries[place].subject = []
        case 5: entries[place].detail += " "
        case 6: entries[place].previous[dice.below(32)] ^= 1
        default: entries[place].hash[dice.below(32)] ^= 1
        }
    }

    /// What two entries say changes places; their numbers and hashes stay.
    private mutating func exchangeContent(_ one: Int, _ other: Int) {
        let (first, second) = (entries[one], entries[other])
        (entries[one].at, entries[other].at) = (second.at, first.at)
        (entries[one].subject, entries[other].subject) = (second.subject, first.subject)
        (entries[one].detail, entries[other].detail) = (second.detail, first.detail)
    }
}
