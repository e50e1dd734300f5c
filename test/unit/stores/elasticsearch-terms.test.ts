import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { recordId, type IngestId, type NamespaceId } from '../../../src/domain/ids.js'
import { exactTerm, WHOLE_TERM_BYTES } from '../../../src/stores/elasticsearch/document/exact-term.js'
import {
  numberTerm,
  slotField,
  termPrefix,
  valueTerm,
  sortableNumber
} from '../../../src/stores/elasticsearch/document/free-field-terms.js'
import { LOGS } from '../../../src/stores/elasticsearch/document/record-kinds.js'
import { toLog, type LogSketch } from '../../contract/log-fixtures.js'

const NS = 'nsdocuments1' as NamespaceId
const INGEST_ID = '01JD0000000000000000000000' as IngestId
const ID = recordId(INGEST_ID, 7)

type Document = Readonly<Record<string, unknown>>

function documentOf(sketch: LogSketch, hasTrigrams = true): Document {
  return JSON.parse(LOGS.toDocument(NS, ID, toLog(sketch, 7), hasTrigrams)) as Document
}

/** The terms of a free field, whatever place they name. */
function termsOf(document: Document, name: string): readonly string[] {
  const all = (document[slotField(name)] ?? []) as readonly string[]
  return all.filter(term => ['f', 't', 'b'].some(place => term.startsWith(termPrefix(name, place as 'f'))))
}

describe('terms of free fields', () => {
  it('hold each value once per record, with its place', () => {
    const document = documentOf({ fields: { k: ['a', 'b', 'a'], n: 1 }, tags: { k: ['b', 'c'], m: 1 } })
    expect([...termsOf(document, 'k')].sort()).toEqual(['k\u001fba', 'k\u001fbb', 'k\u001ffa', 'k\u001ftc'].slice(1).sort())
    expect(termsOf(document, 'n')).toEqual(['n\u001ff1'])
    expect(termsOf(document, 'm')).toEqual(['m\u001ft1'])
  })

  it('hold strings of every scalar but null, and empty ones', () => {
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

  it('are in slots that must never change', () => {
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

  it('have numbers next to them, of strings that spell one too', () => {
    const document = documentOf({ fields: { x: [1, '1.0', '0x1', 'y', true, '1e999'], big: '12345678901234567890' } })
    const one = numberTerm(termPrefix('x', 'f'), 1)
    const big = numberTerm(termPrefix('big', 'f'), Number('12345678901234567890'))
    expect(document['kn']).toEqual([one, one, big])
  })

  it('report which of them are cut', () => {
    const value = 'v'.repeat(40_000)
    const document = documentOf({ fields: { long: value } })
    expect(document['cut']).toEqual([termPrefix('long', 'f')])
    expect(termsOf(document, 'long')).toEqual([valueTerm(termPrefix('long', 'f'), value)])
  })
})

describe('exact terms', () => {
  it('are the text itself up to the bound, and different for different strings beyond it', () => {
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
  ])('write %p as before: stored documents depend on it', (value, hex) => {
    expect(sortableNumber(value)).toBe(hex)
  })
})
