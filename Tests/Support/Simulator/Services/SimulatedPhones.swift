/// The phones of a run: they enrol, send each upload until it is acknowledged, and say what they allow until it is heard.
final class SimulatedPhones {
    private struct Phone {
        var device: UInt64?
        /// What the subscriber allows now, and whether ingest has said that it knows.
        var purposes: Set<String> = []
        var isHeard = true
    }

    private let world: RandomWorld
    private let consents: RandomConsents
    private var erasures: [SimulatedErasure]
    private let ingest: SimulatedIngest
    private unowned let simulation: Simulation
    private var phones: [Phone]
    private var acknowledged: Set<Int> = []
    /// What was sent at least once.
    private var uploads: [Int: SimulatedUpload] = [:]
    private var taken: Set<String> = []
    private let wishes: [AccessPlan.Wish]
    /// Wishes for copies that were heard, by their places.
    private var asked: Set<Int> = []
    /// Copies that are not read yet.
    private var awaited: Set<String> = []
    /// Reads a copy, as far as it is there.
    var readCopy: (_ request: String) throws -> SimulatedCopies.Answer = { _ in .gone }

    init(
        _ world: RandomWorld, _ consents: RandomConsents, _ erasures: [SimulatedErasure], ingest: SimulatedIngest,
        in simulation: Simulation
    ) {
        self.erasures = erasures
        self.world = world
        self.consents = consents
        self.ingest = ingest
        self.simulation = simulation
        wishes = simulation.access?.wishes ?? []
        phones = consents.enrolments.map { Phone(purposes: $0.purposes) }
    }

    private var unacknowledged: Int { world.uploads.count - acknowledged.count }

    /// What still waits, for a person.
    var standing: String {
        "\(unacknowledged) uploads unanswered, \(phones.filter { $0.device == nil }.count) not enrolled, "
            + "\(phones.filter { !$0.isHeard }.count) consents not heard, copies awaited: \(awaited.sorted())"
    }

    /// True once nothing waits for an answer.
    var haveAll: Bool {
        unacknowledged == 0 && taken.count == erasures.count && asked.count == wishes.count && awaited.isEmpty
            && phones.allSatisfy { $0.isHeard && $0.device != nil }
    }

    /// Plans what the phones do.
    func start() {
        for enrolment in consents.enrolments {
            simulation.timeline.at(enrolment.at) { [self] in enrol(enrolment.phone) }
        }
        for index in world.uploads.indices {
            simulation.timeline.at(world.uploads[index].sendAt) { [self] in send(index) }
        }
        for erasure in erasures { simulation.timeline.at(erasure.at) { [self] in erase(erasure) } }
        for place in wishes.indices {
            simulation.timeline.after(Int(wishes[place].at)) { [self] in ask(place) }
        }
        for change in consents.changes {
            simulation.timeline.at(change.at) { [self] in
                phones[change.phone].purposes = change.purposes
                phones[change.phone].isHeard = false
                say(change.phone)
            }
        }
    }

    /// Somebody has everything erased, from now on until it is heard.
    func eraseEverything(of phone: Int) {
        let erasure = SimulatedErasure(
            phone: phone, at: simulation.clock.now, request: "request-\(erasures.count)", times: nil, cells: nil)
        erasures.append(erasure)
        erase(erasure)
    }

    private func erase(_ erasure: SimulatedErasure) {
        guard !taken.contains(erasure.request) else { return }
        if let device = phones[erasure.phone].device {
            // Asked again, it is another request.
            var asked = erasure
            asked.request += "-\(simulation.clock.now)"
            simulation.timeline.after(1 + simulation.pause()) { [self] in
                if ingest.isStranger(device) { return enrolAgain(erasure.phone, insteadOf: device) }
                ingest.take(
                    .erasure(device, asked) { [self] in hear { [self] in taken.insert(erasure.request) } })
            }
        }
        simulation.timeline.after(simulation.random.within(800...2500)) { [self] in erase(erasure) }
    }

