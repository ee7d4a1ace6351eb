import Foundation
import Models
import QoE

/// The base stations of one operator, and what a phone hears of them. Confined to one thread.
///
/// A station's place is a function of seed, operator, layer and grid cell, so that nothing has to be laid out beforehand;
/// what was once asked for is kept.
struct RadioNetwork {
    private struct GridCell: Hashable {
        let layer, zone, column, row: Int
    }

    let provider: SimulatedOperator
    private let index: Int
    private let map: SimulatedMap
    private let noise: WorldNoise
    private var stations: [GridCell: BaseStation?] = [:]

    init(_ provider: SimulatedOperator, index: Int, map: SimulatedMap, noise: WorldNoise) {
        (self.provider, self.index, self.map, self.noise) = (provider, index, map, noise)
    }

    /// The cell a phone is on; nil without coverage. The first layer in the operator's order that is strong enough wins, so
    /// phones fall back from 5G over 4G and 3G to 2G.
    ///
    /// - Parameters:
    ///   - loss: of walls or a car, dB at 1.8 GHz; lower bands lose less.
    ///   - hour: of local time.
    ///   - congestion: load that a fault puts on a station; 0 for none.
    mutating func read(
        at place: PlanePoint, loss: Double, best: Technology, hour: Double, congestion: (PlanePoint) -> Double
    ) -> RadioReading? {
        for (number, layer) in provider.layers.enumerated()
        where layer.type.technology.rawValue <= best.rawValue {
            if let reading = read(layer, number, at: place, loss, hour, congestion) { return reading }
        }
        return nil
    }

    private mutating func read(
        _ layer: RadioLayer, _ number: Int, at place: PlanePoint, _ loss: Double, _ hour: Double,
        _ congestion: (PlanePoint) -> Double
    ) -> RadioReading? {
        let walls = loss * (0.6 + 0.4 * layer.frequency / 1_800)
        var best: (level: Double, station: BaseStation, sector: Int, load: Double)?
        var interference = 0.0
        for station in candidates(layer, number, around: place) {
            let distance = station.place.distance(to: place)
            let path =
                station.isRural
                ? RadioModel.ruralLoss(frequency: layer.frequency, metres: distance)
                : RadioModel.townLoss(frequency: layer.frequency, metres: distance)
            let shadow =
                RadioModel.shadowing(noise, site: station.identity, at: place) * (station.isRural ? 6 : 8)
            let daily = provider.busyLoad * LoadModel.share(at: hour) * station.popularity
            let load = min(0.99, max(0.03, max(daily, congestion(station.place))))
            let towards = place - station.place
            let degrees = atan2(towards.east, towards.north) * 180 / .pi
            for sector in 0..<3 {
                let off = abs((degrees - Double(sector) * 120).remainder(dividingBy: 360))
                let level = layer.power - path - shadow - walls - RadioModel.antennaLoss(degreesOff: off)
                interference += RadioModel.milliwatts(level) * RadioModel.activity(load)
                if level > best?.level ?? layer.minimum { best = (level, station, sector, load) }
            }
        }
        guard let best else { return nil }
        let signal = RadioModel.milliwatts(best.level)
        let other = max(0, interference - signal * RadioModel.activity(best.load)) + RadioModel.milliwatts(layer.noise)
        return RadioReading(
            layer: layer, station: best.station, sector: best.sector, level: best.level,
            sinr: RadioModel.decibels(signal / other),
            quality: RadioModel.rsrq(load: best.load, interferenceOverSignal: other / signal), load: best.load)
    }

    /// The stations of the nine grid cells around a place, of both grids.
    private mutating func candidates(_ layer: RadioLayer, _ number: Int, around place: PlanePoint) -> [BaseStation] {
        var found: [BaseStation] = []
        for (zone, spacing) in [layer.townSpacing, layer.ruralSpacing].enumerated() where spacing > 0 {
            let column = Int((place.east / spacing).rounded(.down)), row = Int((place.north / spacing).rounded(.down))
            for cell in 0..<9 {
                let key = GridCell(layer: number, zone: zone, column: column + cell / 3 - 1, row: row + cell % 3 - 1)
                if let known = stations[key] {
                    if let known { found.append(known) }
                } else {
                    let station = station(layer, key, spacing)
                    stations[key] = .some(station)
                    if let station { found.append(station) }
                }
            }
        }
        return found
    }

    private func station(_ layer: RadioLayer, _ cell: GridCell, _ spacing: Double) -> BaseStation? {
        let chance = { (what: Int) in
            noise.unit(cell.column, cell.row, what + 16 * (cell.zone + 2 * (cell.layer + 8 * index)))
        }
        let place = PlanePoint(
            east: (Double(cell.column) + 0.5 + 0.6 * (chance(1) - 0.5)) * spacing,
            north: (Double(cell.row) + 0.5 + 0.6 * (chance(2) - 0.5)) * spacing)
        let population = map.population(at: place, stretched: 1.3)
        if cell.zone == 0 {
            guard let population, population >= layer.leastPopulation, chance(3) < 0.92 else { return nil }
        } else {
            guard population == nil, map.distanceToRoad(place) < spacing * 0.9 else { return nil }
        }
        let popularity = exp(0.35 * (chance(4) + chance(5) + chance(6) - 1.5) * 2)
        return BaseStation(
            identity: 1 + Int(chance(7) * 1_048_574), place: place, isRural: cell.zone == 1,
            popularity: cell.zone == 1 ? popularity * 0.6 : popularity)
    }
}

/// What a phone hears of the cell it is on.
struct RadioReading: Sendable {
    let layer: RadioLayer
    let station: BaseStation
    /// 0…2.
    let sector: Int
    /// Strength of what is measured (``RadioLayer/power``), dBm.
    let level: Double
    /// Of what carries data, dB.
    let sinr: Double
    /// RSRQ, dB; of use on LTE and NR only.
    let quality: Double
    /// Share of the cell's capacity that others use, 0…1.
    let load: Double
}

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

/// How busy networks are over a day.
enum LoadModel {
    /// Share of the busiest hour's load at each full hour of local time: a small peak at work, a large one in the evening.
    static let profile: [Double] = [
        0.30, 0.20, 0.14, 0.11, 0.12, 0.18, 0.30, 0.45, 0.55, 0.60, 0.62, 0.65,
        0.66, 0.64, 0.62, 0.63, 0.68, 0.75, 0.85, 0.95, 1.00, 0.98, 0.80, 0.50,
    ]

    /// The same between full hours, by a straight line.
    ///
    /// - Parameter hour: of local time, 0 ..< 24.
    static func share(at hour: Double) -> Double {
        let index = min(23, max(0, Int(hour)))
        let part = hour - Double(index)
        return profile[index] * (1 - part) + profile[(index + 1) % 24] * part
    }
}
