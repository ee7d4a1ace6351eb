internal import Glibc

/// A place for one result, for which one thread waits.
final class Reply<T: Sendable>: @unchecked Sendable {
    // `result` is written once before the semaphore is posted and read once after it was waited for.
    private var result: Result<T, any Error>?
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func give(_ result: Result<T, any Error>) {
        self.result = result
        sem_post(semaphore)
    }

    func wait() -> Result<T, any Error> {
        while sem_wait(semaphore) != 0 && errno == EINTR {}
        return result!
    }
}
