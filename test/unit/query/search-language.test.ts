import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { GatewayError } from '../../../src/domain/errors.js'
import type { Field, Filter } from '../../../src/domain/filter.js'
import { MAX_QUERY_CHARS, MAX_QUERY_DEPTH, MAX_QUERY_TERMS, parseQuery } from '../../../src/query/search-language/parse-query.js'
import { LOG_VOCABULARY } from '../../../src/query/vocabulary.js'
import { cpuMs } from '../../support/cpu-ms.js'

/** CPU time in µs, whatever else runs: linear work takes milliseconds, backtracking minutes. */
const MAX_CPU_MS = 5_000

const parse = (text: string) => parseQuery(text, LOG_VOCABULARY)
const known = (name: string): Field => ({ in: 'known', name })
const free = (name: string): Field => ({ in: 'free', name })
const word = (value: string): Filter => ({ kind: 'contains', field: known('message'), value })
const eq = (field: Field, value: string): Filter => ({ kind: 'eq', field, value })
const and = (...of: Filter[]): Filter => ({ kind: 'and', of })
const or = (...of: Filter[]): Filter => ({ kind: 'or', of })
const not = (of: Filter): Filter => ({ kind: 'not', of })
const service = known('service')

const CASES: readonly (readonly [string, Filter])[] = [
  ['', and()],
  ['  \t ', and()],
  ['timeout', word('timeout')],
  ['connection refused', and(word('connection'), word('refused'))],
  ['connection AND refused', and(word('connection'), word('refused'))],
  ['"connection refused"', word('connection refused')],
  ['a OR b', or(word('a'), word('b'))],
  ['a b OR c', or(and(word('a'), word('b')), word('c'))],
  ['a (b OR c)', and(word('a'), or(word('b'), word('c')))],
  ['-debug', not(word('debug'))],
  ['NOT debug', not(word('debug'))],
  ['NOT NOT debug', word('debug')],
  ['-(a b)', not(and(word('a'), word('b')))],
  ['-"a b"', not(word('a b'))],
  ['a -b', and(word('a'), not(word('b')))],
  ['out-of-stock', word('out-of-stock')],
  ['a - b', and(word('a'), word('-'), word('b'))],
  ['--verbose', word('--verbose')],
  ['a -> b', and(word('a'), word('->'), word('b'))],
  ['and or not', and(word('and'), word('or'), word('not'))],
  ['"AND"', word('AND')],
  ['service:checkout', eq(service, 'checkout')],
  ['service:"check out"', eq(service, 'check out')],
  ['-service:checkout', not(eq(service, 'checkout'))],
  ['service:check*', { kind: 'prefix', field: service, value: 'check' }],
  ['service:*out', { kind: 'regex', field: service, pattern: '.*out', fold: false }],
  ['service:a.b*c', { kind: 'regex', field: service, pattern: 'a\\.b.*c', fold: false }],
  ['service:*', { kind: 'exists', field: service }],
  ['service:**', { kind: 'exists', field: service }],
  ['service:\\*', eq(service, '*')],
  ['service:"*"', eq(service, '*')],
  ['service:"1.10"', eq(service, '1.10')],
  ['release:1.10', eq(free('release'), '1.10')],
  ['release:"1.10"', { kind: 'text', field: free('release'), values: ['1.10'] }],
  ['release:"1.10-rc"', eq(free('release'), '1.10-rc')],
  [
    'release:("1.10" OR beta OR "1.1")',
    or({ kind: 'text', field: free('release'), values: ['1.10', '1.1'] }, eq(free('release'), 'beta'))
  ],
  ['release:>"1.10"', { kind: 'range', field: free('release'), gt: '1.10' }],
  ['service:(a OR b)', { kind: 'in', field: service, values: ['a', 'b'] }],
  ['service:a OR service:b', { kind: 'in', field: service, values: ['a', 'b'] }],
  [
    'service:a OR host:x OR service:(b OR c OR a) OR (host:y OR z)',
    or(
      { kind: 'in', field: service, values: ['a', 'b', 'c'] },
      { kind: 'in', field: known('host'), values: ['x', 'y'] },
      word('z')
    )
  ],
  ['-service:a x -service:(b OR c)', and(word('x'), not({ kind: 'in', field: service, values: ['a', 'b', 'c'] }))],
  ['-service:a -host:a', and(not(eq(service, 'a')), not(eq(known('host'), 'a')))],
  ['tags.x:a OR log_fields.x:a', or(eq({ in: 'tags', name: 'x' }, 'a'), eq({ in: 'log_fields', name: 'x' }, 'a'))],
  ['service:a OR service:a', eq(service, 'a')],
  ['service:(a b)', and(eq(service, 'a'), eq(service, 'b'))],
  ['service:(a OR b*)', or(eq(service, 'a'), { kind: 'prefix', field: service, value: 'b' })],
  ['service:(a OR -"b c")', or(eq(service, 'a'), not(eq(service, 'b c')))],
  ['path:(a:b)', eq(free('path'), 'a:b')],
  ['status:500', eq(free('status'), '500')],
  ['http.status:500', eq(free('http.status'), '500')],
  ['log_fields.service:x', eq({ in: 'log_fields', name: 'service' }, 'x')],
  ['tags.a.b:x', eq({ in: 'tags', name: 'a.b' }, 'x')],
  ['status:>10', { kind: 'range', field: free('status'), gt: '10' }],
  ['status:>=10', { kind: 'range', field: free('status'), gte: '10' }],
  ['status:<-1.5', { kind: 'range', field: free('status'), lt: '-1.5' }],
  ['status:<=10', { kind: 'range', field: free('status'), lte: '10' }],
  [
    'status:(>=500 <600)',
    and({ kind: 'range', field: free('status'), gte: '500' }, { kind: 'range', field: free('status'), lt: '600' })
  ],
  ['status:-5', eq(free('status'), '-5')],
  ['level:WARNING', eq(known('level'), 'warn')],
  ['level:critical', eq(known('level'), 'error')],
  ['level:custom', eq(known('level'), 'custom')],
  ['level:>=warn', { kind: 'in', field: known('level'), values: ['warn', 'error', 'fatal'] }],
  ['level:<info', { kind: 'in', field: known('level'), values: ['trace', 'debug'] }],
  ['level:(warning OR err)', { kind: 'in', field: known('level'), values: ['warn', 'error'] }],
  ['message:refused', word('refused')],
  ['message:"a b"', word('a b')],
  ['message:*', { kind: 'exists', field: known('message') }],
  ['conn*', word('conn')],
  ['conn*refused', { kind: 'regex', field: known('message'), pattern: '.*conn.*refused.*', fold: true }],
  ['10.0.0.1:8080', word('10.0.0.1:8080')],
  ['12:30:45', word('12:30:45')],
  ['http://shop/cart', word('http://shop/cart')],
  ['std::bad_alloc', word('std::bad_alloc')],
  ['Error: refused', and(word('Error:'), word('refused'))],
  ['url:http://x', eq(free('url'), 'http://x')],
  ['"C:\\temp"', word('C:\\temp')],
  ['"a \\"hi\\" \\\\ "', word('a "hi" \\ ')],
  ['\\(x\\)', word('(x)')],
  ['\\😀\\\u{20BB7}:x', eq(free('😀\u{20BB7}'), 'x')],
  ['status:"[1 TO 5]"', eq(free('status'), '[1 TO 5]')],
  ['status:[main]', eq(free('status'), '[main]')],
  ['user\\ name:bob', eq(free('user name'), 'bob')],
  ['100%_done', word('100%_done')],
  ['ÉCLAIR', word('ÉCLAIR')],
  ['timestamp:>=2026-01-01T00:00:00Z', { kind: 'range', field: known('timestamp'), gte: '1767225600000000000' }],
  ['trace_id:"OR"', eq(known('trace_id'), 'OR')],
  ['trace_id:OR', eq(known('trace_id'), 'OR')]
]

