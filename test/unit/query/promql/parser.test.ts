import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parsePromql } from '../../../../src/query/promql/syntax/parser.js'
import { PromqlSyntaxError } from '../../../../src/query/promql/syntax/syntax-error.js'

describe('a query that cannot be read', () => {
  it.each([
    ['', 'unknown position: parse error: no expression found in input'],
    ['# nothing', '1:1: parse error: no expression found in input'],
    ['foo bar', '1:5: parse error: unexpected identifier "bar"'],
    ['sum(', '1:5: parse error: unclosed left parenthesis'],
    ['sum(x y)', '1:7: parse error: unexpected identifier "y" in aggregation'],
    ['abs(x by)', '1:7: parse error: unexpected <by>'],
    ['x +', '1:4: parse error: unexpected end of input'],
    ['x * / y', '1:5: parse error: unexpected <op:/>'],
    ['x sum', '1:3: parse error: unexpected <aggr:sum>'],
    ['sum by x (y)', '1:8: parse error: unexpected identifier "x" in grouping opts, expected "("'],
    ['rate(x{a="b"', '1:13: parse error: unexpected end of input inside braces'],
    ['x{a ! b}', "1:5: parse error: unexpected character after '!' inside braces: ' '"],
    ['x{a="b")', "1:8: parse error: unexpected character inside braces: ')'"],
    ['x{{a="b"}', "1:3: parse error: unexpected left brace '{'"],
    ['x{by by}', '1:6: parse error: unexpected identifier "by" in label matching, expected label matching operator'],
    ['x{=~"b"}', '1:3: parse error: unexpected <op:=~> in label matching, expected identifier or "}"'],
    ['x{a==b}', '1:5: parse error: unexpected "=" in label matching, expected string'],
    ['x{a=~"("}', '1:3: parse error: error parsing regexp: missing closing ): `(`'],
    ['x =~ y', "1:3: parse error: unexpected character after '=': '~'"],
    ['x ! y', "1:3: parse error: unexpected character after '!': ' '"],
    ['x)', "1:3: parse error: unexpected right parenthesis ')'"],
    ['x] + "', "1:2: parse error: unexpected right bracket ']'"],
    ['(x[5m', '1:6: parse error: unclosed left parenthesis'],
    ['x } y', "1:3: parse error: unexpected character: '}'"],
    ['x y "', '1:3: parse error: unexpected identifier "y"'],
    ['é + x', "1:1: parse error: unexpected character: 'é'"],
    ['"é" + \\', "1:8: parse error: unexpected character: '\\\\'"],
    ['on(x)', '1:1: parse error: unexpected <on>'],
    ['a:b(x)', '1:4: parse error: unexpected "("'],
    ['by(x)', '1:3: parse error: unexpected "("'],
    ['1 > Inf(x)', '1:8: parse error: unexpected "("'],
    ['fill(x)', '1:5: parse error: unexpected "("'],
    ['x + on(a) group_left * y', '1:22: parse error: unexpected <op:*> in grouping opts, expected "("'],
    ['5x', '1:1: parse error: bad number or duration syntax: "5"'],
    ['1.2.3', '1:1: parse error: bad number or duration syntax: "1.2."'],
    ['1 + 0x', '1:5: parse error: error parsing number: strconv.ParseFloat: parsing "0x": invalid syntax'],
    ['x > 1e1000', '1:5: parse error: error parsing number: strconv.ParseFloat: parsing "1e1000": value out of range'],
    ['"\\q"', "1:1: parse error: unknown escape sequence U+0071 'q'"],
    ['"\\xg"', "1:1: parse error: illegal character U+0067 'g' in escape sequence"],
    ['"\\ud800"', '1:1: parse error: escape sequence is an invalid Unicode code point'],
    ['"a\\', '1:1: parse error: escape sequence not terminated'],
    ['{}', '1:1: parse error: vector selector must contain at least one non-empty matcher'],
    ['{a=~".*"}', 'at least one non-empty matcher'],
    ['x{__name__="y"}', '1:1: parse error: metric name must not be set twice: "x" or "y"'],
    ['x{__name__!~"y"}', '1:1: parse error: metric name must not be set twice: "x" or "y"'],
    ['{a=~"b*",c!="d"}', '1:1: parse error: vector selector must contain at least one non-empty matcher'],
    ['rate(x)', 'expected type range vector in call to function "rate", got instant vector'],
    ['nope(x)', 'unknown function with name "nope"'],
    ['abs()', 'expected 1 argument(s) in call to "abs", got 0'],
    ['round(x, 1, 2)', 'expected at most 2 argument(s)'],
    ['topk(x)', 'wrong number of arguments for aggregate expression'],
    ['1 == 1', '1:3: parse error: comparisons between scalars must use BOOL modifier'],
    ['1 and x', 'set operator "and" not allowed in binary scalar expression'],
    ['x  + bool y', '1:4: parse error: bool modifier can only be used on comparison operators'],
    ['x and on(a) group_left() y', 'no grouping allowed for "and" operation'],
    ['x + on(a) group_left(a) y', '1:3: parse error: label "a" must not occur in ON and GROUP clause at once'],
    ['1 + on(a) x', 'vector matching only allowed between instant vectors'],
    ['sum(x)[5m]', 'ranges only allowed for vector selectors'],
    ['x offset 1m[5m]', 'no offset modifiers allowed before range'],
    ['-x offset 1m offset 2m', '1:2: parse error: offset may not be set multiple times'],
    ['1 + x @ 1 @ 2', '1:5: parse error: @ <timestamp> may not be set multiple times'],
    ['sum_over_time(time()[5m:1m])', '1:15: parse error: subquery is only allowed on instant vector, got scalar instead'],
    ['x[0s]', '1:3: parse error: duration must be greater than 0'],
    ['x[5]m', '1:5: parse error: unexpected identifier "m"'],
    ['5mm', 'bad number or duration syntax'],
    ['"open', 'unterminated quoted string'],
    ['x @ nan', '1:1: parse error: timestamp out of bounds for @ modifier: NaN'],
    ['1 + x @ -Inf', '1:5: parse error: timestamp out of bounds for @ modifier: -Inf'],
    // Its milliseconds are not number any more.
    [`x @ 1e306`, 'timestamp out of bounds for @ modifier: 1000000000000000017'],
    ['x @ -9223372036854775808', 'timestamp out of bounds for @ modifier: -9223372036854775808.000000'],
    ['x @ (5)', '1:5: parse error: unexpected "(" in @, expected timestamp'],
    ['abs(x,)', '1:6: parse error: trailing commas not allowed in function call args'],
    ['abs(x, * 2)', '1:6: parse error: trailing commas not allowed'],
    ['-"a"', 'unary expression only allowed on expressions of type scalar or instant vector'],
    ['x $ y', 'unexpected character'],
    ['rate(a.b[5m])', 'braces and quotes'],
    ['x\n  + +\n)', "3:2: parse error: unexpected right parenthesis ')'"]
  ])('%j is reported with the place and the reason', (query, text) => {
    expect(() => parsePromql(query)).toThrow(text)
    expect(() => parsePromql(query)).toThrow(PromqlSyntaxError)
  })

  it('is one with a regex beyond the limit', () => {
    expect(() => parsePromql(`x{a=~"${'a'.repeat(10_000)}"}`)).not.toThrow()
    expect(() => parsePromql(`x{a=~"${'a'.repeat(10_001)}"}`)).toThrow('a regex must not exceed 10000 characters')
    expect(() => parsePromql(`x{a=~"${'a|'.repeat(4_999)}a"}`)).not.toThrow()
    for (const refused of ['.*' + 'a'.repeat(999), '(a?){500}', '((a{10}){10}){10}']) {
      expect(() => parsePromql(`x{a=~"${refused}"}`)).toThrow('must not exceed 1000 characters with expanded repetitions')
    }
  })

  it('is one that is nested too deeply, before the stack is', () => {
    for (const query of ['('.repeat(100_000), '-'.repeat(100_000), `${'abs('.repeat(300)}x${')'.repeat(300)}`]) {
      expect(() => parsePromql(query)).toThrow('nested deeper')
    }
  })

  it('is one with too long a chain of operators, before the stack is full', () => {
    expect(() => parsePromql(`${'a+'.repeat(1_000)}a`)).not.toThrow()
    expect(() => parsePromql(`${'a+'.repeat(1_001)}a`)).toThrow('a query must not exceed 1000 operators')
  })

  it('is never anything but a syntax error, whatever the text', () => {
    const words = fc.constantFrom(
      ...'sum rate by on ( ) [ ] { } 5m 1 x "a" , : @ offset = =~ + - and group_left bool # \\'.split(' ')
    )
    const queries = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.array(words, { maxLength: 30 }).map(parts => parts.join(' '))
    )
    fc.assert(
      fc.property(queries, query => {
        try {
          parsePromql(query)
        } catch (error) {
          expect(error).toBeInstanceOf(PromqlSyntaxError)
        }
      }),
      { numRuns: 3_000 }
    )
  })
})

