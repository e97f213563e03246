import Testing

@testable import DrivePredicates

@Suite struct FunctionTests {
    @Test(arguments: [
        ("sum({1, 2, 3}) == 6", "true"), ("sum(1, 2, 3) == 6", "true"), ("sum:({1, 2}) == 3", "true"),
        ("sum({}) == 0", "true"),
        ("count({1, nil}) == 2", "true"), ("min({3, 1.5}) == 1.5", "true"), ("max('a', 'b') == 'b'", "true"),
        ("average({1, 2}) == 1.5", "true"), ("median({5, 1, 3}) == 3", "true"), ("median({1, 2, 3, 4}) == 2.5", "true"),
        ("mode({1, 2, 2.0, 3}) == {2}", "true"), ("stddev({2, 4, 4, 4, 5, 5, 7, 9}) == 2", "true"),
        ("stddev({}) == nil", "true"), ("median({}) == nil", "true"), ("max({}) == nil", "true"),
        ("add:to:(1, 2) == 3", "true"), ("from:subtract:(5, 2) == 3", "true"), ("multiply:by:(3, 4) == 12", "true"),
        ("divide:by:(7, 2) == 3", "true"), ("divide:by:(7.0, 2) == 3.5", "true"), ("modulus:by:(7, 3) == 1", "true"),
        ("modulus:by:(-7, 3) == -1", "true"), ("modulus:by:(7.5, 2) == 1.5", "true"),
        ("raise:toPower:(2, 10) == 1024", "true"),
        ("sqrt(9) == 3", "true"), ("ln(exp(1)) == 1", "true"), ("log(1000) == 3", "true"), ("abs(-5) == 5", "true"),
        ("ceiling(1.2) == 2", "true"), ("floor(-1.2) == -2", "true"), ("trunc(-1.8) == -1", "true"),
        ("random() == 0.5", "true"),
        ("random(10) == 5", "true"), ("uppercase('ß') == 'SS'", "true"), ("lowercase('ÀB') == 'àb'", "true"),
        ("length('👩') == 2", "true"), ("length:('abc') == 3", "true"), ("bitwiseAnd:with:(6, 3) == 2", "true"),
        ("bitwiseOr:with:(6, 3) == 7", "true"), ("bitwiseXor:with:(6, 3) == 5", "true"),
        ("leftshift:by:(1, 4) == 16", "true"),
        ("rightshift:by:(16, 4) == 1", "true"), ("onesComplement:(0) == -1", "true"), ("~0 == -1", "true"),
        ("6 & 3 == 2", "true"), ("(6 | 1) == 7", "true"), ("1 << 100 == 0", "true"), ("6 ^ 3 == 5", "true"),
        ("objectFrom:withIndex:({7, 8}, 1) == 8", "true"), ("castObject:toType:(0, 'NSDate') < now()", "true"),
        ("noindex:(5) == 5", "true"),
        ("distanceToLocation:fromLocation:({52.52, 13.4}, {48.14, 11.58}) BETWEEN {503000, 506000}", "true"),
        ("'paris' IN tokenize:using:('I love Pâris!', 'cd')", "true"),
        ("now() == CAST('2026-03-15T12:00:00Z', 'NSDate')", "true"),
    ]) func functionsCompute(format: String, expected: String) {
        #expect(answer(format) == expected)
    }

    /// nil in, nil out; aggregates of a list skip what is missing.
    @Test(arguments: PredicateFunction.allCases) func functionsOfNilAreNil(function: PredicateFunction) throws {
        let count = min(function.arity.lowerBound, 2)
        guard count > 0 else { return }
        let arguments = Array(repeating: ValueExpression.keyPath(["missing"]), count: count)
        let predicate = MetadataPredicate.comparison(
            PredicateComparison(.function(function, arguments), .equal, .constant(.null)))
        #expect(try predicate.evaluate(PredicateValue.dictionary([:])))
    }

