import Models

/// How often the power may still fail in a trial, or the process die: a pass that is always cut short never ends.
struct Accidents {
    private var left = 40

    mutating func happens(percent: Int, _ dice: inout SplitMix64) -> Bool {
        guard left > 0, dice.chance(percent: percent) else { return false }
        left -= 1
        return true
    }

    /// Lets the power fail at one of the next commits, maybe.
    mutating func mayCut(_ world: AggregatorWorld, _ dice: inout SplitMix64) {
        if happens(percent: 15, &dice) { world.powerCut.arm(after: dice.pick([0, 0, 1, 2])) }
    }
}
