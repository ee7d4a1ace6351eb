import AlarmRules
import Models

/// The rules of counts and shares, told again as simply as they can be: every minute everything is counted anew.
struct RuleOracle {
    let isCount: Bool
    let window, holdSet, holdClear: Int
    let set, clear: Double
    let least: Int
    let steps: [(devices: Int, severity: Severity)]

    struct Said { let minute: Int, device: UInt32, isBad: Bool }

    func episodes(_ rows: [WorldRow], level: Int) -> Set<EpisodeEnd> {
        var by: [String: [Said]] = [:]
        var names: [String: (Int64, String)] = [:]
        for row in rows {
            let said: Bool
            if isCount {
                guard row.value != nil || row.row.hasNetwork else { continue }
                said = row.value == 2
            } else {
                guard let value = row.value else { continue }
                said = value > 5_000
            }
            let subject = row.row.place!.parent(at: level).text, name = "\(row.row.owner) \(subject)"
            names[name] = (row.row.owner, subject)
            let minute = Int((row.row.eventAt - RuleWorld.start) / 60_000)
            by[name, default: []].append(Said(minute: minute, device: row.row.device, isBad: said))
        }
        return Set(by.flatMap { name, said in episodes(said, names[name]!.0, names[name]!.1) })
    }

    private func episodes(_ said: [Said], _ owner: Int64, _ subject: String) -> [EpisodeEnd] {
        var ends: [EpisodeEnd] = []
        var lastClear = Int.min / 2, setSince: Int?, clearSince: Int?
        var open: (raised: Int, peak: Int, devices: Set<UInt32>)?
        let last = said.map(\.minute).max()! + window + holdClear + 2
        for minute in 0...last {
            let inside = said.filter { $0.minute <= minute && $0.minute > minute - window }
            let bad = Set(inside.filter { $0.isBad && $0.minute > lastClear }.map(\.device))
            let all = Set(inside.map(\.device))
            let badNow = all.filter { device in
                let own = inside.filter { $0.device == device }, latest = own.map(\.minute).max()!
                return own.contains { $0.minute == latest && $0.isBad }
            }.count
            let share = all.isEmpty ? 0 : Double(badNow) / Double(all.count)
            let isSet = isCount ? bad.count >= Int(set) : all.count >= least && share >= set
            let isClear = isCount ? badNow <= Int(clear) : share <= clear
            let devices = isCount ? bad.count : badNow
            if open == nil {
                setSince = isSet ? setSince ?? minute : nil
                guard let since = setSince, minute - since >= holdSet else { continue }
                setSince = nil
                open = (minute, devices, bad)
            } else {
                open!.peak = max(open!.peak, devices)
                open!.devices.formUnion(bad)
                clearSince = isClear ? clearSince ?? minute : nil
                guard let since = clearSince, minute - since >= holdClear else { continue }
                ends.append(end(open!, owner, subject, ends.count + 1, cleared: minute))
                (open, clearSince, lastClear) = (nil, nil, minute)
            }
        }
        if let open { ends.append(end(open, owner, subject, ends.count + 1, cleared: nil)) }
        return ends
    }

    private func end(
        _ open: (raised: Int, peak: Int, devices: Set<UInt32>), _ owner: Int64, _ subject: String, _ number: Int,
        cleared: Int?
    ) -> EpisodeEnd {
        EpisodeEnd(
            owner: owner, subject: subject, number: Int64(number), raised: Int64(open.raised),
            cleared: cleared.map(Int64.init),
            severity: steps.last { $0.devices <= open.peak }?.severity ?? steps[0].severity,
            devices: max(open.peak, open.devices.count))
    }
}
