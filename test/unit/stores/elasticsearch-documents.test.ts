import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { recordId, type IngestId, type NamespaceId } from '../../../src/domain/ids.js'
import type { JsonObject } from '../../../src/domain/json.js'
import { fieldList, type RecordField } from '../../../src/domain/records/field.js'
import { LOG, type LogRecord } from '../../../src/domain/records/log.js'
import { exactTerm } from '../../../src/stores/elasticsearch/document/exact-term.js'
import { KNOWN_FIELDS, type DocumentKind } from '../../../src/stores/elasticsearch/document/field-names.js'
import { mappingsOf } from '../../../src/stores/elasticsearch/document/index-template.js'
import { LOGS } from '../../../src/stores/elasticsearch/document/record-kinds.js'
import { spanDocument, toStoredSpan } from '../../../src/stores/elasticsearch/document/span-document.js'
import { toLog, type LogSketch } from '../../contract/log-fixtures.js'
import { spanArbitrary } from '../../contract/span-arbitraries.js'
import { toSpan } from '../../contract/trace-fixtures.js'

const NS = 'nsdocuments1' as NamespaceId
const INGEST_ID = '01JD0000000000000000000000' as IngestId
const ID = recordId(INGEST_ID, 7)

type Document = Readonly<Record<string, unknown>>

function documentOf(sketch: LogSketch, hasTrigrams = true): Document {
  return JSON.parse(LOGS.toDocument(NS, ID, toLog(sketch, 7), hasTrigrams)) as Document
}

/** Big integers as their digits; keys sorted by name. */
function asJson(value: object): string {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries), (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
}

const text = fc.string({ unit: 'grapheme' })

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonObject[string]>

const object = fc.dictionary(text, json) as fc.Arbitrary<JsonObject>

const VALUES: Readonly<Record<RecordField['type'], fc.Arbitrary<unknown>>> = {
  text: fc.option(text),
  byte: fc.integer({ min: 0, max: 24 }),
  integer: fc.integer(),
  double: fc.double(),
  nanoseconds: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  bits: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  flag: fc.boolean(),
  object
}

const log = fc.record({
  index: fc.constant(7),
  timestampNs: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  ...Object.fromEntries(fieldList(LOG).map(({ key, type }) => [key, VALUES[type]])),
  message: text
}) as fc.Arbitrary<unknown> as fc.Arbitrary<LogRecord>

describe('documents of logs', () => {
  it('give back what went in', () => {
    fc.assert(
      fc.property(log, record => {
        const { index: _index, ...content } = record
        const { id, ingestedAtMs: _at, ...found } = LOGS.toRecord(JSON.parse(LOGS.toDocument(NS, ID, record, true)) as Document)
        expect(id).toBe(ID)
        // -0 has no spelling of its own in JSON.
        expect(JSON.stringify(found.fields)).toBe(JSON.stringify(content.fields))
        expect(JSON.stringify(found.tags)).toBe(JSON.stringify(content.tags))
        expect({ ...found, fields: null, tags: null }).toEqual({ ...content, fields: null, tags: null })
      })
    )
  })

  it('keep long strings whole next to the terms that find them', () => {
    const message = `${'ä'.repeat(20_000)}!`
    const document = documentOf({ message, service: 'é'.repeat(20_000) })
    expect(LOGS.toRecord(document)).toMatchObject({ message, service: 'é'.repeat(20_000) })
    expect(document['cut']).toEqual(['message', 'service.name'])
    expect(Buffer.byteLength(document['message'] as string)).toBeLessThanOrEqual(32_766)
    expect(document['message']).not.toBe(documentOf({ message: `${message}?` })['message'])
  })

  it('make a lone surrogate what it is in UTF-8, and leave strings that only look like one', () => {
    const document = documentOf({ message: 'a\ud800b', fields: { x: '\\ud800', y: '\u{1f600}\udc00' } })
    expect(document).toMatchObject({ message: 'a\ufffdb', log_fields: { x: '\\ud800', y: '\u{1f600}\ufffd' } })
  })

  it('leave trigrams out where no one looks for them', () => {
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

  it('write durations that a double cannot hold as strings', () => {
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
