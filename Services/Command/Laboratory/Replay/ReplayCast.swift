/// Which phones play which devices of a recording. Pure.
///
/// As many phones as devices: each plays one. More: devices are played again by further phones, which have no ids of the
/// recording. Fewer: each phone plays several devices, and their rows are numbered anew in their order.
struct ReplayCast: Sendable, Equatable {
    /// How a phone numbers what it sends.
    enum Numbering: Sendable, Equatable {
        /// `id` and `seq` as the recording has them.
        case recorded
        /// The recording's `seq`; no ids.
        case recordedSeq
        /// Counted from 1 in the order of the rows; no ids.
        case counted
    }

    struct Phone: Sendable, Equatable {
        /// Name by which its token is kept.
        let name: String
        let numbering: Numbering
        /// By how much `seq` rises from one round of `--loop` to the next.
        var span: Int64
    }

    private(set) var phones: [Phone] = []
    /// For each device, the phones that play it.
    private(set) var players: [[Int]]

    /// - Parameter count: nil for as many phones as devices.
    init(_ devices: [RecordingSurvey.Device], phones count: Int?) {
        players = Array(repeating: [], count: devices.count)
        guard !devices.isEmpty else { return }
        let count = count ?? devices.count
        if count < devices.count { share(devices, among: count) } else { multiply(devices, to: count) }
    }

    private mutating func share(_ devices: [RecordingSurvey.Device], among count: Int) {
        phones = (0..<count).map { Phone(name: "phone \($0) of \(count)", numbering: .counted, span: 0) }
        for (index, device) in devices.enumerated() {
            players[index] = [index % count]
            phones[index % count].span += Int64(device.rows)
        }
    }

    private mutating func multiply(_ devices: [RecordingSurvey.Device], to count: Int) {
        for phone in 0..<count {
            let device = devices[phone % devices.count], copy = phone / devices.count
            let numbering: Numbering =
                copy == 0 && device.isIdentified ? .recorded : device.hasSeq ? .recordedSeq : .counted
            players[phone % devices.count].append(phone)
            phones.append(
                Phone(
                    name: copy == 0 ? device.name : "\(device.name)#\(copy)", numbering: numbering,
                    span: max(device.highestSeq, Int64(device.rows))))
        }
    }
}
