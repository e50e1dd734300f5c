import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parsePromql } from '../../../../src/query/promql/syntax/parser.js'
import { PromqlSyntaxError } from '../../../../src/query/promql/syntax/syntax-error.js'

describe('a query that cannot be read', () => {
  it.each([
    ['', '1:1: parse error: no expression found in input'],
    ['foo bar', '1:5: parse error: unexpected word "bar" in query'],
    ['sum(', '1:5: parse error: unexpected end of input'],
    ['x{a="b"', '1:8: parse error: unexpected end of input in label matching'],
    ['{}', '1:1: parse error: vector selector must contain at least one non-empty matcher'],
    ['{a=~".*"}', 'at least one non-empty matcher'],
    ['x{__name__="y"}', 'metric name must not be set twice'],
    ['rate(x)', 'expected type range vector in call to function "rate", got instant vector'],
    ['nope(x)', 'unknown function with name "nope"'],
    ['abs()', 'expected 1 argument(s) in call to "abs", got 0'],
    ['round(x, 1, 2)', 'expected at most 2 argument(s)'],
    ['topk(x)', 'wrong number of arguments for aggregate expression'],
    ['1 == 1', 'comparisons between scalars must use BOOL modifier'],
    ['1 and x', 'set operator "and" not allowed in binary scalar expression'],
    ['x + bool y', 'bool modifier can only be used on comparison operators'],
    ['x and on(a) group_left() y', 'no grouping allowed for "and" operation'],
    ['x + on(a) group_left(a) y', 'must not occur in ON and GROUP clause at once'],
    ['1 + on(a) x', 'vector matching only allowed between instant vectors'],
    ['sum(x)[5m]', 'ranges only allowed for vector selectors'],
    ['x offset 1m[5m]', 'no offset modifiers allowed before range'],
    ['x offset 1m offset 2m', 'offset may not be set multiple times'],
    ['x[0s]', 'duration must be greater than 0'],
    ['x[5]m', 'unexpected word "m"'],
    ['5mm', 'bad number or duration syntax'],
    ['"open', 'unterminated quoted string'],
    ['x @ nan', 'timestamp of the @ modifier'],
    ['abs(x,)', 'trailing commas not allowed'],
    ['-"a"', 'unary expression only allowed on expressions of type scalar or instant vector'],
    ['x $ y', 'unexpected character'],
    ['rate(a.b[5m])', 'braces and quotes'],
    ['x\n  + +\n)', '3:1: parse error']
  ])('%j says where and why', (query, text) => {
    expect(() => parsePromql(query)).toThrow(text)
    expect(() => parsePromql(query)).toThrow(PromqlSyntaxError)
  })

  it('is one with a regex beyond the limit', () => {
    expect(() => parsePromql(`x{a=~"${'a'.repeat(10_000)}"}`)).not.toThrow()
    expect(() => parsePromql(`x{a=~"${'a'.repeat(10_001)}"}`)).toThrow('a regex may be 10000 characters long')
    expect(() => parsePromql(`x{a=~"${'a|'.repeat(4_999)}a"}`)).not.toThrow()
    for (const refused of ['.*' + 'a'.repeat(999), '(a?){500}', '((a{10}){10}){10}']) {
      expect(() => parsePromql(`x{a=~"${refused}"}`)).toThrow('may be 1000 characters long with its repetitions written out')
    }
  })

  it('is one that is nested too deeply, before the stack is', () => {
    for (const query of ['('.repeat(100_000), '-'.repeat(100_000), `${'abs('.repeat(300)}x${')'.repeat(300)}`]) {
      expect(() => parsePromql(query)).toThrow('nested deeper')
    }
  })

  it('is one with too long a chain of operators, before the stack is full', () => {
    expect(() => parsePromql(`${'a+'.repeat(1_000)}a`)).not.toThrow()
    expect(() => parsePromql(`${'a+'.repeat(1_001)}a`)).toThrow('a query may have 1000 operators')
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

describe('a query', () => {
  it.each([
    ['sum by (a) (x)', 'sum(x) by (a)'],
    ['x[5m]', 'x[300]'],
    ['5m', '300'],
    ['0x1F', '31'],
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
    ['sort_by_label_desc(mad_over_time(x[5m]), "a")', '1:1: parse error: function "sort_by_label_desc" is not enabled']
  ])('%s is refused where that is off', (query, text) => {
    expect(() => parsePromql(query)).not.toThrow()
    expect(() => parsePromql(query, false)).toThrow(text)
    expect(() => parsePromql(query, false)).toThrow(PromqlSyntaxError)
  })

  it('is a name like others for metrics and labels', () => {
    expect(() => parsePromql('sum by (info) (limitk{mad_over_time="x"}) + info', false)).not.toThrow()
  })
})
