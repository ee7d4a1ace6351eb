/// A device that was found by its upload key: a key that may send and reads nothing.
package struct KeyedDevice: Sendable {
    package let identity: DeviceIdentity
    /// Of its token, by which it is known in memory.
    package let token: TokenHash

    package init(identity: DeviceIdentity, token: TokenHash) {
        self.identity = identity
        self.token = token
    }
}