    private func ask(_ place: Int) {
        guard !asked.contains(place) else { return }
        if let device = phones[wishes[place].phone].device {
            let access = SimulatedAccess(&simulation.random)
            simulation.timeline.after(1 + simulation.pause()) { [self] in
                if ingest.isStranger(device) { return enrolAgain(wishes[place].phone, insteadOf: device) }
                ingest.take(
                    .access(device, access) { [self] request in
                        hear { [self] in
                            guard asked.insert(place).inserted, let request, awaited.insert(request).inserted else {
                                return
                            }
                            planRead(request, of: place)
                        }
                    })
            }
        }
        simulation.timeline.after(simulation.random.within(800...2500)) { [self] in ask(place) }
    }

    private func planRead(_ request: String, of place: Int) {
        simulation.timeline.after(simulation.random.within(200...1500)) { [self] in
            switch try readCopy(request) {
            case .later: planRead(request, of: place)
            case .whole, .gone: awaited.remove(request)
            case .lost:
                awaited.remove(request)
                asked.remove(place)
                ask(place)
            }
        }
    }

    private func enrol(_ number: Int) {
        guard phones[number].device == nil else { return }
        simulation.timeline.after(1 + simulation.pause()) { [self] in
            ingest.take(
                .enrolment(consents.enrolments[number].purposes) { [self] device in
                    hear { [self] in
                        guard phones[number].device == nil else { return }
                        phones[number].device = device
                        // What was decided before anybody could be told.
                        if !phones[number].isHeard { say(number) }
                    }
                })
        }
        simulation.timeline.after(simulation.random.within(600...2000)) { [self] in enrol(number) }
    }

    private func say(_ number: Int) {
        let purposes = phones[number].purposes
        guard let device = phones[number].device, !phones[number].isHeard else { return }
        simulation.timeline.after(1 + simulation.pause()) { [self] in
            if ingest.isStranger(device) { return enrolAgain(number, insteadOf: device) }
            ingest.take(
                .consent(device, purposes) { [self] in
                    hear { [self] in
                        if phones[number].purposes == purposes { phones[number].isHeard = true }
                    }
                })
        }
        simulation.timeline.after(simulation.random.within(1000...3000)) { [self] in say(number) }
    }

    private func send(_ index: Int) {
        guard !acknowledged.contains(index) else { return }
        let upload = upload(index)
        let sentAt = upload.clockError.map { simulation.clock.now + $0 }
        if let device = phones[upload.phone].device {
            simulation.timeline.after(1 + simulation.pause()) { [self] in
                if ingest.isStranger(device) { return enrolAgain(upload.phone, insteadOf: device) }
                try ingest.read(index, upload, of: device, sentAt: sentAt) { [self] isFinal in
                    hear { [self] in if isFinal { acknowledged.insert(index) } }
                }
            }
        }
        simulation.timeline.after(simulation.random.within(1200...4000)) { [self] in send(index) }
    }

    /// An upload as it is sent, again and again; what a phone sends after a sleep it captured after it, now and
    /// then half an hour before the end of it, or before it.
    private func upload(_ index: Int) -> SimulatedUpload {
        if let known = uploads[index] { return known }
        var upload = world.uploads[index]
        let before: Int64 = index % 5 == 1 ? 1_800_000 : 0
        if index % 5 > 0 { upload.capture(later: max(0, simulation.slept - before)) }
        uploads[index] = upload
        return upload
    }

    /// What a phone is called; nil before its enrolment is answered.
    func device(of phone: Int) -> UInt64? { phones[phone].device }

    /// The answer is that its token is nobody's.
    func enrolAgain(_ number: Int, insteadOf device: UInt64) {
        hear { [self] in
            guard phones[number].device == device else { return }
            phones[number].device = nil
            phones[number].isHeard = phones[number].purposes == consents.enrolments[number].purposes
            simulation.note(.enrolledAgain)
            enrol(number)
        }
    }

    /// A home was restored: what was answered and phones still have, they send again.
    ///
    /// - Parameter kept: thousandths of it.
    func sendAgain(kept: Int) {
        for index in acknowledged.sorted() where simulation.random.chance(kept) {
            acknowledged.remove(index)
            simulation.timeline.after(simulation.random.below(3000)) { [self] in send(index) }
        }
    }

    /// An answer is on its way, and now and then gets lost.
    func hear(_ answer: @escaping () -> Void) {
        if simulation.random.chance(simulation.isCalmFromTheStart ? 0 : 80) { return }
        simulation.timeline.after(1 + simulation.pause(), answer)
    }
}
