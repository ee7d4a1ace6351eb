internal import Foundation
internal import Lanes
internal import Models
internal import ServiceKit
internal import Storage

/// What the dispatcher answers on its control socket while it pays by file: `rewards.write` and `rewards.result`.
struct PayoutFileCalls: Sendable {
    /// Longest file of results.
    static let mostBytes = 64 << 20

    let provider: PayoutFileProvider
    let loop: EffectLoop
    let timeZone: TimeZone
    let clock: WallClock

    var all: [ControlCall] {
        [
            .typed("rewards.write", JSONValue.self) { _ in try await write() },
            .typed("rewards.result", JSONValue.self) { try await result(in: try $0.text("path")) },
        ]
    }

    private func write() async throws -> JSONValue {
        let files = try await provider.writeFile(day: CivilDay.number(of: clock.now(), in: timeZone))
        let counts = try await provider.counts()
        return [
            "files": .array(
                files.map { ["file": .string($0.name), "sha256": .string($0.digest)] }),
            "unconfirmed_orders": .integer(counts.open),
        ]
    }

    /// - Parameter path: of a file that this service's user can read.
    private func result(in path: String) async throws -> PayoutFileProvider.Outcome {
        let outcome = try await provider.take(ResultFile(try Self.text(in: path)))
        try await Self.hint(outcome.told, loop, now: clock.now())
        return outcome
    }

    /// What a file has that a person names: plain, in UTF-8, of at most ``mostBytes``.
    static func text(in path: String) throws -> String {
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path
        guard let file = try? FileManager.default.attributesOfItem(atPath: resolved), let size = file[.size] as? Int
        else { throw ControlError.notFound("cannot read \(path)") }
        // A pipe or a device has no size, and may have no end.
        guard file[.type] as? FileAttributeType == .typeRegular else {
            throw ControlError.argument("path", "is no plain file")
        }
        guard size <= Self.mostBytes else {
            throw ControlError.argument("path", "is a file of \(size) bytes; expected at most \(Self.mostBytes)")
        }
        guard let data = FileManager.default.contents(atPath: resolved),
            let text = String(validating: data, as: UTF8.self)
        else { throw ControlError.argument("path", "is no file of text in UTF-8") }
        return text
    }

    /// Somebody says that there is news of payments.
    static func hint(_ references: [PaymentReference], _ loop: EffectLoop, now: UnixMilliseconds) async throws {
        guard !references.isEmpty else { return }
        try await loop.perform { engine in
            let effects = engine.rewards
            try engine.database.write { try effects.hint(references, now: now, $0) }
        }
    }
}
