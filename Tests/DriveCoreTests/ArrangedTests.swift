import Testing

@testable import DriveCore

struct ArrangedTests {
    @Test(arguments: [
        [], [0], [1, 0], [0, 1, 2], [2, 0, 1], [1, 2, 0], [3, 2, 1, 0], [1, 0, 3, 2], [4, 2, 0, 3, 1],
    ])
    func eachPlaceGetsWhatTheOrderNames(_ order: [Int]) {
        let letters = order.indices.map { "letter \($0)" }
        var arranged = letters
        arranged.arrange(order)
        #expect(arranged == order.map { letters[$0] })
    }
}
