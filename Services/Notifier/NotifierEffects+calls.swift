package import NotifierMessages
internal import NotifierSending
package import Storage

extension NotifierEffects {
    /// Effects with keys that are given and calls that somebody else carries out: those of a notifier without key files and sockets.
    ///
    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - secret: 32 bytes, the private key to which secrets of channels are sealed.
    ///   - vapid: 32 bytes, the private key by which push services know this home.
    ///   - random: by which pauses differ.
    ///   - uptime: milliseconds of a clock that only rises.
    ///   - carryOut: takes the calls of each commit; each is answered by ``answer(_:_:)``, once. Called on the engine's thread.
    /// - Throws: `StorageError` if a key is none, or the database cannot be read.
    package convenience init(
        _ database: ServiceDatabase, secret: [UInt8], vapid: [UInt8], random: @escaping () -> UInt64,
        uptime: @escaping () -> Int64, carryOut: @escaping ([(number: UInt64, call: OutgoingCall)]) -> Void
    ) throws {
        let keys = try NotifierKeys(current: secret, vapid: vapid, contact: "mailto:noc@example.org")
        try self.init(
            database, NotifierSettings(), keys, random: random, uptime: uptime, carryOut: carryOut)
    }

    /// Takes what became of a call, for the next step; from any thread.
    package func answer(_ number: UInt64, _ answer: SendAnswer) { answers.add(number, answer) }
}
