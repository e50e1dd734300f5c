import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fold } from '../../../src/domain/case-folding.js'
import { unreachable } from '../../../src/domain/errors.js'
import { recordId, type IngestId, type NamespaceId } from '../../../src/domain/ids.js'
import type { JsonObject } from '../../../src/domain/json.js'
import type { LogRecord } from '../../../src/domain/log-record.js'
import { exactTerm, WHOLE_TERM_BYTES } from '../../../src/stores/elasticsearch/document/exact-term.js'
import { KNOWN_FIELDS, type DocumentKind } from '../../../src/stores/elasticsearch/document/field-names.js'
import { numberTerm, slotField, termPrefix, valueTerm } from '../../../src/stores/elasticsearch/document/free-field-terms.js'
import { mappingsOf } from '../../../src/stores/elasticsearch/document/index-template.js'
import { logDocument, toStoredLog } from '../../../src/stores/elasticsearch/document/log-document.js'
import { spanDocument, toStoredSpan } from '../../../src/stores/elasticsearch/document/span-document.js'
import { sortableNumber } from '../../../src/stores/elasticsearch/document/sortable-number.js'
import { toNeedle, trigrams } from '../../../src/stores/elasticsearch/document/trigrams.js'
import { toLog, type LogSketch } from '../../contract/log-fixtures.js'
import { spanArbitrary } from '../../contract/span-arbitraries.js'
import { toSpan } from '../../contract/trace-fixtures.js'

const NS = 'nsdocuments1' as NamespaceId
const INGEST_ID = '01JD0000000000000000000000' as IngestId
const ID = recordId(INGEST_ID, 7)

type Document = Readonly<Record<string, unknown>>

function documentOf(sketch: LogSketch, hasTrigrams = true): Document {
  return JSON.parse(logDocument(NS, ID, toLog(sketch, 7), hasTrigrams)) as Document
}

/** Big integers as their digits; keys sorted by name. */
function asJson(value: object): string {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries), (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
}

/** The terms of a free field, whatever place they name. */
function termsOf(document: Document, name: string): readonly string[] {
  const all = (document[slotField(name)] ?? []) as readonly string[]
  return all.filter(term => ['f', 't', 'b'].some(place => term.startsWith(termPrefix(name, place as 'f'))))
}

const text = fc.string({ unit: 'grapheme' })
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonObject[string]>
const object = fc.dictionary(text, json) as fc.Arbitrary<JsonObject>
const log: fc.Arbitrary<LogRecord> = fc.record({
  index: fc.constant(7),
  timestampNs: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  isServerTime: fc.boolean(),
  isTruncated: fc.boolean(),
  message: text,
  level: fc.option(text),
  levelText: fc.option(text),
  severityNumber: fc.integer({ min: 0, max: 24 }),
  service: fc.option(text),
  host: fc.option(text),
  source: fc.option(text),
  traceId: fc.option(text),
  spanId: fc.option(text),
  fields: object,
  tags: object
})

describe('documents of logs', () => {
  it('give back what went in', () => {
    fc.assert(
      fc.property(log, record => {
        const { index: _index, ...content } = record
        const { id, ingestedAtMs: _at, ...found } = toStoredLog(JSON.parse(logDocument(NS, ID, record, true)) as Document)
        expect(id).toBe(ID)
        // -0 has no spelling of its own in JSON.
        expect(JSON.stringify(found.fields)).toBe(JSON.stringify(content.fields))
        expect(JSON.stringify(found.tags)).toBe(JSON.stringify(content.tags))
        expect({ ...found, fields: null, tags: null }).toEqual({ ...content, fields: null, tags: null })
      })
    )
  })

  it('keep long texts whole beside the terms that find them', () => {
    const message = `${'ä'.repeat(20_000)}!`
    const document = documentOf({ message, service: 'é'.repeat(20_000) })
    expect(toStoredLog(document)).toMatchObject({ message, service: 'é'.repeat(20_000) })
    expect(document['cut']).toEqual(['message', 'service.name'])
    expect(Buffer.byteLength(document['message'] as string)).toBeLessThanOrEqual(32_766)
    expect(document['message']).not.toBe(documentOf({ message: `${message}?` })['message'])
  })

  it('make a lone surrogate what it is in UTF-8, and leave texts that only look like one', () => {
    const document = documentOf({ message: 'a\ud800b', fields: { x: '\\ud800', y: '\u{1f600}\udc00' } })
    expect(document).toMatchObject({ message: 'a\ufffdb', log_fields: { x: '\\ud800', y: '\u{1f600}\ufffd' } })
  })

  it('leave trigrams out where nobody looks for them', () => {
    expect(documentOf({ message: 'abc' }, false)).not.toHaveProperty('tri')
    expect(documentOf({ message: 'abc' })).toHaveProperty('tri')
  })
})

