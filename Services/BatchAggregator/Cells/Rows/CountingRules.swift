package import Models

/// How rows of each kind count: what programmes declare, as folds need it. Immutable; used by all threads.
package struct CountingRules: Sendable {
    /// Rows of one kind.
    package struct Kind: Sendable {
        /// Number of its programme, in keys of cells.
        package let programme: UInt8
        package let scope: RowScope
        package let strata: Strata
        /// The finest level that its rows enter by.
        package let finestLevel: Int
        /// Ascending by number.
        package let metrics: [CountedMetric]
        /// The columns of a block that open rows are made of.
        package let columns: Set<UInt8>

        init(_ kind: ProgrammeKind, of programme: Programme) {
            self.programme = programme.number
            scope = kind.scope
            strata = programme.strata
            finestLevel = programme.finestLevel
            metrics = programme.metrics.enumerated().filter { $1.isOf(kind.kind.id) }.map { place, metric in
                CountedMetric(
                    place: UInt16(place), number: metric.number, column: metric.column, isOfSIM: metric.isOfSIM,
                    bins: metric.bins)
            }
            columns = Set([
                ColumnID.device, ColumnID.receivedAt, ColumnID.capturedAt, ColumnID.flags, ColumnID.mockLocation,
                ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy, ColumnID.speed,
            ]).union(scope.columns).union(metrics.map(\.column)).union([strata.column].compactMap(\.self))
        }
    }

    /// The programmes that the rules are of.
    package let programmes: Programmes
    /// By number of the kind.
    private let kinds: [Kind?]
    /// Of each programme, by number, what histograms store of the metrics at their places: the number in the highest byte.
    private let slots: [[UInt32]]

    package init(_ programmes: Programmes) {
        var kinds = [Kind?](repeating: nil, count: 256), slots = [[UInt32]](repeating: [], count: 256)
        for programme in programmes.all {
            for kind in programme.kinds where kind.isCounted { kinds[Int(kind.kind.id)] = Kind(kind, of: programme) }
            slots[Int(programme.number)] =
                programme.metrics.map { UInt32($0.number) << 24 }
                + repeatElement(0, count: SlotCode.places - programme.metrics.count)
        }
        self.programmes = programmes
        self.kinds = kinds
        self.slots = slots
    }

    /// The rules of a kind.
    ///
    /// - Throws: ``AggregatorError/unknownKind(_:)``.
    package func kind(_ number: UInt8) throws -> Kind {
        guard let kind = kinds[Int(number)] else { throw AggregatorError.unknownKind(number) }
        return kind
    }

    /// What histograms of a programme store of the metric at each place of ``SlotCode``; 0 behind the last one.
    @inline(__always)
    func slots(of programme: UInt8) -> [UInt32] { slots[Int(programme)] }
}

/// A metric of a programme, as rows of a kind are counted by it.
package struct CountedMetric: Sendable {
    /// Among the metrics of its programme, below ``SlotCode/places``.
    package let place: UInt16
    /// What histograms store.
    package let number: UInt8
    package let column: UInt8
    /// True if it is counted for the network of the SIM, where that is not the one that serves.
    package let isOfSIM: Bool
    package let bins: BinTable
}
