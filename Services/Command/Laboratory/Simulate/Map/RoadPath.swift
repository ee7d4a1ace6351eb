import Foundation

/// The way from one place to another: a bend (quadratic Bézier curve) with a wave on it. The same two places always have the
/// same way, in both directions.
struct RoadPath: Sendable {
    let start: PlanePoint
    let end: PlanePoint
    private let control: PlanePoint
    private let wave: PlanePoint
    private let waves: Double

    /// - Parameter noise: decides how the way bends; nil makes it straight.
    init(from start: PlanePoint, to end: PlanePoint, noise: WorldNoise?) {
        self.start = start
        self.end = end
        let along = end - start, length = start.distance(to: end)
        let isForward = (start.east, start.north) <= (end.east, end.north)
        let low = isForward ? start : end, high = isForward ? end : start
        let key = (Int(low.east + low.north * 3), Int(high.east + high.north * 3))
        let bend = noise.map { ($0.unit(key.0, key.1, 1) - 0.5) * 0.4 } ?? 0
        let sideways = PlanePoint(east: -along.north, north: along.east) * (isForward ? 1 : -1)
        control = (start + end) * 0.5 + sideways * bend
        waves = (length / 4_000).rounded(.up)
        wave =
            noise == nil || length < 1 ? PlanePoint(east: 0, north: 0) : sideways * (min(200, length * 0.03) / length)
    }

    /// Metres, straight from start to end; the way itself is up to a twelfth longer.
    var length: Double { start.distance(to: end) }

    /// The place after a share (0…1) of the way.
    func place(at share: Double) -> PlanePoint {
        let rest = 1 - share
        let curve = start * (rest * rest) + control * (2 * rest * share) + end * (share * share)
        return curve + wave * sin(waves * 2 * .pi * share)
    }
}
