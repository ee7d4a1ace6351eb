import IngestSupport
import IngestUploads
import Models

/// Shows every commit of ingest to the model, and compares what ingest answers with what the model says.
final class IngestChecker {
    /// Which journals were full when a commit began.
    struct Fullness {
        let realtime: Bool
        let batch: Bool
        let requests: Bool
    }

    private unowned let simulation: Simulation
    /// Receipts that were given, by what names an upload: device, kind, and key or body.
    var given: [String: [UInt8]] = [:]
    /// Every number that a device was ever given.
    private var numbers: Set<UInt64> = []

    init(in simulation: Simulation) {
        self.simulation = simulation
    }

    /// Ingest would not read an upload: the model must say so, too.
    func refused(_ upload: SimulatedUpload, _ index: Int, of device: UInt64, with problem: DeviceAPIError) throws {
        let mayMeasure = simulation.model.purposes(of: Int(device)).contains("measurement")
        switch problem.status {
        case 403 where !mayMeasure: simulation.note(.uploadWithoutConsent)
        case 422 where mayMeasure && upload.records.allSatisfy({ ReferenceField.taken($0) == nil }): return
        default: throw SimulationFailure("upload \(index): \(problem)")
        }
    }

    /// Somebody enrolled; gives back the device's number, nil if there was no room.
    func enrolled(
        _ result: Result<DeviceIdentity, DeviceAPIError>, _ purposes: Set<String>, _ full: Fullness, _ now: Int64
    ) throws -> DeviceIdentity? {
        switch result {
        case .success(let identity) where !full.requests:
            guard numbers.insert(identity.ordinal).inserted || simulation.home == nil else {
                throw SimulationFailure("two devices have number \(identity.ordinal)")
            }
            let past = simulation.past(of: identity.ordinal)
            simulation.model.enrol(
                device: Int(identity.ordinal), purposes: purposes, at: Int(now), trust: past?.reference(now))
            return DeviceIdentity(
                ordinal: identity.ordinal, consent: identity.consent, consentVersion: identity.consentVersion,
                trust: past?.trust(now) ?? identity.trust)
        case .failure(let problem) where problem.status == 503 && full.requests: return nil
        default: throw SimulationFailure("an enrolment is answered \(result) while requests is full: \(full.requests)")
        }
    }

    /// An erasure was asked for; true if that was heard. Lost answers make it come again.
    func erased(
        _ result: Result<UnixMilliseconds, DeviceAPIError>, _ erasure: SimulatedErasure, of device: UInt64,
        _ full: Fullness,
        _ now: Int64
    ) throws -> Bool {
        let number = Int(device), isErased = simulation.model.erased.contains(number)
        switch result {
        case .success where !isErased && !full.requests:
            if erasure.isEverything, simulation.model.payouts[number]?.phone != nil { simulation.note(.payoutErased) }
            simulation.model.erase(device: number, erasure, now: now)
            simulation.takenErasures[erasure.request] = TakenErasure(device: device, erasure: erasure, at: now)
            simulation.requestedErasures.insert(erasure.request)
            simulation.note(erasure.isEverything ? .erased : erasure.cells == nil ? .partErased : .areaErased)
            return true
        case .failure(let problem) where problem.status == 410 && isErased: return true
        case .failure(let problem) where problem.status == 503 && full.requests: return false
        default: throw SimulationFailure("device \(device): an erasure is answered \(result)")
        }
    }

    /// A device said where its rewards go; true if the answer is final.
    func paid(
        _ result: Result<UnixMilliseconds, DeviceAPIError>, to number: PayoutNumber, of device: UInt64, _ full: Fullness
    ) throws -> Bool {
        switch result {
        case .failure(let problem) where problem.status == 503 && full.requests: return false
        case .failure(let problem) where problem.status == 403 && !full.requests:
            guard !simulation.model.give(number.phone, of: Int(device)) else { break }
            simulation.note(.payoutRefused)
            return true
        case .success where !full.requests:
            guard simulation.model.give(number.phone, of: Int(device)) else { break }
            simulation.note(.payoutTaken)
            return true
        default: break
        }
        throw SimulationFailure("device \(device): a payout number is answered \(result)")
    }

    /// A copy was asked for; gives back the request, empty if there is none to be had, nil if it is to be asked again.
    func asked(
        _ result: Result<AccessTicket, DeviceAPIError>, _ access: SimulatedAccess, of device: UInt64, _ full: Fullness,
        _ now: Int64
    ) throws -> String? {
        if full.requests {
            guard case .failure(let problem) = result, problem.status == 503 else {
                throw SimulationFailure(
                    "device \(device): a wish for a copy is answered \(result) while requests is full")
            }
            return nil
        }
        switch (simulation.model.ask(device: Int(device), request: access.request, at: Int(now)), result) {
        case (.request(let expected), .success(let ticket)) where ticket.request == expected && ticket.isOpen:
            return expected
        case (.tooMany, .failure(let problem)) where problem.status == 429: return ""
        case (.erased, .failure(let problem)) where problem.status == 410: return ""
        case (let expected, _):
            throw SimulationFailure("device \(device): a wish for a copy is answered \(result), expected \(expected)")
        }
    }