describe('documents of spans', () => {
  it('give back what went in', () => {
    fc.assert(
      fc.property(spanArbitrary, span => {
        const document = JSON.parse(spanDocument(NS, ID, span, true)) as Document
        const { id, ingestedAtMs: _at, ...found } = toStoredSpan(document)
        const { index: _index, ...content } = span
        expect(id).toBe(ID)
        expect(asJson(found)).toBe(asJson(content))
      })
    )
  })

  it('write durations that a double cannot hold as texts', () => {
    const document = JSON.parse(spanDocument(NS, ID, toSpan({ took: 2n ** 62n + 1n }, 7), true)) as Document
    expect(document['event.duration']).toBe('4611686018427387905')
    expect(toStoredSpan(document).durationNs).toBe(4_611_686_018_427_387_905n)
  })

  it('hold the last 16 digits of the trace id, by which senders of 64-bit ids are found', () => {
    const document = JSON.parse(spanDocument(NS, ID, toSpan({ trace: '4bf92f3577b34da600f067aa0ba902b7' }, 7), true)) as Document
    expect(document['trace.suffix']).toBe('00f067aa0ba902b7')
  })

  it('hold the exceptions of all events, each once, and whom the span calls', () => {
    const exception = (type: string, message?: string) => ({
      name: 'exception',
      timestampNs: 1n,
      attributes: { 'exception.type': type, ...(message !== undefined && { exception: { message } }) }
    })
    const span = toSpan(
      {
        kind: 'client',
        attributes: { 'db.system': 'redis' },
        events: [exception('A', 'm'.repeat(40_000)), exception('A'), exception('B'), { ...exception('C'), name: 'other' }]
      },
      7
    )
    const document = JSON.parse(spanDocument(NS, ID, span, true)) as Document
    expect(document).toMatchObject({ 'exception.type': ['A', 'B'], 'peer.name': 'redis', 'peer.kind': 'database' })
    expect(document['exception.message']).toEqual([exactTerm('m'.repeat(40_000))])
    expect(document['cut']).toEqual(['exception.message', 'exception.message\u001fe', '\u001fevents'])
  })
})

describe('terms of free fields', () => {
  it('hold each value once per record, with where it stands', () => {
    const document = documentOf({ fields: { k: ['a', 'b', 'a'], n: 1 }, tags: { k: ['b', 'c'], m: 1 } })
    expect([...termsOf(document, 'k')].sort()).toEqual(['k\u001fba', 'k\u001fbb', 'k\u001ffa', 'k\u001ftc'].slice(1).sort())
    expect(termsOf(document, 'n')).toEqual(['n\u001ff1'])
    expect(termsOf(document, 'm')).toEqual(['m\u001ft1'])
  })

  it('hold texts of every scalar but null, and empty ones', () => {
    const document = documentOf({ fields: { x: [1.5, true, '', null, 'y'], none: [], nil: null } })
    expect([...termsOf(document, 'x')].sort()).toEqual(['x\u001ff', 'x\u001ff1.5', 'x\u001fftrue', 'x\u001ffy'])
    expect(termsOf(document, 'none')).toEqual([])
    expect(termsOf(document, 'nil')).toEqual([])
  })

  it('reach nested names', () => {
    expect(termsOf(documentOf({ fields: { a: { b: [{ c: 1 }, { c: 2 }] } } }), 'a.b.c')).toEqual([
      'a.b.c\u001ff1',
      'a.b.c\u001ff2'
    ])
  })

  it('keep names apart that hold the separator', () => {
    const tricky = termPrefix('a\u001ffb', 'f')
    expect(tricky.startsWith(termPrefix('a', 'f'))).toBe(false)
    expect(termPrefix('a\u001e1', 'f')).not.toBe(termPrefix('a\u001f', 'f'))
  })

  it('lie in slots that must never change', () => {
    expect(['service', 'user_id', 'http.status', 'ключ', ''].map(slotField)).toMatchInlineSnapshot(`
[
  "kb",
  "k4",
  "k5",
  "kc",
  "kc",
]
`)
  })

  it('have numbers beside them, of texts that spell one too', () => {
    const document = documentOf({ fields: { x: [1, '1.0', '0x1', 'y', true, '1e999'], big: '12345678901234567890' } })
    const one = numberTerm(termPrefix('x', 'f'), 1)
    const big = numberTerm(termPrefix('big', 'f'), Number('12345678901234567890'))
    expect(document['kn']).toEqual([one, one, big])
  })

  it('say which of them are cut', () => {
    const value = 'v'.repeat(40_000)
    const document = documentOf({ fields: { long: value } })
    expect(document['cut']).toEqual([termPrefix('long', 'f')])
    expect(termsOf(document, 'long')).toEqual([valueTerm(termPrefix('long', 'f'), value)])
  })
})

