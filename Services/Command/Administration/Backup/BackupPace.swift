public import ServiceKit
internal import Foundation

/// What goes on in a live home while a moment of it is taken. A simulation lets its services go on here.
public struct BackupPace {
    /// Called before the moment of each database: with the service whose own one it is, nil before other files of services.
    public var before: (ServiceName?) throws -> Void
    /// Called when a moment was let go: waits so many seconds; told why.
    public var pause: (_ seconds: Double, _ fault: String) throws -> Void

    public init(
        before: @escaping (ServiceName?) throws -> Void,
        pause: @escaping (_ seconds: Double, _ fault: String) throws -> Void
    ) {
        self.before = before
        self.pause = pause
    }

    /// That of the program: nothing but waiting.
    static var standard: BackupPace {
        BackupPace(before: { _ in }, pause: { seconds, _ in Thread.sleep(forTimeInterval: seconds) })
    }
}
