/// What is usual of a subject: devices by hour of the local week, or the mean of its ratings.
struct Baseline: Sendable, Equatable {
    /// How many hours of the same kind the mean follows at least.
    private static let mostWeeks = 8, mostHours = 168
    static let hoursOfWeek = 168

    /// Means by hour of the week, or one.
    private(set) var means: [Float]
    /// Hours that each mean is made of.
    private(set) var known: [UInt8]
    /// Of the hour that is running: its number, what was seen in its minutes, and in how many.
    private(set) var hour = -1, sum: Float = 0, minutes: Int32 = 0

    init(isWeekly: Bool) {
        means = Array(repeating: 0, count: isWeekly ? Self.hoursOfWeek : 1)
        known = Array(repeating: 0, count: means.count)
    }

    private var isWeekly: Bool { means.count > 1 }

    /// What is usual in an hour of the week; nil if fewer hours than `least` are known.
    func usual(hour: Int, least: Int) -> Double? {
        let place = isWeekly ? hour : 0
        return Int(known[place]) >= least ? Double(means[place]) : nil
    }

    /// Takes in a minute; the last one of an hour makes the hour known, if most of it was.
    ///
    /// - Parameter seen: nil for a minute that is no example: of an alarm, of an outage of the pipeline itself.
    mutating func learn(_ seen: Double?, hour: Int) {
        if hour != self.hour {
            close()
            self.hour = hour
            (sum, minutes) = (0, 0)
        }
        guard let seen else { return }
        sum += Float(seen)
        minutes += 1
    }

    private mutating func close() {
        guard hour >= 0, minutes >= (isWeekly ? 45 : 1) else { return }
        let place = isWeekly ? hour : 0
        let most = isWeekly ? Self.mostWeeks : Self.mostHours
        let weight = Float(min(Int(known[place]) + 1, most))
        means[place] += (sum / Float(minutes) - means[place]) / weight
        known[place] = UInt8(min(Int(known[place]) + 1, most))
    }

    func write(_ writer: inout WindowWriter) {
        writer.put(means.count)
        for (mean, known) in zip(means, known) {
            writer.put(mean.bitPattern)
            writer.put(known)
        }
        writer.put(hour)
        writer.put(sum.bitPattern)
        writer.put(signed: Int64(minutes))
    }

    init(_ reader: inout WindowReader) throws(StateError) {
        let count = try reader.count()
        guard count == 1 || count == Self.hoursOfWeek else { throw StateError.damaged }
        self.init(isWeekly: count > 1)
        for place in 0..<count {
            means[place] = Float(bitPattern: try reader.narrow())
            known[place] = try reader.narrow()
        }
        hour = try reader.whole()
        sum = Float(bitPattern: try reader.narrow())
        minutes = Int32(clamping: try reader.signed())
    }
}