    /// A consent was changed; gives back what ingest knows from now on, nil if it is what it was, and whether the answer is final.
    func changed(
        _ result: Result<ConsentState, DeviceAPIError>, of device: UInt64, _ purposes: Set<String>, _ full: Fullness,
        _ now: Int64
    ) throws -> (device: DeviceIdentity?, isFinal: Bool) {
        if simulation.model.erased.contains(Int(device)) {
            guard case .failure(let problem) = result, problem.status == 410 else {
                throw SimulationFailure("device \(device) is erased and changes its consent: \(result)")
            }
            return (nil, true)
        }
        let isNew = purposes != simulation.model.purposes(of: Int(device))
        switch result {
        case .success(let state) where !isNew || !full.requests:
            let hadNumber = simulation.model.payouts[Int(device)]?.phone != nil
            simulation.model.change(consentOf: Int(device), to: purposes, at: Int(now))
            if hadNumber, simulation.model.payouts[Int(device)]?.phone == nil { simulation.note(.payoutWithdrawn) }
            guard state.identity.consent.names == purposes else {
                throw SimulationFailure("device \(device): consent \(state.identity.consent.names), said \(purposes)")
            }
            return (state.identity, true)
        case .failure(let problem) where problem.status == 503 && isNew && full.requests: return (nil, false)
        default: throw SimulationFailure("device \(device): a consent is answered \(result)")
        }
    }

    /// Compares a receipt with the model; true if it is the last word on the upload.
    func received(
        _ reading: SimulatedReading, _ result: Result<Receipt, DeviceAPIError>, _ full: Fullness, _ now: Int64
    ) throws -> Bool {
        let model = simulation.model, device = Int(reading.device)
        if model.erased.contains(device) {
            guard case .failure(let problem) = result, problem.status == 410 else {
                throw SimulationFailure("upload \(reading.index) of an erased device: \(result)")
            }
            simulation.note(.lateRecordRefused)
            return true
        }
        if model.purposes(of: device) != reading.purposes { simulation.note(.consentChangedMeanwhile) }
        guard model.purposes(of: device).contains("measurement") else {
            guard case .failure(let problem) = result, problem.status == 403 else {
                throw SimulationFailure("upload \(reading.index): \(result) without consent")
            }
            return true
        }
        if case .success(let receipt) = result, receipt.isRepeated { return try isTheSame(receipt, reading) }
        guard given[reading.name] == nil || simulation.faults.restores else {
            throw SimulationFailure("upload \(reading.index): judged anew, although it has a receipt: \(result)")
        }
        let expected =
            full.realtime && isUrgent(reading)
            ? [nil]
            : simulation.model.submit(
                reading.records, device: device, readUnder: reading.purposes,
                readAt: (Int(reading.readAt), reading.trust), receivedAt: Int(now), clockOffset: reading.clockOffset,
                onlyUrgent: full.batch)
        noteReturned(from: reading)
        return try compare(result, expected, reading)
    }

    /// What was lost with a home and came again.
    private func noteReturned(from reading: SimulatedReading) {
        guard !simulation.lostRows.isEmpty else { return }
        let rows = simulation.model.rows.suffix(reading.records.count).filter { $0.device == Int(reading.device) }
        if rows.contains(where: { simulation.lostRows.contains("\($0.device) \($0.id)") }) {
            simulation.note(.lostRecordReturned)
        }
    }

    private func compare(
        _ result: Result<Receipt, DeviceAPIError>, _ expected: [ReferenceOutcome?], _ reading: SimulatedReading
    ) throws -> Bool {
        switch result {
        case .failure(let problem):
            guard problem.status == 503, expected.contains(nil) else {
                throw SimulationFailure("upload \(reading.index): refused with \(problem), expected \(expected)")
            }
            return false
        case .success(let receipt):
            let statuses = receipt.items.map(\.status.rawValue)
            guard statuses == expected.map({ $0?.status ?? "held back" }) else {
                throw SimulationFailure("upload \(reading.index): receipt says \(statuses), model \(expected)")
            }
            for item in receipt.items where item.status != .rejected {
                let left = Set(item.leftOut.map(\.field)),
                    wanted = ReferenceField.taken(reading.records[item.index])?.leftOut
                guard left == wanted else {
                    throw SimulationFailure("upload \(reading.index): \(left) is left out, model \(wanted ?? [])")
                }
            }
            given[reading.name] = receipt.body
            return true
        }
    }

    private func isTheSame(_ receipt: Receipt, _ reading: SimulatedReading) throws -> Bool {
        if simulation.isRestored { simulation.note(.receiptOutlivedHome) }
        guard receipt.body == given[reading.name] else {
            let before = given[reading.name].map { String(decoding: $0, as: UTF8.self) } ?? "none"
            throw SimulationFailure(
                "upload \(reading.index): receipt \(String(decoding: receipt.body, as: UTF8.self)), before \(before)")
        }
        return true
    }

    /// True if a record that can be read would travel on the real-time lane, as far as consent lets it.
    private func isUrgent(_ reading: SimulatedReading) -> Bool {
        reading.records.contains { sent in
            guard let record = ReferenceField.taken(sent)?.record, let time = record.number("captured_at_ms"),
                record.text("id") != nil || record.number("seq") != nil
            else { return false }
            let allowed = simulation.model.allowed(
                record, device: Int(reading.device), readUnder: reading.purposes, clockOffset: reading.clockOffset)
            guard let kept = allowed?.record else { return false }
            return ReferenceModel.isUrgent(kept)
                && !simulation.model.isBlocked(
                    kept, device: Int(reading.device), capturedAt: Int(time) + reading.clockOffset)
        }
    }
}
