/// A service that dies at this moment: everything it had only in memory is gone.
struct SimulatedCrash: Error {}
