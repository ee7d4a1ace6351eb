import Models
import QoE

extension SimulatedPhone {
    /// What the phone records at its next moment, sorted by its own clock; then goes on to the moment after.
    mutating func next(_ world: SimulatedWorld) -> [RecordingRow] {
        let now = situation(world)
        let sim = sims[sims.count == 2 && random.chance(0.25) ? 1 : 0]
        let walls = now.speed == 0 ? self.walls : now.speed > 2 ? 5 : 0
        let reading = world.read(sim.provider, at: now.place, moment, loss: walls, best: best)
        let figures = reading.map { ServiceFigures(of: $0, &random) }
        let measuresSpeed = random.chance(0.5) && !isOffline(at: moment)
        let inCall = random.chance(0.22 * LoadModel.share(at: LocalDay.hour(of: moment)))
        let event = event(reading, figures, sim, now.speed, inCall: inCall, hasSpeed: measuresSpeed)

        var report = row(.report, at: capturedAt)
        locate(&report, now)
        report.set(sim, serving: world.plmn(sim.provider))
        report.values[ColumnID.event] = event?.rawValue
        let errors = (0.8 * random.normal(), 0.8 * random.normal(), 1.2 * random.normal())
        if let reading, let figures {
            report.set(reading, errors: errors)
            if !isOffline(at: moment) { report.set(figures, withSpeed: measuresSpeed) }
        } else {
            report.values[ColumnID.networkType] = NetworkType.none.rawValue
        }
        let feedback = feedback(on: report, reading == nil ? nil : figures, event)
        let rows = send(
            [report] + feedback, canSend: canSend(now, reading, by: sim, walls: walls, world), at: report.capturedAt)
        advance(world, isMoving: now.speed > 0, isSilent: reading == nil)
        return rows
    }

    /// By Wi-Fi at home; else by mobile data, over the SIM that measured or the other one, where one has service.
    private func canSend(
        _ now: DayPlan.Situation, _ reading: RadioReading?, by sim: SimulatedSIM, walls: Double, _ world: SimulatedWorld
    ) -> Bool {
        if hasWiFi, now.speed == 0, now.place == habits.home { return true }
        guard !isOffline(at: moment) else { return false }
        return reading != nil
            || sims.contains { other in
                other.slot != sim.slot
                    && world.read(other.provider, at: now.place, moment, loss: walls, best: best) != nil
            }
    }

    private mutating func row(_ kind: RecordingKind, at time: UnixMilliseconds) -> RecordingRow {
        seq += 1
        return RecordingRow(simulated: name, kind, seq: seq, capturedAt: time)
    }

    /// Losing service is told at once, going on without it once an hour.
    private mutating func event(
        _ reading: RadioReading?, _ figures: ServiceFigures?, _ sim: SimulatedSIM, _ speed: Double, inCall: Bool,
        hasSpeed: Bool
    ) -> NetworkEvent? {
        let slot = Int(sim.slot)
        guard let reading, let figures else {
            if let told = toldSilence[slot], moment - told < LocalDay.hour { return nil }
            toldSilence[slot] = moment
            return .noService
        }
        toldSilence[slot] = nil
        if random.chance(0.000_05) { return .emergency }
        return Experience.event(reading, figures, speed: speed, inCall: inCall, hasSpeed: hasSpeed, &random)
    }

    /// Outdoors and on the way by satellite, behind walls by networks, now and then by the cell alone.
    private mutating func locate(_ report: inout RecordingRow, _ now: DayPlan.Situation) {
        let kind = random.unit(), spread = random.unit()
        let isMoving = now.speed > 0
        var source: Int64 = isMoving || kind < 0.35 ? 0 : 1
        var accuracy = source == 0 ? 4 + 20 * spread * spread : 15 + 85 * spread
        if kind > 0.985 { (source, accuracy) = (2, 800 + 1_500 * spread) }
        let error = PlanePoint(east: random.normal(), north: random.normal()) * (accuracy * 0.4)
        var place = now.place + error
        if let pretence, pretence.span.from_ms <= moment, moment < pretence.span.to_ms {
            place = pretence.place
            (source, accuracy) = (0, 1)
            report.values[ColumnID.mockLocation] = 1
        }
        report.set(place, accuracy: accuracy, source: source)
        if isMoving { report.values[ColumnID.speed] = Int64((now.speed * (0.8 + 0.4 * spread) * 10).rounded()) * 10 }
    }

    /// After events people are asked (and one in three answers); else they speak up now and then.
    private mutating func feedback(on report: RecordingRow, _ figures: ServiceFigures?, _ event: NetworkEvent?)
        -> [RecordingRow]
    {
        let isAsked = event != nil
        guard random.chance(isAsked ? 0.3 : 0.03) else { return [] }
        let rating = Experience.rating(figures, event, mood: mood, &random)
        var row = row(.feedback, at: report.capturedAt + 4_000 + Int64(random.unit() * 20_000))
        for column in Self.context { row.values[column] = report.values[column] }
        row.values[ColumnID.rating] = rating
        row.values[ColumnID.trigger] = event == .emergency ? 2 : isAsked ? 0 : 1
        row.texts[ColumnID.comment] = Experience.comment(rating, event, &random)
        return [row]
    }

    /// What feedback repeats of the report it is about.
    private static let context: [UInt8] = [
        ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy, ColumnID.locationSource, ColumnID.networkType,
        ColumnID.mcc, ColumnID.mnc, ColumnID.servingMCC, ColumnID.servingMNC, ColumnID.roaming, ColumnID.simSlot,
        ColumnID.mockLocation,
    ]
}
