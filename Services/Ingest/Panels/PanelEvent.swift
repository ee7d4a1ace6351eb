/// What a panel reports of a zone.
struct PanelEvent: Equatable {
    var zone: Int
    var isHigh: Bool
    var isTamper: Bool
    /// As the panel has it: `BA`, `1130`.
    var code: String
}

/// The data of a message, as far as they are about zones. Pure.
enum PanelData: Equatable {
    /// Zones of sensors, at least one.
    case events([PanelEvent])
    /// The panel only tries whether it is heard: nothing is kept of it.
    case test
    /// Something else, which is not kept.
    case other

    /// Events of a message at most.
    static let mostEvents = 32

    init(token: String, _ data: String) {
        switch token {
        case "ADM-CID": self = Self.contactID(data)
        case "SIA-DCS": self = Self.sia(data)
        case "NULL" where data.isEmpty: self = .test
        default: self = .other
        }
    }

    /// Ademco Contact ID (SIA DC-05): `1130 01 001`: qualifier, event, group, zone.
    private static func contactID(_ data: String) -> PanelData {
        let parts = data.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 3,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let event = Int(parts[0].dropFirst()), let zone = Int(parts[2])
        else { return .other }
        // 1: an event, 3: it is over, 6: it is still so.
        guard let qualifier = parts[0].first, "136".contains(qualifier) else { return .other }
        if (601...603).contains(event) { return .test }
        let isTamper = [137, 144, 145, 341, 383].contains(event)
        guard (100..<200).contains(event) || isTamper else { return .other }
        return .events([
            PanelEvent(
                zone: zone, isHigh: qualifier != "3", isTamper: isTamper && qualifier != "3", code: String(parts[0]))
        ])
    }

    /// SIA DC-03: `Nri1/BA01/FA02` or `Nri1BA01^KITCHEN^`: new or old, modifiers in lower case, events of two capital letters with a
    /// zone, text of people between two ^ or behind a bar or an asterisk.
    private static func sia(_ data: String) -> PanelData {
        var rest = Array(data.utf8)[...]
        guard let first = rest.popFirst(), first == UInt8(ascii: "N") || first == UInt8(ascii: "O") else {
            return .other
        }
        var events: [PanelEvent] = [], isTest = false
        while let next = rest.first, next != UInt8(ascii: "|"), next != UInt8(ascii: "*") {
            if next == UInt8(ascii: "/") {
                rest = rest.dropFirst()
                continue
            }
            let code = rest.prefix(2),
                value = rest.dropFirst(2).prefix { (48...57).contains($0) || ":.-".utf8.contains($0) }
            rest = rest[value.endIndex...]
            guard skipText(&rest), code.count == 2 else { return .other }
            // A modifier: the area, a person, a time.
            if code.allSatisfy({ (97...122).contains($0) }) { continue }
            let word = String(decoding: code, as: UTF8.self)
            if ["RP", "RX", "TX"].contains(word) {
                isTest = true
                continue
            }
            guard let isHigh = isHigh(word), (1...4).contains(value.count),
                value.allSatisfy({ (48...57).contains($0) }),
                let zone = Int(String(decoding: value, as: UTF8.self)), events.count < mostEvents
            else { return .other }
            events.append(PanelEvent(zone: zone, isHigh: isHigh, isTamper: word == "TA", code: word))
        }
        return events.isEmpty ? (isTest ? .test : .other) : .events(events)
    }

    /// Leaves out a text between two ^; false if it does not end.
    private static func skipText(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: "^") else { return true }
        guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "^")) else { return false }
        rest = rest[(end + 1)...]
        return true
    }

    /// Alarms of zones end with A, their restorals with R or H; nil if the event is about something else.
    private static func isHigh(_ code: String) -> Bool? {
        guard let what = code.first, let how = code.last, "BFGHKMPSTWZ".contains(what) else { return nil }
        if code == "BH" || code == "FH" || code == "PH" { return false }
        return how == "A" ? true : how == "R" || how == "H" ? false : nil
    }
}
