internal import Models

/// Removes from rows what consent does not cover, before anything is stored.
enum ConsentFilter {
    /// The finest cell of coarse positions (≈ 4.9 km).
    static let coarseLevel = 13

    /// Changes columns in place and marks the rows it changed.
    static func apply(_ consent: Consent, to scratch: RowScratch, _ table: RowTable, rows: Int) {
        if !consent.contains(.locationPrecise) {
            if consent.contains(.locationCoarse) {
                coarsen(scratch, table, rows)
            } else {
                removePlaces(scratch, table, rows)
            }
        }
        if !consent.contains(.callEvents) { removeEvents(scratch, table, rows) }
    }

    private static func removePlaces(_ scratch: RowScratch, _ table: RowTable, _ rows: Int) {
        let columns = [
            ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy, ColumnID.locationSource, ColumnID.speed,
        ]
        for slot in columns.compactMap(table.slot) {
            for word in 0..<(rows + 63) / 64 {
                scratch.reduced[word] |= scratch.presence[slot][word]
                scratch.presence[slot][word] = 0
            }
        }
    }

    private static func removeEvents(_ scratch: RowScratch, _ table: RowTable, _ rows: Int) {
        guard let slot = table.slot(ColumnID.event) else { return }
        for row in 0..<rows where scratch.isPresent(slot, row) {
            guard scratch.integers[slot][row] != NetworkEvent.emergency.rawValue else { continue }
            scratch.remove(slot, row)
            scratch.reduce(row)
        }
    }

    /// Moves positions to the middle of their cell and says in `accuracy_m` how wide it is, so that no map shows them
    /// as places; half a position goes.
    private static func coarsen(_ scratch: RowScratch, _ table: RowTable, _ rows: Int) {
        guard let latitude = table.slot(ColumnID.latitude), let longitude = table.slot(ColumnID.longitude),
            let accuracy = table.slot(ColumnID.accuracy)
        else { return }
        for row in 0..<rows where scratch.isPresent(latitude, row) || scratch.isPresent(longitude, row) {
            scratch.reduce(row)
            guard let north = scratch.value(latitude, row), let east = scratch.value(longitude, row),
                let cell = Quadkey(latitude: north, longitude: east, level: coarseLevel)
            else {
                for slot in [latitude, longitude, accuracy] { scratch.remove(slot, row) }
                continue
            }
            let bounds = cell.bounds
            let middle = Int64(((bounds.south + bounds.north) / 2 * 1e7).rounded())
            scratch.integers[latitude][row] = middle
            scratch.integers[longitude][row] = Int64(((bounds.west + bounds.east) / 2 * 1e7).rounded())
            let width = Int64((Quadkey.width(level: coarseLevel, latitude: middle) * 10).rounded(.up))
            scratch.integers[accuracy][row] = max(width, scratch.value(accuracy, row) ?? 0)
            scratch.mark(accuracy, row)
        }
    }
}
