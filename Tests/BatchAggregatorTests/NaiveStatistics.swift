import Foundation
import Models
import QoE

/// All cells of a set of rows, counted row by row in every cell: what the dump must be.
struct NaiveStatistics {
    private struct Cell {
        var samples = 0
        var devices: Set<Int64> = []
        var bins: [String: [Int: Int]] = [:]
        /// Rows and bins of each device.
        var rows: [Int64: Int] = [:]
        var apart: [String: [Int64: [Int: Int]]] = [:]

        mutating func count(_ device: Int64, _ values: [(name: String, bin: Int)]) {
            samples += 1
            devices.insert(device)
            rows[device, default: 0] += 1
            for (name, bin) in values {
                bins[name, default: [:]][bin, default: 0] += 1
                apart[name, default: [:]][device, default: [:]][bin, default: 0] += 1
            }
        }
    }

    private var cells: [String: Cell] = [:]
    private let offset: (Int64) -> Int64

    /// - Parameter offset: seconds that local time is ahead of UTC at a time.
    static func dump(_ rows: [AcceptedRow], offset: @escaping (Int64) -> Int64 = { _ in 3_600 }) -> String {
        var statistics = NaiveStatistics(offset: offset)
        for row in rows where row[ColumnID.mockLocation] != 1 { statistics.count(row) }
        return statistics.text
    }

    /// How the samples of each metric of each cell are spread over devices: devices (`-`: not known), how many at least, the most
    /// by which one counts, ΣW, ΣW², what bins weigh (`-`: not capped).
    static func spreads(_ rows: [AcceptedRow]) -> [String: String] {
        var statistics = NaiveStatistics(offset: { _ in 3_600 })
        for row in rows where row[ColumnID.mockLocation] != 1 { statistics.count(row) }
        var texts: [String: String] = [:]
        for (key, cell) in statistics.cells {
            for (metric, devices) in cell.apart {
                texts["\(key) \(metric)"] =
                    cell.rows.count > 24 && cell.rows.count != cell.samples
                    ? bound(devices.values.reduce(0) { $0 + $1.values.reduce(0, +) }, cell)
                    : exact(Array(devices.values))
            }
        }
        return texts
    }

    private static func exact(_ devices: [[Int: Int]]) -> String {
        let counts = devices.map { $0.values.reduce(0, +) }, most = counts.max()!
        let threshold =
            counts.count < 5
            ? most : (0...most).last { threshold in 5 * threshold <= counts.reduce(0) { $0 + min($1, threshold) } }!
        let weighed = counts.map { min($0, threshold) }
        var bins: [Int: Int] = [:]
        for (device, count) in zip(devices, counts) {
            let weight = count > threshold ? (1 << 20) * threshold / count : 1 << 20
            for (bin, samples) in device { bins[bin, default: 0] += samples * weight }
        }
        let text = bins.sorted { $0.key < $1.key }.map { "\($0):\($1)" }.joined(separator: ",")
        return "\(counts.count) \(counts.count) \(threshold) \(weighed.reduce(0, +)) "
            + "\(weighed.reduce(0) { $0 + $1 * $1 }) \(threshold < most ? text : "-")"
    }

    /// Any row may have a sample: the worst is that those with the most rows have all they can.
    private static func bound(_ samples: Int, _ cell: Cell) -> String {
        let rows = cell.rows.values.sorted(by: >), fourth = rows[3]
        var rest = samples, devices = 0, squares = 0
        for count in rows.map({ min($0, fourth) == $0 ? fourth : $0 }) where rest > 0 {
            let taken = min(count, rest)
            squares += devices < 4 ? taken * taken : taken * fourth
            (rest, devices) = (rest - taken, devices + 1)
        }
        let all = rows.reduce(0) { $0 + $1 * $1 }
        let isOfAll = samples == cell.samples
        return
            "\(isOfAll ? "\(rows.count)" : "-") \(isOfAll ? rows.count : devices) \(min(rows[0], samples)) \(samples) "
            + "\(min(squares, all)) -"
    }

