import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import IngestEdge

@Suite struct EdgeTurnsTests {
    /// Sends a byte to its own loop by a socket when the first upload is read, and notes how many were read when it came.
    private final class Watch: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        /// A loop without optimizations on a busy machine needs more than microseconds to get to its sockets.
        let turns = EdgeTurns(pause: .milliseconds(2))
        var read: [Int] = []
        var readBefore: Int?
        private let accepted: EventLoopPromise<Void>

        init(_ accepted: EventLoopPromise<Void>) { self.accepted = accepted }

        func channelActive(context: ChannelHandlerContext) { accepted.succeed() }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { readBefore = read.count }
    }

    /// By a Unix socket: its bytes are there as soon as they are written, however busy the machine is.
    @Test func `a byte that comes is seen before all that waits is read`() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/nkul-turns-\(UInt32.random(in: 0...(.max)))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1), loop = group.next(), count = 100
        let accepted = loop.makePromise(of: Void.self)
        let watch = NIOLoopBoundBox.makeBoxSendingValue(Watch(accepted), eventLoop: loop)
        let server = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(watch.value) }
            }.bind(unixDomainSocketPath: path).get()
        let client = try await ClientBootstrap(group: loop).connect(unixDomainSocketPath: path).get()
        try await accepted.futureResult.get()
        let (read, before) = try await loop.flatSubmit {
            let ended = loop.makePromise(of: ([Int], Int?).self), watch = watch.value
            for number in 0..<count {
                watch.turns.add(on: loop) {
                    if number == 0 { client.writeAndFlush(ByteBuffer(string: "!"), promise: nil) }
                    // What an upload of a hundred takes.
                    let end = NIODeadline.now() + .microseconds(120)
                    while .now() < end {}
                    watch.read.append(number)
                    if number == count - 1 { ended.succeed((watch.read, watch.readBefore)) }
                }
            }
            return ended.futureResult
        }.get()
        #expect(read == Array(0..<count))
        #expect(before.map { $0 < count / 2 } == true)
        try await client.close()
        try await server.close()
        try await group.shutdownGracefully()
    }

    @Test func `what comes later is read too`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let turns = NIOLoopBoundBox.makeBoxSendingValue(EdgeTurns(), eventLoop: loop)
        for number in 0..<3 {
            let read = try await loop.flatSubmit {
                let promise = loop.makePromise(of: Int.self)
                turns.value.add(on: loop) { promise.succeed(number) }
                return promise.futureResult
            }.get()
            #expect(read == number)
        }
    }
}
