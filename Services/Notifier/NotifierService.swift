internal import NotifierSending
internal import ServiceKit
public import ServiceLifecycle

/// The running notifier: reads channels and alarms, writes the lane of deliveries, tells channels, asks subscribers.
public struct NotifierService: Service {
    let host: ServiceHost
    let threads: LaneThreads
    let caller: ChannelCaller
    let asker: QuestionCaller

    /// Until the program is asked to stop or a thread has failed; the step it is in is committed before it returns. Calls on
    /// the way are given up and made again after the next start, but for questions.
    public func run() async throws {
        try await threads.run { try await host.serve(caller, asker) }
    }
}
