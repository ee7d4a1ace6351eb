public import GRDB
public import Lanes
public import Models

/// What a service keeps of subjects, with their requests for access, which go first when everything of them goes.
public final class AccessRecords: SubjectRecords {
    private let inner: any SubjectRecords
    private let rounds: AccessRounds

    public init(_ inner: any SubjectRecords, _ rounds: AccessRounds) {
        self.inner = inner
        self.rounds = rounds
    }

    public func beginPass() { inner.beginPass() }

    public func erase(
        _ subjects: [ErasureSubject], now: UnixMilliseconds, in db: Database, emit: inout Emission
    ) throws -> ErasureSlice {
        for subject in subjects where subject.scope.isEverything { try rounds.forget(subject.device, db) }
        return try inner.erase(subjects, now: now, in: db, emit: &emit)
    }

    public func truncateLogs() throws -> Bool { try inner.truncateLogs() }

}
