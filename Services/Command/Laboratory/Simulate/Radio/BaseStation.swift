/// A base station with three sectors, to north, south-east and south-west.
struct BaseStation: Sendable {
    /// 1…2²⁰−1; the identity of a cell is this times 256 plus the sector.
    let identity: Int
    let place: PlanePoint
    /// Whether it stands in open country.
    let isRural: Bool
    /// How many times as busy as an average one it is.
    let popularity: Double
}
