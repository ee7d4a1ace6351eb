import Testing

/// Expects what an asynchronous call answered; `#expect` cannot hold a `try` inside the closures of ``AdminBench``.
func check<Value: Equatable>(
    _ value: Value, is expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(value == expected, sourceLocation: sourceLocation)
}