describe('a duration that cannot be read', () => {
  const DURATION = 'number, duration, step(), or range()'
  it.each([
    ['x[1h -]', `1:7: parse error: unexpected "]" in subquery or range selector, expected ${DURATION}`],
    ['x[5m 3m]', '1:6: parse error: unexpected duration "3m" in subquery or range, expected ":" or "]"'],
    ['x[5m:*]', '1:6: parse error: unexpected <op:*> in subquery selector, expected number, duration, step(), range(), or "]"'],
    ['x[5m:3m 2]', '1:9: parse error: unexpected number "2" in subquery selector, expected "]"'],
    ['x[foo]', "1:3: parse error: unexpected character in duration expression: 'f'"],
    ['x[5m foo]', "1:6: parse error: unexpected character: 'f', expected ':'"],
    ['x[', '1:3: parse error: unexpected end of input in duration expression'],
    ['x[5m', '1:5: parse error: unclosed left bracket'],
    ['x[max_of(1m)]', `1:12: parse error: unexpected ")" in subquery or range selector, expected ${DURATION}`],
    ['x[-5m]', '1:3: parse error: duration must be greater than 0'],
    ['x[1 + 2h / 0]', '1:10: parse error: division by zero'],
    ['x[(3) % 0s]', '1:7: parse error: modulo by zero'],
    ['x[1e10]', '1:3: parse error: duration out of range'],
    ['x @ 16999994005m', '1:5: parse error: duration out of range'],
    ['1 + 99999999999h', '1:5: parse error: duration out of range'],
    ['x offset -inf', '1:11: parse error: duration out of range'],
    ['x offset foo', `1:10: parse error: unexpected identifier "foo" in offset, expected ${DURATION}`],
    ['x offset (5m) + y', `1:17: parse error: unexpected identifier "y" in offset, expected ${DURATION}`],
    ['1 + x offset step() offset 5m', '1:5: parse error: offset may not be set multiple times'],
    ['x offset step()[5m]', '1:16: parse error: no offset modifiers allowed before range']
  ])('%s is reported with the place and the reason', (query, text) => {
    expect(() => parsePromql(query)).toThrow(text)
    expect(() => parsePromql(query)).toThrow(PromqlSyntaxError)
  })

  it('is one that is nested too deeply, before the stack is', () => {
    for (const query of [`x[${'('.repeat(10_000)}`, `x offset ${'-'.repeat(10_000)}1`, `x[${'max_of('.repeat(2_000)}`]) {
      expect(() => parsePromql(query)).toThrow('nested deeper')
    }
    expect(() => parsePromql(`x[${'1+'.repeat(1_001)}1]`)).toThrow('a query must not exceed 1000 operators')
  })
})

