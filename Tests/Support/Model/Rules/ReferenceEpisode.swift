/// From when a rule finds something until it finds it no longer, in minutes of 1970.
struct ReferenceEpisode: Equatable {
    var raised: Int
    var cleared: Int?
    /// Most devices at a time, and all that said something bad in it.
    var peak = 0
    var devices: Set<Int> = []

    var count: Int { max(peak, devices.count) }
}

/// What devices said about one subject, counted anew each minute.
struct ReferenceWindow {
    struct Word {
        let minute: Int, device: Int, isBad: Bool
    }

    let rule: ReferenceRule
    let words: [Word]
    /// Minutes in which anybody was heard: nothing clears where nobody was for ten minutes.
    let heard: Set<Int>

    /// The episodes that are known when all minutes up to one are.
    func episodes(through last: Int) -> [ReferenceEpisode] {
        var found: [ReferenceEpisode] = [], open: ReferenceEpisode?
        var setSince: Int?, clearSince: Int?, clearedAt = Int.min / 2
        guard var minute = words.map(\.minute).min() else { return [] }
        let end = min(last, words.map(\.minute).max()! + rule.window + rule.holdSet + rule.holdClear + 12)
        while minute <= end {
            let now = look(at: minute, since: clearedAt)
            if open != nil {
                open!.peak = max(open!.peak, now.devices)
                open!.devices.formUnion(now.bad)
                let isQuiet = !(0..<10).contains { heard.contains(minute - $0) }
                clearSince = now.isClear && !isQuiet ? clearSince ?? minute : nil
                if let since = clearSince, minute - since >= rule.holdClear {
                    open!.cleared = minute
                    found.append(open!)
                    (open, clearSince, clearedAt) = (nil, nil, minute)
                }
            } else {
                setSince = now.isSet ? setSince ?? minute : nil
                if let since = setSince, minute - since >= rule.holdSet {
                    setSince = nil
                    open = ReferenceEpisode(raised: minute, peak: now.devices, devices: now.bad)
                }
            }
            minute += 1
        }
        return found + (open.map { [$0] } ?? [])
    }

    private func look(
        at minute: Int, since cleared: Int
    ) -> (isSet: Bool, isClear: Bool, devices: Int, bad: Set<Int>) {
        let inside = words.filter { $0.minute <= minute && $0.minute > minute - rule.window }
        let bad = Set(inside.filter { $0.isBad && $0.minute > cleared }.map(\.device))
        let all = Set(inside.map(\.device))
        let badNow = all.filter { device in
            let own = inside.filter { $0.device == device }, latest = own.map(\.minute).max()!
            return own.contains { $0.minute == latest && $0.isBad }
        }
        switch rule.kind {
        case .count: return (bad.count >= rule.set, badNow.count <= rule.clear, bad.count, bad)
        case .ratio:
            let isSet = all.count >= rule.least && badNow.count * 100 >= rule.set * all.count
            return (isSet, badNow.count * 100 <= rule.clear * all.count, badNow.count, bad)
        }
    }
}