    /// The lines of buckets that begin in a time (Unix seconds), and that have so many devices.
    static func lines(
        _ dump: String, from begin: Int64 = .min, to end: Int64 = .max, minimumDevices: Int = 0
    ) -> String {
        dump.split(separator: "\n").filter { line in
            let words = line.split(separator: " "), start = Int64(words[1])!
            let devices = words.first { $0.hasPrefix("devices=") }!.dropFirst("devices=".count)
            return (begin..<end).contains(start) && Int(devices)! >= minimumDevices
        }.map { $0 + "\n" }.joined()
    }

    /// The lines of some texts in the order of a dump.
    static func sorted(_ texts: String...) -> String {
        texts.flatMap { $0.split(separator: "\n") }.sorted()
            .map { $0 + "\n" }.joined()
    }

    private init(offset: @escaping (Int64) -> Int64) { self.offset = offset }

    private var text: String {
        cells.map { key, cell in
            let metrics = cell.bins.sorted { $0.key < $1.key }.map { name, bins in
                " \(name)=" + bins.sorted { $0.key < $1.key }.map { "\($0):\($1)" }.joined(separator: ",")
            }
            return "\(key) samples=\(cell.samples) devices=\(cell.devices.count)\(metrics.joined())\n"
        }.sorted().joined()
    }

    private mutating func count(_ row: AcceptedRow) {
        let technology = NetworkType(rawValue: row[ColumnID.networkType] ?? 0)!.technology
        let sim = plmn(row[ColumnID.mcc], row[ColumnID.mnc])
        let registered = plmn(row[ColumnID.servingMCC], row[ColumnID.servingMNC])
        let serving = registered == "-" ? sim : registered
        let population = (row[ColumnID.flags] ?? 0) / 4 % 2 == 1 ? "unshared" : "shared"
        let concernsSIM = technology == .none || row[ColumnID.event] != nil || row[ColumnID.rating] != nil
        let device = row[ColumnID.device]!, times = times(row), places = places(row)
        for network in Set([serving, sim]) where network == serving || concernsSIM {
            let values = Metric.allCases.compactMap { metric -> (name: String, bin: Int)? in
                guard let value = row[metric.column], network == (metric.isOfSIM ? sim : serving) else { return nil }
                return (metric.name, bin(metric, value))
            }
            for time in times {
                for place in places {
                    let key = "\(time) \(place) \(network) \(technology.name) \(population)"
                    cells[key, default: Cell()].count(device, values)
                }
            }
        }
    }

    private func plmn(_ country: Int64?, _ network: Int64?) -> String {
        guard let country, let network else { return "-" }
        return "\(country)" + (network < 10 ? "0" : "") + "\(network)"
    }

    private func times(_ row: AcceptedRow) -> [String] {
        let second = row[ColumnID.capturedAt]! / 1_000
        let local = second + offset(second)
        var day = local - local % 86_400 - offset(second)
        day += offset(second) - offset(day)
        return ["300 \(second - second % 300)", "3600 \(second - second % 3_600)", "86400 \(day)"]
    }

    private func places(_ row: AcceptedRow) -> [String] {
        guard let latitude = row[ColumnID.latitude], let longitude = row[ColumnID.longitude],
            row[ColumnID.accuracy] ?? 0 <= 100_000, row[ColumnID.speed] ?? 0 <= 5_000,
            let finest = Quadkey(latitude: latitude, longitude: longitude)
        else { return ["-"] }
        let levels = (6...16).filter { level in
            let width = 40_075_016.686 * cos(Double(latitude) * 1e-7 * .pi / 180) / pow(2, Double(level))
            return level == 6 || (width * 10).rounded(.up) >= Double(row[ColumnID.accuracy] ?? 0)
        }
        let text = finest.text
        return levels.map { String(text.prefix($0)) }
    }

    private func bin(_ metric: Metric, _ value: Int64) -> Int {
        switch metric {
        case .rating, .event: return Int(value)
        case .loss, .rsrp, .rsrq, .sinr, .rssi: return Int((Double(value) / 10).rounded(.down))
        case .download, .upload, .latency, .jitter:
            var value = value, halvings: Int64 = 0
            while value >= 128 {
                value /= 2
                halvings += 1
            }
            return Int(64 * halvings + value)
        }
    }
}