    /// Integers become real where they no longer fit, and nothing traps.
    @Test(arguments: [
        ("9223372036854775807 + 1 == 9223372036854775808.0", "true"),
        ("-9223372036854775807 - 2 < -9223372036854775807", "true"),
        ("9223372036854775807 * 2 == 18446744073709551614.0", "true"),
        ("-9223372036854775808 / -1 == 9223372036854775808.0", "true"),
        ("-(-9223372036854775808) == 9223372036854775808.0", "true"),
        ("abs(-9223372036854775808) == 9223372036854775808.0", "true"),
        ("modulus:by:(-9223372036854775808, -1) == 0", "true"), ("modulus:by:(1, 0) == 1", "false"),
        ("1 / 0 > 1e308", "true"),
        ("-1 / 0 < -1e308", "true"), ("0 / 0 == 0 / 0", "false"), ("2 ** 63 == 9223372036854775808.0", "true"),
        ("2 ** 62 == 4611686018427387904", "true"), ("2 ** -1 == 0.5", "true"), ("0 ** 0 == 1", "true"),
        ("-1 ** 9223372036854775807 == -1", "true"), ("10 ** 400 == CAST('inf', 'NSNumber')", "true"),
        ("sum({9223372036854775807, 1}) == 9223372036854775808.0", "true"), ("1 << 9223372036854775807 == 0", "true"),
        ("1 >> -9223372036854775808 == 0", "true"), ("trunc(1e300) == 1e300", "true"),
        ("{1, 2}[1e300] == nil", "true"), ("{1, 2}[CAST('NaN', 'NSNumber')] == nil", "true"),
        ("CAST(1e300, 'NSDate') == nil", "true"), ("now() + 1e300 == nil", "true"),
        ("now() + 9223372036854775807 == nil", "true"),
        ("now() - -9223372036854775808 == nil", "true"), ("random(9223372036854775807) > 0", "true"),
        ("'9e99'.intValue == 9223372036854775807", "true"),
    ]) func arithmeticNeverTraps(format: String, expected: String) {
        #expect(answer(format) == expected)
    }

    @Test(arguments: [
        ("7 / 2 == 3", "true"), ("-7 / 2 == -3", "true"), ("7 / 2.0 == 3.5", "true"), ("2 + 3 * 4 == 14", "true"),
        ("2 ** 3 ** 2 == 64", "true"), ("-2 ** 2 == 4", "true"), ("10 - 4 - 3 == 3", "true"),
        ("2 * 3 ** 2 == 18", "true"),
        ("- (2) == -2", "true"), ("3 -2 == 1", "true"), ("1 + 2 << 1 == 6", "true"),
        ("0x10 + 0b11 + 0o7 == 26", "true"),
        (".5 + 1 == 1.5", "true"), ("'a' + 'b' == 'ab'", "error wrongKind"),
    ]) func operatorsBindAsDecided(format: String, expected: String) {
        #expect(answer(format) == expected)
    }

    @Test(arguments: [
        ("CAST('12', 'NSNumber') == 12", "true"), ("CAST(' 1.5 ', 'NSNumber') == 1.5", "true"),
        ("CAST('x', 'NSNumber') == nil", "true"),
        ("CAST(5.0, 'NSString') == '5'", "true"), ("CAST(5.5, 'NSString') == '5.5'", "true"),
        ("CAST(YES, 'NSString') == '1'", "true"),
        ("CAST(0, 'NSDate') == CAST('2001-01-01T00:00:00Z', 'NSDate')", "true"),
        ("CAST(CAST(5, 'NSDate'), 'NSNumber') == 5", "true"),
        ("CAST(CAST(0.5, 'NSDate'), 'NSString') == '2001-01-01T00:00:00.5Z'", "true"),
        ("CAST(CAST(now(), 'NSNumber') - 86400, 'NSDate') == now() - 86400", "true"),
        ("now() - CAST('2026-03-15T11:00:00Z', 'NSDate') == 3600", "true"),
        ("CAST('AQI=', 'NSData').length == 2", "true"),
        ("CAST(CAST('AQI=', 'NSData'), 'NSString') == 'AQI='", "true"),
        ("CAST({'a', 1}, 'NSDictionary')['a'] == 1", "true"),
        ("CAST(-62135596800, 'NSDate') < now()", "true"),
    ]) func castsConvert(format: String, expected: String) {
        #expect(answer(format) == expected)
    }
}
