internal import Models

/// A device as an operator sees it: what it said of itself and what was allowed, never its token or its key.
struct RegisteredDevice: Codable, Sendable, Equatable {
    /// The UUID the device was told.
    let device: String
    /// Its number in this home.
    let ordinal: Int64
    let platform: String
    let app_version: String
    let policy_version: String
    let age_band: String?
    let guardian: Bool
    let device_key: Bool
    /// The purposes allowed, by name.
    let consent: [String]
    let consent_version: Int64
    let enrolled_at_ms: UnixMilliseconds
    /// 0 new, 1 by an activation code, 2 seen on 7 days.
    let trust: Int
    /// Days on which it was seen, UTC; 7 are the most that are counted.
    let days_seen: Int
    /// The batch of its activation code; left out if it enrolled without one.
    let activation_batch: Int64?
    /// When its token was revoked; left out if it may send.
    let revoked_at_ms: UnixMilliseconds?
}
