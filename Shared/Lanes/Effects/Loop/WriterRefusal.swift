/// Why a writing thread did not do what was asked.
public enum WriterRefusal: String, Error, CustomStringConvertible {
    case stopped = "the service is stopping"
    case busy = "the service has too much to do; try again"

    public var description: String { rawValue }
}
