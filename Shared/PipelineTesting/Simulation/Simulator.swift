/// Runs worlds of phones and services in virtual time and compares each with the reference model.
public enum Simulator {
    /// Runs one seed to its end.
    ///
    /// - Throws: ``SimulationFailure`` at the first difference; any error of the product that a run must not see.
    public static func run(seed: UInt64) throws {
        try SimulationRun(seed: seed).run()
    }
}
