internal import Models

/// Removes from rows what consent does not cover, before anything is stored.
enum ConsentFilter {
    /// The finest cell of coarse positions (≈ 4.9 km).
    static let coarseLevel = 13
    /// What says where somebody was.
    static let placeColumns = [
        ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy, ColumnID.locationSource, ColumnID.speed,
    ]

    /// Changes columns in place and marks the rows it changed.
    static func apply(_ consent: Consent, to scratch: RowScratch, _ table: RowTable, rows: Int) {
        if !consent.contains(.locationPrecise) {
            if consent.contains(.locationCoarse) {
                coarsen(scratch, table, rows)
            } else {
                removePlaces(scratch, table, rows)
            }
        }
        for column in table.kind.consents where !consent.allows(column.purpose) {
            remove(column, scratch, table, rows)
        }
    }

    private static func removePlaces(_ scratch: RowScratch, _ table: RowTable, _ rows: Int) {
        for slot in placeColumns.compactMap(table.slot) {
            for word in 0..<(rows + 63) / 64 {
                scratch.reduced[word] |= scratch.presence[slot][word]
                scratch.presence[slot][word] = 0
            }
        }
    }

    private static func remove(_ column: ColumnConsent, _ scratch: RowScratch, _ table: RowTable, _ rows: Int) {
        guard let slot = table.slot(column.column) else { return }
        for row in 0..<rows where scratch.isPresent(slot, row) {
            guard scratch.integers[slot][row] != column.exception else { continue }
            scratch.remove(slot, row)
            scratch.reduce(row)
        }
    }

    /// The middle of a position's cell, and in its accuracy how wide that is, so that no map shows it as a place; nil for
    /// half a position. The coarse position of a coarse position is itself.
    static func coarse(
        _ latitude: Int64?, _ longitude: Int64?, accuracy: Int64?
    ) -> (latitude: Int64, longitude: Int64, accuracy: Int64)? {
        guard let latitude, let longitude,
            let cell = Quadkey(latitude: latitude, longitude: longitude, level: coarseLevel)
        else { return nil }
        let bounds = cell.bounds
        let middle = Int64(((bounds.south + bounds.north) / 2 * 1e7).rounded())
        let width = Int64((Quadkey.width(level: coarseLevel, latitude: middle) * 10).rounded(.up))
        return (middle, Int64(((bounds.west + bounds.east) / 2 * 1e7).rounded()), max(width, accuracy ?? 0))
    }

    private static func coarsen(_ scratch: RowScratch, _ table: RowTable, _ rows: Int) {
        guard let latitude = table.slot(ColumnID.latitude), let longitude = table.slot(ColumnID.longitude),
            let accuracy = table.slot(ColumnID.accuracy)
        else { return }
        for row in 0..<rows where scratch.isPresent(latitude, row) || scratch.isPresent(longitude, row) {
            scratch.reduce(row)
            let place = coarse(
                scratch.value(latitude, row), scratch.value(longitude, row), accuracy: scratch.value(accuracy, row))
            guard let place else {
                for slot in [latitude, longitude, accuracy] { scratch.remove(slot, row) }
                continue
            }
            scratch.integers[latitude][row] = place.latitude
            scratch.integers[longitude][row] = place.longitude
            scratch.integers[accuracy][row] = place.accuracy
            scratch.mark(accuracy, row)
        }
    }
}