describe('a modifier in the wrong place', () => {
  it.each([
    ['1 + sum(x) smoothed', '1:5: parse error: smoothed modifier not implemented'],
    ['rate(x[5m:1m] anchored)', '1:6: parse error: anchored modifier is not supported for subqueries'],
    ['rate(x[5m] anchored smoothed)', '1:6: parse error: anchored and smoothed modifiers cannot be used together'],
    ['rate(x smoothed[5m] anchored)', '1:6: parse error: anchored and smoothed modifiers cannot be used together'],
    ['x + fill(y) z', '1:10: parse error: unexpected identifier "y"'],
    ['x + fill_left(1) fill_left(2) y', '1:18: parse error: unexpected <fill_left>'],
    ['x + fill(1) fill_left(2) y', '1:13: parse error: unexpected <fill_left>'],
    ['1 + x + fill(0) 2', '1:1: parse error: filling in missing series only allowed between instant vectors'],
    ['x and fill(0) y', '1:1: parse error: filling in missing series not allowed for set operators'],
    ['START()', '1:1: parse error: unknown function with name "START"']
  ])('%s is reported with the place and the reason', (query, text) => {
    expect(() => parsePromql(query)).toThrow(text)
    expect(() => parsePromql(query)).toThrow(PromqlSyntaxError)
  })
})

