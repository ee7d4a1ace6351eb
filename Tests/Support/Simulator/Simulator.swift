/// Runs worlds of phones and services in virtual time and compares each with the reference model.
public enum Simulator {
    /// Runs one seed to its end.
    ///
    /// - Returns: the rare things that happened in it.
    /// - Throws: ``SimulationFailure`` at the first difference; any error of the product that a run must not see.
    @discardableResult
    public static func run(seed: UInt64) throws -> Set<SimulatedEvent> {
        try SimulationRun(seed: seed).run()
    }
}
