import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ApmError } from '../../../src/domain/records/error.js'
import { type RumEvent, VITALS } from '../../../src/domain/records/rum.js'
import { parseSeriesKey } from '../../../src/domain/series-key.js'
import type { AppendRequest, SentSeries } from '../../../src/stores/duckdb/wire/calls.js'
import { decodeNullableStrings, encodeStrings } from '../../../src/stores/duckdb/wire/columns.js'
import { LAYOUT } from '../../../src/stores/duckdb/table-layout.js'
import { isNamed, unpackAppend } from '../../../src/stores/duckdb/wire/packed-append.js'
import { type KnownId, pointsAppend } from '../../../src/stores/duckdb/wire/points.js'
import { ERROR_ENCODER, LOG_ENCODER, RUM_ENCODER } from '../../../src/stores/duckdb/wire/record-columns.js'
import { nextIngestId, NOON_NS, NS, packedRequest, testLog, testPoint } from '../../support/duckdb-fixture.js'

const head = { ns: NS, ingestId: nextIngestId() }
const logs = [testLog(0, { message: 'ä\0\u{1f680}', fields: { a: { b: 1 } }, host: 'h' }), testLog(70_000, { service: null })]
const vitals = Object.fromEntries(Object.keys(VITALS).map((name, i) => [name, i === 0 ? 1.5 : null])) as RumEvent['vitals']
const view: RumEvent = {
  ...{ index: 0, timestampNs: NOON_NS, pageUrl: '/p', pageGroup: '/p', pageTitle: null, vitals, sessionId: null },
  ...{ deviceType: null, browser: null, os: null, country: null, connectionType: null, viewportWidth: 7 },
  ...{ viewportHeight: null, traceId: null, release: null, tags: {} }
}
const error: ApmError = {
  ...{ index: 0, timestampNs: NOON_NS, service: 's', message: 'm', type: 'E', stack: null, traceId: null },
  ...{ spanId: null, host: null, fingerprint: 'f', tags: { k: 'v' } }
}
const points = [testPoint(0), testPoint(1, { labels: [{ name: 'ключ', value: '"' }], value: Number.NaN }), testPoint(2)]

const REQUESTS: readonly AppendRequest[] = [
  { kind: 'logs', ...head, rows: 2, columns: LOG_ENCODER.columns(logs) },
  { kind: 'rum', ...head, rows: 1, columns: RUM_ENCODER.columns([view]) },
  { kind: 'errors', ...head, rows: 1, columns: ERROR_ENCODER.columns([error]) },
  pointsAppend(NS, { ingestId: head.ingestId, items: points }),
  pointsAppend(
    NS,
    { ingestId: head.ingestId, items: points },
    idOf(key => key.includes('ключ'))
  ),
  pointsAppend(
    NS,
    { ingestId: head.ingestId, items: points },
    idOf(key => !key.includes('ключ'))
  ),
  pointsAppend(
    NS,
    { ingestId: head.ingestId, items: points },
    idOf(() => true)
  )
]

/** Ids of the series whose keys are known. */
function idOf(isKnown: (key: string) => boolean): (key: string) => KnownId | undefined {
  const ids = new Map<string, KnownId>()
  return key => {
    if (!isKnown(key)) return undefined
    const known = ids.get(key) ?? { id: 2n ** 33n + BigInt(ids.size), request: 0, position: 0 }
    ids.set(key, known)
    return known
  }
}

/** Columns without a value are not sent. */
function sent(request: AppendRequest): object {
  if (request.kind === 'points') return { ...request, seriesList: request.seriesList.map(wireForm) }
  const columns = Object.entries(request.columns).filter(([, column]) => column !== null)
  return { ...request, columns: Object.fromEntries(columns) }
}

function wireForm(series: SentSeries): SentSeries {
  return isNamed(series) ? series : { id: series.id }
}

describe('a packed request', () => {
  it.each(REQUESTS.map(request => [request.kind, request] as const))('of %s is what it was', (_kind, request) => {
    const bytes = Buffer.concat([Buffer.from('x'), packedRequest(request)]).subarray(1)
    expect(unpackAppend(bytes, LAYOUT)).toEqual(sent(request))
  })

  it.each(REQUESTS.map(request => [request.kind, request] as const))('of %s that is cut short is refused', (_kind, request) => {
    const bytes = packedRequest(request)
    for (const cut of [1, 5])
      expect(() => unpackAppend(bytes.subarray(0, -cut), LAYOUT)).toThrow(/truncated|out of range|not a packed/)
    expect(() => unpackAppend(bytes.subarray(0, 20), LAYOUT)).toThrow(/truncated|out of range|not a packed/)
  })

  it('of a kind that does not exist is refused', () => {
    expect(() => unpackAppend(Buffer.from([0x01, 9, 0, 0]), LAYOUT)).toThrow(/truncated|out of range|not a packed/)
  })
})

it('makes a column of strings as long as is allowed, and refuses a longer one', () => {
  const strings = ['ä', null, 'bc']
  const each = (text: string | null): string | null => text
  expect(decodeNullableStrings(encodeStrings(strings, each, 3)!)).toEqual(strings)
  expect(() => encodeStrings(strings, each, 2)).toThrow(expect.objectContaining({ code: 'payload_too_large' }))
})

describe('the key of a series', () => {
  it('gives back its name and labels, whatever strings they are', () => {
    const text = fc.oneof(fc.constantFrom('', ':', '1:', '3:a:b', 'ключ', '\u{1f680}'), fc.string({ maxLength: 12 }))
    const labels = fc.array(fc.record({ name: text, value: text }), { maxLength: 4 })
    fc.assert(
      fc.property(text, labels, (name, given) => {
        const { seriesList } = pointsAppend(NS, { ingestId: head.ingestId, items: [testPoint(0, { name, labels: given })] })
        expect(seriesList.filter(isNamed).map(({ key }) => parseSeriesKey(key))).toEqual([{ name, labels: given }])
      })
    )
  })
})
