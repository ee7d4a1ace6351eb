import Foundation

/// Quadkeys as text, worked out digit by digit with floating-point numbers.
enum ReferenceGeography {
    /// The level-16 cell of a position; nil beyond ±85.05°.
    static func cell(latitude: Double, longitude: Double) -> String? {
        guard abs(latitude) <= 85.05 else { return nil }
        var x = (longitude + 180) / 360
        var y = 0.5 - atanh(sin(latitude * .pi / 180)) / (2 * .pi)
        var digits = ""
        for _ in 1...16 {
            x *= 2
            y *= 2
            let right = x >= 1, lower = y >= 1
            if right { x -= 1 }
            if lower { y -= 1 }
            digits += lower ? (right ? "3" : "2") : (right ? "1" : "0")
        }
        return digits
    }

    /// The cells a row counts in, finest first: from the first that is as wide as the position is unsure, to level 6.
    ///
    /// Empty if the row counts without a cell.
    static func cells(of record: ReferenceRecord) -> [String] {
        guard let latitude = record.number("latitude"), let longitude = record.number("longitude") else { return [] }
        let accuracy = record.number("accuracy_m") ?? 0
        guard accuracy <= 10_000, (record.number("speed_mps") ?? 0) <= 50 else { return [] }
        guard let finest = cell(latitude: latitude, longitude: longitude) else { return [] }
        var cells: [String] = []
        for level in stride(from: 16, through: 6, by: -1) {
            // A cell as wide as the position is unsure, both in tenths of a metre.
            let isWideEnough = (width(level: level, latitude: latitude) * 10).rounded(.up) >= (accuracy * 10).rounded()
            if isWideEnough || level == 6 || !cells.isEmpty { cells.append(String(finest.prefix(level))) }
        }
        return cells
    }

    /// How wide a cell is, metres.
    static func width(level: Int, latitude: Double) -> Double {
        40_075_016.686 * cos(latitude * .pi / 180) / pow(2, Double(level))
    }

    /// The middle of a cell, half way between its edges, in degrees of seven decimals.
    static func middle(of cell: String) -> (latitude: Double, longitude: Double) {
        var west = 0.0, north = 0.0, side = 1.0
        for digit in cell {
            side /= 2
            if digit == "1" || digit == "3" { west += side }
            if digit == "2" || digit == "3" { north += side }
        }
        func latitude(_ y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }
        let middle = (latitude(north) + latitude(north + side)) / 2
        return ((middle * 1e7).rounded() / 1e7, (((west + side / 2) * 360 - 180) * 1e7).rounded() / 1e7)
    }
}