describe('exact terms', () => {
  it('are the text itself up to the bound, and different for different texts beyond it', () => {
    const whole = 'x'.repeat(WHOLE_TERM_BYTES)
    expect(exactTerm(whole)).toBe(whole)
    const [a, b] = [exactTerm(`${whole}a`), exactTerm(`${whole}b`)]
    expect(a).not.toBe(b)
    expect(Buffer.byteLength(a)).toBeLessThanOrEqual(32_766)
    expect(Buffer.byteLength(exactTerm('\u{1f600}'.repeat(10_000)))).toBeLessThanOrEqual(32_766)
    expect(exactTerm('é'.repeat(20_000))).not.toContain('\ufffd')
  })
})

describe('sortable numbers', () => {
  it('sort as the numbers do', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom(0, -0, Infinity, -Infinity, 5e-324))
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [x, y] = [sortableNumber(a), sortableNumber(b)]
        expect(x < y).toBe(a < b)
        expect(x === y).toBe(a === b)
      }),
      { numRuns: 500 }
    )
  })

  it.each([
    [0, '8000000000000000'],
    [1, 'bff0000000000000'],
    [-1, '400fffffffffffff'],
    [1.1e-15, 'bcd3d0dac864deb1'],
    [Number.MAX_SAFE_INTEGER, 'c33fffffffffffff']
  ])('write %p as they always did: documents stand by it', (value, hex) => {
    expect(sortableNumber(value)).toBe(hex)
  })
})

/** What the engine does with a needle, in plain code. */
function isFound(grams: string, substring: string): boolean {
  const words = grams === '' ? [] : grams.split(' ')
  const needle = toNeedle(substring)
  switch (needle.kind) {
    case 'everything':
      return true
    case 'prefix':
      return words.some(word => word.startsWith(needle.text))
    case 'term':
      return words.includes(needle.text)
    case 'phrase':
      return ` ${words.join(' ')} `.includes(` ${needle.text} `)
    default:
      return unreachable(needle)
  }
}

// What Java's Character.isWhitespace holds for.
const WHITE_SPACE =
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f\u3000'
const SPECIAL = [...'abAB .%_*\\"\t\n\u0000\u0001\u0002\u001c\u3000\u00a0\u0085éÉßςΣσİK\u{1f680}中XYZ']

describe('trigrams', () => {
  it('hold no white space that would split them', () => {
    const windows = trigrams(`a${WHITE_SPACE}b`).split(' ')
    expect(windows).toHaveLength(WHITE_SPACE.length + 2)
    expect(windows.every(window => [...WHITE_SPACE].every(space => !window.includes(space)))).toBe(true)
  })

  it('of ASCII are those of any other text', () => {
    const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map(code => String.fromCharCode(code)), minLength: 1 })
    fc.assert(
      fc.property(ascii, text => {
        // Three characters of another script make it another path; the windows before them are the same.
        const [own, other] = [trigrams(text).split(' '), trigrams(`${text}中中中`).split(' ')]
        expect(own).toHaveLength(text.length)
        expect(own.slice(0, -2)).toEqual(other.slice(0, text.length - 2 < 0 ? 0 : text.length - 2))
        expect(own.at(-1)).toBe(`${other[text.length - 1]![0]}ZZ`)
      })
    )
  })

  it('find a substring, letter case ignored, just where it is', () => {
    const anything = fc.string({ unit: fc.constantFrom(...SPECIAL), maxLength: 12 })
    const needle = fc.string({ unit: fc.constantFrom(...SPECIAL), maxLength: 4 })
    fc.assert(
      fc.property(anything, needle, (haystack, substring) => {
        expect(isFound(trigrams(haystack), substring)).toBe(fold(haystack).includes(fold(substring)))
      }),
      { numRuns: 3_000 }
    )
    fc.assert(
      fc.property(anything, fc.nat(), fc.nat(), (haystack, from, length) => {
        const chars = [...haystack]
        const start = from % (chars.length + 1)
        const substring = chars.slice(start, start + (length % 6)).join('')
        expect(isFound(trigrams(haystack), substring)).toBe(true)
      })
    )
  })
})

describe('mappings', () => {
  it.each(['logs', 'rum', 'errors'] as const)('know every field of %s', (kind: DocumentKind) => {
    const { properties } = mappingsOf({ kind, search: 'exact' }) as { properties: Record<string, { type: string }> }
    for (const { field, type, trigrams: grams } of KNOWN_FIELDS[kind].values()) {
      const expected = type === 'keyword' ? ['keyword'] : type === 'time' ? ['date_nanos'] : ['byte', 'double']
      expect(expected).toContain(properties[field]?.type)
      if (grams !== undefined) expect(properties[grams]?.type).toBe('text')
    }
  })
})