describe('a query', () => {
  it.each([
    ['sum by (a) (x)', 'sum(x) by (a)'],
    ['x[5m]', 'x[300]'],
    ['-5', '- +5'],
    ['x offset 5m + 3', '(x offset 5m) + 3'],
    ['x offset -2 ^ 2', '(x offset -2) ^ 2'],
    ['x offset step() * 2', '(x offset step()) * 2'],
    ['x offset -max_of(1, 2) * 2', '(x offset -max_of(1, 2)) * 2'],
    ['x anchored[5m]', 'x[5m] anchored'],
    ['-x smoothed offset 1m', '-(x offset 1m smoothed)'],
    ['x + fill_right(1) fill_left(-2s) y', 'x + fill_left(-2) fill_right(+1) y'],
    ['x + FILL (3) y', 'x + fill_left(3) fill_right(3) y'],
    ['5m', '300'],
    ['0x1F', '31'],
    ['010', '8'],
    ['08', '8.'],
    ['0x_1f + 1_0.5e1', '31 + 105'],
    ['1e3', '1_000'],
    ["{'a.b'='c'}", '{"a.b"="c"}'],
    ['SUM(x)', 'sum(x)'],
    ['x # comment', 'x'],
    ['"\\u00e9\\x41\\101"', '"éAA"'],
    ['a + b * c', 'a + (b * c)'],
    ['a or b and c', 'a or (b and c)']
  ])('%s reads as %s', (one, other) => {
    expect(plain(parsePromql(one))).toEqual(plain(parsePromql(other)))
  })
})

/** The tree without positions and parentheses. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (typeof node !== 'object' || node === null) return node
  const { position: _position, isDuration: _isDuration, ...rest } = node as Record<string, unknown>
  if (rest['type'] === 'paren') return plain(rest['expr'])
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, plain(value)]))
}

describe('what Prometheus calls experimental', () => {
  it.each([
    ['limitk(2, x)', '1:1: parse error: limitk() is experimental and must be enabled by promql_experimental'],
    ['sum(limit_ratio by (a) (0.5, x))', '1:5: parse error: limit_ratio() is experimental'],
    ['1 + info(x)', '1:5: parse error: function "info" is not enabled'],
    ['sort_by_label_desc(mad_over_time(x[5m]), "a")', '1:20: parse error: function "mad_over_time" is not enabled'],
    ['1 + step()', '1:5: parse error: function "step" is not enabled'],
    ['max_of(1, 2)', '1:1: parse error: function "max_of" is not enabled'],
    ['sum(rate(x[5m] anchored))', '1:10: parse error: anchored modifier is experimental and not enabled'],
    ['x smoothed', '1:1: parse error: smoothed modifier is experimental and not enabled'],
    ['1 + x * on(a) fill(0) y', '1:5: parse error: binop fill modifiers are experimental and not enabled']
  ])('%s is refused where that is off', (query, text) => {
    expect(() => parsePromql(query)).not.toThrow()
    expect(() => parsePromql(query, false)).toThrow(text)
    expect(() => parsePromql(query, false)).toThrow(PromqlSyntaxError)
  })

  it('are not computed durations', () => {
    expect(() => parsePromql('rate(x[max_of(step() * 2, 1m)] offset -step())', false)).not.toThrow()
  })

  it('is a name like others for metrics and labels', () => {
    const names = 'sum by (fill, smoothed, step) (fill + fill_left) / (anchored - step) * on (max_of) end'
    expect(() => parsePromql(names, false)).not.toThrow()
    expect(() => parsePromql('sum by (info) (limitk{mad_over_time="x"}) + info', false)).not.toThrow()
  })
})
