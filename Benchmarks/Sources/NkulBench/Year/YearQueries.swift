import Laboratory
import ServiceKit

/// What a page asks for, again and again, over one connection.
struct YearQueries {
    /// Each time with another quantile, so that no answer can be one that was given before.
    private static let all = [
        "heatmap_level_12": "/v1/heatmap?metric=download_kbps&level=12",
        "heatmap_level_16_of_one_network": "/v1/heatmap?metric=download_kbps&level=16&plmn=62401",
        "kpis_by_day": "/v1/kpis?metric=download_kbps&bucket=day&plmn=62401",
        "kpis_by_month": "/v1/kpis?metric=download_kbps&bucket=month",
        "compare_two_networks": "/v1/compare?metric=download_kbps&plmn=62401&plmn=62402",
    ]

    private let pool: LoadPool
    private let address: HostPort
    private let token: String
    private let days: [Int64]

    /// - Parameter days: where they begin, and where the last one ends; Unix seconds.
    init(at address: HostPort, token: String, days: [Int64]) throws {
        pool = try LoadPool(host: address.host, port: address.port, connections: 1)
        (self.address, self.token, self.days) = (address, token, days)
    }

    /// Milliseconds of each query over the last days.
    func measure(days count: Int, times: Int, _ say: (String) -> Void) async throws -> [String: BenchResult.Percentiles]
    {
        let from = days[max(0, days.count - 1 - count)] * 1_000, to = days[days.count - 1] * 1_000
        var percentiles: [String: BenchResult.Percentiles] = [:]
        for (name, query) in Self.all.sorted(by: { $0.key < $1.key }) {
            var milliseconds: [Double] = []
            for number in 0..<times {
                let path = "\(query)&from=\(from)&to=\(to)&quantile=0.\(100 + number)"
                let start = ContinuousClock.now
                let answer = try await pool.send(
                    LoadRequest(
                        method: "GET", host: address.description, path: path,
                        headers: [("Authorization", "Bearer \(token)")]))
                milliseconds.append(BenchRun.seconds(since: start) * 1_000)
                guard answer.status == 200 else {
                    throw BenchError("\(path): \(answer.status) \(answer.text.prefix(300))")
                }
            }
            percentiles[name] = BenchRun.percentiles(milliseconds.sorted())
            say("\(name), \(count) days: p99 \(percentiles[name]?.p99 ?? 0) ms")
        }
        return percentiles
    }

    func close() async { await pool.shutdown() }
}
