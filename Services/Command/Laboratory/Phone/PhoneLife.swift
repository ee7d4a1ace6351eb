import Models
import NkulDevice
import QoE

/// Somebody who carries the phone through a simulated town (`docs/simulation.md`), and what the phone sees there. Pure but for its
/// chance; confined to one thread at a time.
struct PhoneLife {
    /// What is to be seen at one moment.
    private struct View {
        let situation: DayPlan.Situation
        let readings: [(sim: SimulatedSIM, reading: RadioReading?)]
        let isAtHome: Bool
    }

    private let world: SimulatedWorld
    private var phone: SimulatedPhone
    private let begin: UnixMilliseconds
    private let speed: Double
    private let isAlwaysOnline: Bool
    private var random: SplitMix64
    /// Readings that are still to be had; nil: any number.
    var left: Int?

    /// - Parameters:
    ///   - begin: when the life begins, Unix milliseconds.
    ///   - speed: times as fast as the clock it is lived.
    init(seed: UInt64, begin: UnixMilliseconds, speed: Double, isAlwaysOnline: Bool) {
        let year: UnixMilliseconds = 365 * 86_400_000
        let settings = SimulationSettings(devices: 1, seed: seed, start: begin, end: begin + year)
        world = SimulatedWorld(settings, map: SimulatedMap(Town.cameroon), faults: [])
        phone = SimulatedPhone(number: 0, clock: SimulatedClock(), in: world)
        random = SplitMix64(seed: seed ^ UInt64(bitPattern: begin))
        (self.begin, self.speed, self.isAlwaysOnline) = (begin, speed, isAlwaysOnline)
    }

    private mutating func look(at now: UnixMilliseconds) -> View {
        phone.moment = begin + Int64(Double(max(0, now - begin)) * speed)
        let situation = phone.situation(world)
        let walls = situation.speed == 0 ? phone.walls : situation.speed > 2 ? 5 : 0
        let readings = phone.sims.map { sim in
            (
                sim: sim,
                reading: world.read(sim.provider, at: situation.place, phone.moment, loss: walls, best: phone.best)
            )
        }
        return View(
            situation: situation, readings: readings,
            isAtHome: situation.speed == 0 && situation.place == phone.habits.home)
    }

    mutating func place(precise: Bool, at now: UnixMilliseconds) -> PlaceReading {
        let situation = look(at: now).situation
        let accuracy = precise && situation.speed > 0 ? 4 + 20 * random.unit() : 15 + 85 * random.unit()
        let error = PlanePoint(east: random.normal(), north: random.normal()) * (accuracy * 0.4)
        let place = situation.place + error
        return PlaceReading(
            latitude: Double(place.latitude) / 1e7, longitude: Double(place.longitude) / 1e7,
            accuracyMetres: accuracy.rounded(), source: precise && situation.speed > 0 ? .gps : .network,
            speedMetresPerSecond: situation.speed > 0 ? situation.speed : nil)
    }

    mutating func motion(at now: UnixMilliseconds) -> Motion { look(at: now).situation.speed > 0 ? .moving : .still }

    /// Each SIM card's view, and what befell the person meanwhile; nothing when no more samples are to be had.
    mutating func sample(at now: UnixMilliseconds) -> (sims: [SIMReading], occurrence: Occurrence?) {
        guard left ?? 1 > 0 else { return ([], nil) }
        let view = look(at: now)
        if let left { self.left = left - view.readings.count }
        let sims = view.readings.enumerated().map { place, entry in
            SIMReading(row(entry.sim, entry.reading, now), carriesData: place == 0)
        }
        guard let first = view.readings.first, let reading = first.reading else { return (sims, nil) }
        let figures = ServiceFigures(of: reading, &random)
        let inCall = random.chance(0.22 * LoadModel.share(at: LocalDay.hour(of: phone.moment)))
        let event = Experience.event(
            reading, figures, speed: view.situation.speed, inCall: inCall, hasSpeed: false, &random)
        guard let event else { return (sims, nil) }
        return (sims, Occurrence(event, sim: SIMReading(row(first.sim, reading, now), carriesData: true)))
    }

    private mutating func row(_ sim: SimulatedSIM, _ reading: RadioReading?, _ now: UnixMilliseconds) -> RecordingRow {
        var row = RecordingRow(simulated: phone.name, .report, seq: 0, capturedAt: now)
        row.set(sim, serving: world.plmn(sim.provider))
        if let reading {
            row.set(reading, errors: (0.8 * random.normal(), 0.8 * random.normal(), 1.2 * random.normal()))
        } else {
            row.values[ColumnID.networkType] = NetworkType.none.rawValue
        }
        return row
    }

    mutating func path(at now: UnixMilliseconds) -> (path: NetworkPath, isRoaming: Bool) {
        let view = look(at: now)
        if phone.hasWiFi, view.isAtHome { return (.wifi, false) }
        let hasService = view.readings.contains { $0.reading != nil }
        guard isAlwaysOnline || (hasService && !phone.isOffline(at: phone.moment)) else { return (.none, false) }
        return (.mobile, phone.sims[0].isRoaming)
    }

    /// Figures as `docs/simulation.md` has them. Nothing is transferred: the radio is simulated.
    mutating func test(atMost bytes: Int, at now: UnixMilliseconds) -> SpeedReading? {
        guard let reading = look(at: now).readings.first?.reading else { return nil }
        let figures = ServiceFigures(of: reading, &random)
        return SpeedReading(
            downloadKbps: Int64(figures.download), uploadKbps: Int64(figures.upload), latency: figures.latency,
            jitter: figures.jitter, lossPercent: figures.loss, bytes: bytes)
    }

    /// Full in the morning, a quarter left at night; it charges at home after ten.
    func battery(at now: UnixMilliseconds) -> BatteryReading {
        let hour = LocalDay.hour(of: begin + Int64(Double(max(0, now - begin)) * speed))
        let awake = max(0, min(1, (hour - 7) / 15))
        return BatteryReading(percent: Int(100 - 75 * awake), isCharging: hour < 6 || hour >= 22)
    }

    /// What the person makes of a question: stars, or nothing.
    mutating func answer(at now: UnixMilliseconds) -> (stars: Int, comment: String?)? {
        guard random.chance(0.3) else { return nil }
        let reading = look(at: now).readings.first?.reading
        let figures = reading.map { ServiceFigures(of: $0, &random) }
        let stars = Experience.rating(figures, nil, mood: phone.mood, &random)
        return (Int(stars), Experience.comment(stars, nil, &random))
    }
}

extension SIMReading {
    /// Of a simulated row's values, which are in stored units.
    init(_ row: RecordingRow, carriesData: Bool) {
        let values = row.values
        func tenths(_ column: UInt8) -> Double? { values[column].map { Double($0) / 10 } }
        self.init(
            slot: values[ColumnID.simSlot] ?? 0, mcc: values[ColumnID.mcc], mnc: values[ColumnID.mnc],
            servingMCC: values[ColumnID.servingMCC], servingMNC: values[ColumnID.servingMNC],
            isRoaming: values[ColumnID.roaming].map { $0 == 1 },
            networkType: values[ColumnID.networkType].flatMap(NetworkType.init) ?? .unknown,
            cellID: values[ColumnID.cellID], areaCode: values[ColumnID.areaCode], pci: values[ColumnID.pci],
            channel: values[ColumnID.channel], rsrp: tenths(ColumnID.rsrp), rsrq: tenths(ColumnID.rsrq),
            sinr: tenths(ColumnID.sinr), rssi: tenths(ColumnID.rssi), carriesData: carriesData)
    }
}
