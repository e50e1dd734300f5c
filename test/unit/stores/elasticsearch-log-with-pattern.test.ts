import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { recordId, type IngestId, type NamespaceId } from '../../../src/domain/ids.js'
import type { JsonObject } from '../../../src/domain/json.js'
import { DERIVED } from '../../../src/stores/elasticsearch/document/index-template.js'
import { logWithPattern } from '../../../src/stores/elasticsearch/document/log-with-pattern.js'
import { LOGS } from '../../../src/stores/elasticsearch/document/record-kinds.js'
import { toLog, type LogSketch } from '../../contract/log-fixtures.js'

const NS = 'nsdocuments1' as NamespaceId
const ID = recordId('01JD0000000000000000000000' as IngestId, 7)
const PATTERN = 'bbbbbbbbbbbbbbbbbbbb'

type Document = Readonly<Record<string, unknown>>

/** The document of a log as it is written, and as an index gives it back. */
function written(sketch: LogSketch, hasTrigrams: boolean): { readonly document: Document; readonly source: Document } {
  const document = JSON.parse(LOGS.toDocument(NS, ID, toLog(sketch, 7), hasTrigrams)) as Document
  const source = Object.fromEntries(Object.entries(document).filter(([name]) => !DERIVED.includes(name)))
  return { document, source }
}

function rewritten(source: Document, hasTrigrams: boolean): Document {
  return JSON.parse(logWithPattern(NS, source, PATTERN, hasTrigrams)) as Document
}

const short = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constant('\ud800'))
/** Some are longer than a term. */
const text = fc.oneof(
  { weight: 9, arbitrary: short },
  { weight: 1, arbitrary: fc.constantFrom('z'.repeat(33_000), '中'.repeat(11_000)) }
)
const object = fc.dictionary(short, fc.oneof(text, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>
const sketch = fc.record({
  ...{ message: text, level: fc.option(text), levelText: fc.option(text), service: fc.option(text), traceId: fc.option(text) },
  ...{ severityNumber: fc.integer({ min: 0, max: 24 }), isTruncated: fc.boolean(), fields: object, tags: object }
})

describe('the document of a log that gets a pattern', () => {
  it.each([true, false])('is that of a log that had it from the beginning, with trigrams: %s', hasTrigrams => {
    fc.assert(
      fc.property(sketch, log => {
        const { source } = written(log, hasTrigrams)
        // As if it came from the index: without what UTF-8 cannot hold.
        const whole = written({ ...log, ...LOGS.toRecord(source), patternId: PATTERN }, hasTrigrams).document
        expect(rewritten(source, hasTrigrams)).toEqual(whole)
      }),
      { seed: 5, numRuns: 50 }
    )
  })

  it('keeps members that this version does not know, also of values that terms hold cut', () => {
    const { source } = written({ message: 'x'.repeat(40_000), fields: { a: 1 } }, true)
    const later = { ...source, 'log.later': ['x'], long: { ...(source['long'] as Document), 'log.later': 'y' } }
    expect(rewritten(later, true)).toEqual({ ...rewritten(source, true), 'log.later': ['x'], long: later.long })
  })

  it('keeps an id that is stored and was not indexed', () => {
    const { source } = written({ patternId: 'a'.repeat(20) }, true)
    expect(rewritten(source, true)).toHaveProperty(['log.pattern_id'], 'a'.repeat(20))
  })

  it('has each term once, also when the index gives it back', () => {
    const { document, source } = written({ fields: { a: 1 } }, true)
    expect(logWithPattern(NS, document, PATTERN, true)).toBe(logWithPattern(NS, source, PATTERN, true))
  })

  it('lacks what an earlier version did not write', () => {
    const { source } = written({}, true)
    const { 'event.severity': _severity, ...earlier } = source
    expect(rewritten(earlier, true)).not.toHaveProperty(['event.severity'])
  })
})
