extension Array {
    /// At each place comes what is at `order` of it, which has each place once. Without a second array.
    mutating func arrange(_ order: [Int]) {
        var order = order
        for start in order.indices where order[start] != start {
            var place = start
            while order[place] != start {
                let next = order[place]
                swapAt(place, next)
                order[place] = place
                place = next
            }
            order[place] = place
        }
    }
}