const FAULTS: readonly (readonly [string, number, RegExp])[] = [
  ['"open', 0, /not closed/],
  ['a (b', 2, /not closed/],
  ['a) b', 1, /unexpected closing/],
  ['()', 1, /word is missing/],
  ['a OR', 4, /ends where/],
  ['OR a', 0, /both sides/],
  ['a AND OR b', 6, /both sides/],
  ['NOT', 3, /ends where/],
  ['service: checkout', 7, /without a space/],
  ['status:>', 8, /value is missing/],
  ['level:>=loud', 6, /not a known level/],
  ['timestamp:yesterday', 10, /not a time/],
  ['x status:[10 TO 20]', 9, /write a range as two comparisons/],
  ['status:(1 OR {10 TO *])', 13, /write a range as two comparisons/],
  ['status:>1*', 7, /wildcards are not supported/],
  ['a\\', 1, /backslash/],
  ['a*b*c*d*e*f*g*h*i*j', 0, /exceed 8 wildcards/]
]

function fault(text: string): GatewayError {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error(`accepted: ${text}`)
}

/** Pieces of hostile queries. */
const PIECES = '( ) " : - * \\ OR AND NOT > >= < a service level timestamp /'.split(' ').concat(' ', '\u0000', '\ud800')

describe('the search language', () => {
  it.each(CASES)('reads %j', (text, filter) => expect(parse(text)).toEqual(filter))

  it.each(FAULTS)('refuses %j and reports the position', (text, position, sentence) => {
    const error = fault(text)
    expect(error.code).toBe('invalid_query')
    expect(error.members['position']).toBe(position)
    expect(error.message).toMatch(sentence)
  })

  it('takes any text in quotation marks as that text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), text => {
        const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`
        expect(parse(quoted)).toEqual(word(text))
        expect(parse(`service:${quoted}`)).toEqual(eq(service, text))
      })
    )
  })

  it('takes any word with each character escaped as that word', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary-ascii' }), text => {
        expect(parse([...text].map(char => `\\${char}`).join(''))).toEqual(word(text))
      })
    )
  })

  it('throws nothing but invalid_query, whatever the text', () => {
    const piece = fc.constantFrom(...PIECES)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 40 }).map(all => all.join('')),
          fc.string({ maxLength: 60 })
        ),
        text => {
          try {
            parse(text)
          } catch (error) {
            expect(error).toBeInstanceOf(GatewayError)
            expect((error as GatewayError).code).toBe('invalid_query')
          }
        }
      ),
      { numRuns: 5_000 }
    )
  })
})

describe('the bounds of the search language', () => {
  it('is bounded in length, depth and terms, and reads up to each bound', () => {
    const deep = (n: number) => '('.repeat(n) + 'a' + ')'.repeat(n)
    expect(parse(deep(MAX_QUERY_DEPTH))).toEqual(word('a'))
    expect(fault(deep(MAX_QUERY_DEPTH + 1)).message).toMatch(/nesting limit/)
    expect(parse(Array(MAX_QUERY_TERMS).fill('a').join(' '))).toEqual(and(...Array<Filter>(MAX_QUERY_TERMS).fill(word('a'))))
    expect(
      fault(
        Array(MAX_QUERY_TERMS + 1)
          .fill('a')
          .join(' ')
      ).message
    ).toMatch(/512 words/)
    expect(parse('a'.repeat(MAX_QUERY_CHARS))).toEqual(word('a'.repeat(MAX_QUERY_CHARS)))
    expect(fault('a'.repeat(MAX_QUERY_CHARS + 1)).message).toMatch(/must not exceed \d+ characters/)
  })

  it('reads the longest hostile queries without recursion or backtracking', () => {
    const tookMs = cpuMs(() => {
      for (const unit of ['NOT ', '-', '(', ')', '"', '*', 'a:', 'a:(', '\\', 'a:b:', '""', '>='])
        try {
          parse(unit.repeat(Math.floor(MAX_QUERY_CHARS / unit.length)))
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError)
        }
    })
    expect(tookMs).toBeLessThan(MAX_CPU_MS)
  })
})
