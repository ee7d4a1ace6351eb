import Models
import QoE
import Testing

@testable import Laboratory

struct RadioModelTests {
    @Test func `losses are those of the formulas' sources`() {
        // TR 36.942: 128.1 + 37.6 log10(R) at 2 GHz, and 95.5 + 34.1 log10(R) at 900 MHz in open country.
        #expect(abs(RadioModel.townLoss(frequency: 2_000, metres: 1_000) - 128.1) < 0.1)
        #expect(abs(RadioModel.townLoss(frequency: 2_000, metres: 10_000) - 165.7) < 0.1)
        #expect(abs(RadioModel.ruralLoss(frequency: 900, metres: 1_000) - 95.5) < 0.1)
    }

    @Test func `RSRQ is −3 dB on an empty lone cell and −10.8 dB on a full one`() {
        #expect(abs(RadioModel.rsrq(load: 0, interferenceOverSignal: 0) + 3.01) < 0.01)
        #expect(abs(RadioModel.rsrq(load: 1, interferenceOverSignal: 0) + 10.79) < 0.01)
    }

    @Test func `shadowing has deviation 1, is alike nearby and unlike far away`() {
        let noise = WorldNoise(seed: 3)
        let places = (0..<4_000).map { PlanePoint(east: Double($0) * 517, north: Double($0 % 61) * 331) }
        let here = places.map { RadioModel.shadowing(noise, site: 9, at: $0) }
        let variance = here.reduce(0) { $0 + $1 * $1 } / Double(here.count)
        #expect((0.85...1.15).contains(variance))
        func likeness(_ metres: Double, site: Int) -> Double {
            let there = places.map {
                RadioModel.shadowing(noise, site: site, at: $0 + PlanePoint(east: metres, north: 0))
            }
            return zip(here, there).reduce(0) { $0 + $1.0 * $1.1 } / Double(here.count) / variance
        }
        #expect(likeness(5, site: 9) > 0.9)
        #expect(abs(likeness(400, site: 9)) < 0.1)
        #expect((0.4...0.6).contains(likeness(0, site: 10)))
    }

    @Test func `phones fall back to older technologies out of town`() {
        let map = SimulatedMap(Town.cameroon)
        var network = RadioNetwork(SimulatedOperator.cameroon[0], index: 0, map: map, noise: WorldNoise(seed: 1))
        let douala = map.towns[0].centre
        func share(_ type: Technology, metresAway: Double) -> Double {
            let hits = (0..<200).count { step in
                let place = douala + PlanePoint(east: Double(step) * 11, north: metresAway + Double(step) * 7)
                return network.read(at: place, loss: 12, best: .g5, hour: 12, congestion: { _ in 0 })?
                    .layer.type.technology == type
            }
            return Double(hits) / 200
        }
        #expect(share(.g5, metresAway: 0) > 0.3)
        #expect(share(.g5, metresAway: 9_000) == 0)
        #expect(share(.g4, metresAway: 9_000) > 0.3)
    }

    @Test func `a way is the same there and back and bends`() {
        let noise = WorldNoise(seed: 5)
        let (here, there) = (PlanePoint(east: 0, north: 0), PlanePoint(east: 9_000, north: 4_000))
        let way = RoadPath(from: here, to: there, noise: noise), back = RoadPath(from: there, to: here, noise: noise)
        #expect(way.place(at: 0).distance(to: here) < 1 && way.place(at: 1).distance(to: there) < 1)
        let shares = stride(from: 0.0, through: 1, by: 0.05)
        #expect(shares.allSatisfy { way.place(at: $0).distance(to: back.place(at: 1 - $0)) < 450 })
        #expect(shares.contains { way.place(at: $0).distance(toLineFrom: here, to: there) > 30 })
    }

    @Test func `the evening is the busiest time, the small hours the calmest`() {
        let hours = stride(from: 0.0, to: 24, by: 0.25)
        #expect(hours.max { LoadModel.share(at: $0) < LoadModel.share(at: $1) } == 20)
        #expect(hours.min { LoadModel.share(at: $0) < LoadModel.share(at: $1) } == 3)
    }
}
