public import Hummingbird

/// Nothing is kept per request beside the request itself: that is what keeps it cheap.
public struct DeviceAPIContext: InitializableFromSource {
    public init(source: ApplicationRequestContextSource) {}

    init() {}
}
