import IngestSupport
import IngestUploads
import NIOCore
import ServiceKit
import Testing

@testable import IngestEdge

/// The pieces of a speed test. Tests/API/ndt7 runs whole ones by a client of its own.
@Suite struct SpeedTestTests {
    private func frames(_ bytes: [UInt8], in pieces: Int, most: Int = 1 << 20) throws(FrameSkipper.Fault)
        -> [FrameSkipper.Event]
    {
        var skipper = FrameSkipper(messageBytes: most), events: [FrameSkipper.Event] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try skipper.take(ByteBuffer(bytes: bytes[start..<min(start + pieces, bytes.count)])) { events.append($0) }
        }
        return events
    }

    /// What was counted of messages, and the rest as it came.
    private func summary(_ events: [FrameSkipper.Event]) -> (binary: Int, text: Int, others: [FrameSkipper.Event]) {
        var binary = 0, text = 0, others: [FrameSkipper.Event] = []
        for event in events {
            switch event {
            case .bytes(let count, let isText): if isText { text += count } else { binary += count }
            default: others.append(event)
            }
        }
        return (binary, text, others)
    }

    @Test(arguments: [1, 2, 3, 7, 64, 100_000])
    func `frames are counted in pieces of any size, and control frames are kept`(pieces: Int) throws {
        let bytes =
            RawWebSocket.frame(2, [UInt8](repeating: 7, count: 70_000)) + RawWebSocket.frame(9, [1, 2, 3])
            + RawWebSocket.frame(2, [], isLast: false) + RawWebSocket.frame(10, [])
            + RawWebSocket.frame(0, [UInt8](repeating: 1, count: 200)) + RawWebSocket.frame(1, Array("hello".utf8))
            + RawWebSocket.frame(8, [3, 232])
        let (binary, text, others) = summary(try frames(bytes, in: pieces))
        #expect(binary == 70_200 && text == 5)
        #expect(
            others == [
                .message(isText: false), .ping([1, 2, 3]), .pong, .message(isText: false), .message(isText: true),
                .close([3, 232]),
            ])
    }

    @Test(arguments: [
        (RawWebSocket.frame(2, [1], isMasked: false), FrameSkipper.Fault.broken),
        (RawWebSocket.frame(2, [1], reserved: 0x40), .broken), (RawWebSocket.frame(3, [1]), .broken),
        (RawWebSocket.frame(0, [1]), .broken), (RawWebSocket.frame(9, [1], isLast: false), .broken),
        (RawWebSocket.frame(9, [UInt8](repeating: 1, count: 126)), .broken),
        (RawWebSocket.frame(2, [1], isLast: false) + RawWebSocket.frame(1, [1]), .broken),
        (RawWebSocket.frame(2, [UInt8](repeating: 1, count: 1_001)), .tooBig),
        (
            RawWebSocket.frame(2, [UInt8](repeating: 1, count: 900), isLast: false)
                + RawWebSocket.frame(0, [UInt8](repeating: 1, count: 101)), .tooBig
        ),
        ([0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4], .tooBig),
    ])
    func `what breaks the protocol is named`(bytes: [UInt8], fault: FrameSkipper.Fault) {
        #expect(throws: fault) { try frames(bytes, in: 5, most: 1_000) }
    }

    @Test func `messages of a download grow, never beyond a megabyte or the limit`() {
        var core = SpeedTestCore(.download, limit: 100_000_000), sizes: [Int] = []
        while let next = core.nextMessage(at: 1) { sizes.append(next) }
        #expect(sizes.reduce(0, +) == 100_000_000 && core.isOver(at: 1))
        #expect(sizes.first == 1 << 13 && sizes.max() == 1 << 20)
        var sent = 0
        for size in sizes.dropLast() {
            #expect(size == 1 << 13 || size * 16 <= sent, "\(size) after \(sent)")
            sent += size
        }
        var late = SpeedTestCore(.download, limit: 100)
        #expect(late.nextMessage(at: SpeedTestCore.length) == nil && late.nextMessage(at: 5) == 100)
    }

    @Test func `an upload counts what comes, tells now and then, and ends`() {
        var core = SpeedTestCore(.upload, limit: 1_000)
        core.received(999, isText: false)
        #expect(!core.isOver(at: 0) && core.nextMessage(at: 0) == nil)
        core.received(1, isText: false)
        #expect(core.isOver(at: 0))
        #expect(!core.tells(at: 1) && core.tells(at: SpeedTestCore.pause) && !core.tells(at: SpeedTestCore.pause + 1))
        core.received(SpeedTestCore.textBytes + 1, isText: true)
        #expect(core.isFlooded && core.bytes == 1_000)
        #expect(SpeedTestCore(.upload, limit: 9).isOver(at: SpeedTestCore.longest))
    }

    @Test func `the budget bounds tests at once, an address and everybody, day by day`() throws {
        var limits = SpeedTestLimits()
        limits.concurrent = 2
        (limits.testBytes, limits.addressBytes, limits.dayBytes) = (100, 150, 300)
        let budget = SpeedTestBudget(limits, Metrics())
        let one = ClientAddress.v4([192, 0, 2, 1]), two = ClientAddress.v4([192, 0, 2, 2])
        func run(_ address: ClientAddress, _ day: Int64, _ bytes: Int) throws(DeviceAPIError) -> Int {
            let limit = try budget.begin(from: address, now: day * 86_400_000 + 5)
            budget.moved(min(bytes, limit), from: address)
            budget.end(.done, from: address)
            return limit
        }
        #expect(try run(one, 1, 100) == 100 && run(one, 1, 100) == 50)
        #expect(throws: DeviceAPIError.self) { try run(one, 1, 1) }
        #expect(try run(two, 1, 100) == 100 && run(two, 1, 50) == 50)
        #expect(throws: DeviceAPIError.self) { try run(.none, 1, 1) }
        #expect(try run(one, 2, 0) == 100)
        _ = try budget.begin(from: one, now: 3 * 86_400_000)
        _ = try budget.begin(from: two, now: 3 * 86_400_000)
        let refused = #expect(throws: DeviceAPIError.self) { try budget.begin(from: two, now: 3 * 86_400_000) }
        #expect(refused?.reason == .busy)
    }

    @Test func `a line has its bytes whichever of its addresses it shows, and half of the places`() throws {
        var limits = SpeedTestLimits()
        limits.concurrent = 4
        (limits.testBytes, limits.addressBytes, limits.dayBytes) = (100, 150, 1_000)
        let budget = SpeedTestBudget(limits, Metrics())
        func address(_ last: UInt8, net: UInt8 = 1) -> ClientAddress {
            .v6([0x20, 1, 0xd, 0xb8, 0, 0, 0, net, 0, 0, 0, 0, 0, 0, 0, last])
        }
        #expect(try budget.begin(from: address(1), now: 5) == 100)
        budget.moved(100, from: address(1))
        #expect(try budget.begin(from: address(2), now: 5) == 50)
        #expect(#expect(throws: DeviceAPIError.self) { try budget.begin(from: address(3), now: 5) }?.reason == .busy)
        #expect(try budget.begin(from: address(1, net: 2), now: 5) == 100)
        budget.end(.done, from: address(1))
        #expect(try budget.begin(from: address(3), now: 5) == 50)
    }
}
