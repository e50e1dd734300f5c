import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { mayContainUnsafeInteger, parseJson, quoteUnsafeIntegers } from '../../../src/wire/json/lossless-json.js'
import { cpuMs } from '../../support/cpu-ms.js'

const parse = (json: string): unknown => parseJson(Buffer.from(json))

/** A JSON text of the value with white space sprinkled in, where bigints are written as their digits. */
function write(value: unknown, gap: string): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${gap}${value.map(v => write(v, gap)).join(`${gap},${gap}`)}${gap}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, v]) => `${JSON.stringify(key)}${gap}:${gap}${write(v, gap)}`)
    return `{${gap}${members.join(`,${gap}`)}${gap}}`
  }
  return JSON.stringify(value)
}

/** What `parseJson` must make of it. */
function expected(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const isSafe = value <= 9007199254740991n && value >= -9007199254740991n
    return isSafe ? Number(value) : String(value)
  }
  if (Array.isArray(value)) return value.map(expected)
  if (typeof value === 'object' && value !== null) {
    const out = JSON.parse('{}') as Record<string, unknown>
    for (const [key, v] of Object.entries(value)) {
      Object.defineProperty(out, key, { value: expected(v), enumerable: true, writable: true, configurable: true })
    }
    return out
  }
  return value
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('": 12345678901234567890,', '\\', '\\"', '1'.repeat(30))
)
const integer = fc.oneof(
  fc.bigInt(-(2n ** 70n), 2n ** 70n),
  fc.bigInt(9007199254740990n, 9007199254740994n),
  fc.bigInt(-9007199254740994n, -9007199254740990n)
)
const { tree } = fc.letrec(tie => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    text,
    integer,
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(n => !Number.isInteger(n)),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 5, noNullPrototype: true })
  )
}))

describe('lossless JSON', () => {
  it('equals JSON.parse for JSON without large integers', () => {
    fc.assert(
      fc.property(fc.json(), json => {
        const plain = JSON.parse(json) as unknown
        if (/\d{16}/.test(json) || /\\u[dD]/.test(json)) return
        expect(parse(json)).toEqual(plain)
      })
    )
  })

  it('keeps the digits of every integer beyond 2^53, at any place', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('', ' ', '\n\t '), (value, gap) => {
        expect(parse(write(value, gap))).toEqual(expected(value))
      }),
      { numRuns: 1000 }
    )
  })
})

describe('lossless JSON on what is not JSON', () => {
  it('refuses exactly what JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      '12345678901234567890',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '"a"',
      '-',
      '.',
      'e',
      '\\',
      ' ',
      'true',
      '0',
      '1'
    )
    const tokens = fc.array(pieces, { maxLength: 9 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          tokens,
          tokens.map(t => `[${t}]`),
          tokens.map(t => `{"a":${t}}`)
        ),
        json => {
          let isJson = true
          try {
            JSON.parse(json)
          } catch {
            isJson = false
          }
          if (isJson) expect(() => parse(json)).not.toThrow()
          else expect(() => parse(json)).toThrow(SyntaxError)
        }
      ),
      { numRuns: 5_000 }
    )
  })
})

describe('an integer in JSON', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740991', -9007199254740991],
    ['-9007199254740992', '-9007199254740992'],
    ['18446744073709551615', '18446744073709551615'],
    ['12345678901234567.5', Number('12345678901234567.5')],
    ['0.12345678901234567890', Number('0.12345678901234567890')],
    ['12345678901234567890e2', Number('12345678901234567890e2')],
    ['"12345678901234567890"', '12345678901234567890'],
    ['"a \\" 12345678901234567890 , "', 'a " 12345678901234567890 , ']
  ])('reads %s', (json, value) => {
    expect(parse(json)).toBe(value)
  })

  it('sees a long integer at every offset', () => {
    for (let offset = 0; offset < 40; offset++) {
      const json = `[${' '.repeat(offset)}9007199254740993]`
      expect(mayContainUnsafeInteger(Buffer.from(json))).toBe(true)
      expect(parse(json)).toEqual(['9007199254740993'])
    }
  })

  it('leaves hex ids and RFC 3339 times to JSON.parse untouched', () => {
    const bytes = Buffer.from('{"trace_id":"12345678901234567890123456789012","timestamp":"2026-11-20T11:40:00.123456789Z"}')
    expect(mayContainUnsafeInteger(bytes)).toBe(false)
    expect(quoteUnsafeIntegers(bytes)).toBe(bytes)
  })
})

describe('text in JSON', () => {
  it.each([
    ['"\\ud800"', '\ufffd'],
    ['"\\udc00x"', '\ufffdx'],
    ['"\\ud83d\\ude00"', '\u{1f600}'],
    ['"\\ud83d\\ud83d\\ude00"', '\ufffd\u{1f600}'],
    ['"\\\\ud800"', '\\ud800'],
    ['"\\\\\\ud800"', '\\\ufffd'],
    ['"a\\u0000b"', 'a\0b']
  ])('makes %s well-formed text', (json, value) => {
    expect(parse(json)).toBe(value)
  })

  it('reads bytes that are not UTF-8 as U+FFFD', () => {
    expect(parseJson(Buffer.from([0x22, 0x61, 0xff, 0x62, 0x22]))).toBe('a\ufffdb')
  })

  it('keeps __proto__ as data', () => {
    const value = parse('{"__proto__":{"a":12345678901234567890}}') as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('long runs of digits', () => {
  const RUN_BYTES = 128 * 1024
  const MAX_CPU_MS = 200

  it('are looked at once, however many there are', () => {
    const run = `"a${'1'.repeat(RUN_BYTES)}"`
    const look = (): void => expect(mayContainUnsafeInteger(Buffer.from(`[${run},${run}]`))).toBe(false)
    expect(cpuMs(look)).toBeLessThan(MAX_CPU_MS)
  })
})
