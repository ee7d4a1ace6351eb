internal import Models

/// Which medians a phone asks for.
struct MedianQuery: Sendable, Equatable {
    /// Levels of the cells that a phone may name: it tells nothing finer than 78 km.
    static let levels = Quadkey.coarsestLevel...9
    /// Cells that it may name.
    static let mostCells = 8
    /// Medians of one answer at most; of finer cells there are none where these would be more.
    static let most = 2_000

    /// Networks that a phone may name: it has no more SIM cards.
    static let mostNetworks = 4

    /// Empty: all networks.
    var networks: [PLMN] = []
    /// What lies in them and around them; empty: what is not finer than ``levels``, everywhere.
    var near: [Quadkey] = []
}

/// The medians of an answer.
struct ReleasedMedians: Sendable, Equatable {
    struct Median: Sendable, Equatable {
        let network: PLMN
        /// Nil: the whole network.
        let cell: Quadkey?
        let kbps: Int64
    }

    /// From coarse to fine, of each level by network.
    var medians: [Median] = []
    /// When the newest release behind them was made; nil if there are none.
    var madeAt: UnixMilliseconds?
}
