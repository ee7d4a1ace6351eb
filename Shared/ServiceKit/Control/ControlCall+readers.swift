public import Lanes

extension ControlCall {
    /// `reader.list` and `reader.detach` of a service whose database an effect loop writes.
    public static func readers(of loop: EffectLoop) -> [ControlCall] {
        [
            .typed("reader.list", JSONValue.self) { _ in try await loop.perform { $0.readerStandings } },
            .typed("reader.detach", ReaderDetachment.self) { wish in try await loop.perform { try $0.detach(wish) } },
        ]
    }
}
