import PipelineTesting
import SocketTesting
import ZeroMQ

extension HostileCrowd {
    /// Every way in, of which only a tenant's own key at its own endpoint leads to anything.
    static func intruders(with intruder: AlertAccess, at others: [AlertAccess]) throws -> [Intruder] {
        let stranger = try CurveKeyPair.generate(), own = try CurveKeyPair(secretKey: intruder.clientSecretKey)
        var intruders = pair(at: intruder, try intruder.security(), mayHear: intruder.tenant)
        for other in others {
            intruders += pair(at: other, .curveClient(keys: own, serverKey: other.serverPublicKey))
            intruders += pair(at: other, .curveClient(keys: own, serverKey: intruder.serverPublicKey))
            intruders += pair(at: other, .curveClient(keys: stranger, serverKey: other.serverPublicKey))
            intruders += pair(at: other, .clearText)
            // The other way round: the other's key at the intruder's endpoint.
            let theirs = try CurveKeyPair(secretKey: other.clientSecretKey)
            intruders += pair(at: intruder, .curveClient(keys: theirs, serverKey: intruder.serverPublicKey))
        }
        return intruders + pair(at: intruder, .clearText)
    }

    /// Subscriber and replay client.
    private static func pair(at access: AlertAccess, _ security: SocketSecurity, mayHear: String? = nil) -> [Intruder] {
        [
            Intruder(kind: .sub, endpoint: access.alertsPub, security: security, mayHear: mayHear),
            Intruder(kind: .dealer, endpoint: access.alertsReplay, security: security, mayHear: mayHear),
        ]
    }

    /// Everything and nothing, other tenants' topics, parts of words, other alphabets, chance.
    static func prefixes(_ random: inout SeededRandom) -> [[UInt8]] {
        let words = [
            "", "a", "alerts", "alerts/", "ALERTS/", "alerts/6", "alerts/624", "alerts/heartbeat", "/", "*", "#",
        ]
        let networks = ["62401", "62402", "62404", "unknown", "310260"]
        let severities = ["critical", "major", "minor", "warning", "indeterminate", "cleared"]
        let topics = networks.flatMap { network in
            ["alerts/\(network)", "alerts/\(network)/"] + severities.map { "alerts/\(network)/\($0)/1222" }
        }
        let cells = (0..<120).map { _ in
            "alerts/\(random.pick(networks))/\(random.pick(severities))/1222\(String(random.below(1 << 20), radix: 4))"
        }
        let noise: [[UInt8]] = (0..<40).map { _ in (0..<random.within(1...40)).map { _ in UInt8(random.below(256)) } }
        let tooLong: [[UInt8]] = [[0], [0xFF], [UInt8](repeating: 0x61, count: 300)]
        return (words + topics + cells).map { Array($0.utf8) } + noise + tooLong
    }
}
