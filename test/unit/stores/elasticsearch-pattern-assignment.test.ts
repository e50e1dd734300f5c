import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { IndexGeneration } from '../../../src/ports/index-catalog.js'
import { LOGS } from '../../../src/stores/elasticsearch/document/record-kinds.js'
import type { SearchBody, SearchEngine } from '../../../src/stores/elasticsearch/read/search-engine.js'
import { UnassignedDocuments } from '../../../src/stores/elasticsearch/read/unassigned-documents.js'
import { PatternAssignment, WRITE_MS } from '../../../src/stores/elasticsearch/upkeep/pattern-assignment.js'
import type { ItemOutcome } from '../../../src/stores/elasticsearch/write/item-outcome.js'
import type { Piece } from '../../../src/stores/elasticsearch/write/piece.js'
import { newIngestId } from '../../contract/fresh-ids.js'
import { toLog } from '../../contract/log-fixtures.js'
import { recordId } from '../../../src/domain/ids.js'
import { ManualTime } from '../../support/manual-time.js'

const NS = 'nsassignment' as NamespaceId
const PART = 'logs-alidade.app-nsassignment-000001'
const GENERATION: IndexGeneration = {
  ...{ owner: NS, kind: 'logs', number: 1, index: PART, fromMs: 0 },
  ...{ search: 'off', createdAtMs: 0, madeAtMs: 0, lostAtMs: null }
}
const REFUSED: ItemOutcome = { kind: 'refused', reason: 'a reason' }
const FULL: ItemOutcome = { kind: 'failed', fault: { status: 429, type: 'es_rejected_execution_exception', reason: '' } }

/** All of a step was done. */
const WHOLE = { assigned: 0, missed: 0, refused: 0, refusal: null, isWhole: true }

/** A clause of the query that reads documents. */
interface Clause {
  readonly term?: { readonly ns?: string }
  readonly terms?: { readonly _seq_no: readonly number[] }
}

/** An index that has a document at every place, for queries of the namespace. */
const engine: SearchEngine = {
  async search(_indices, { query }: SearchBody) {
    const clauses = (query as unknown as { bool: { filter: readonly Clause[] } }).bool.filter
    if (!clauses.some(({ term }) => term?.ns === NS)) return { hits: { hits: [] } }
    const places = clauses.find(({ terms }) => terms !== undefined)!.terms!._seq_no
    const id = recordId(newIngestId(), 0)
    const source = JSON.parse(LOGS.toDocument(NS, id, toLog({}, 0), false)) as Record<string, unknown>
    return { hits: { hits: places.map(place => ({ _id: id, _seq_no: place, _primary_term: 3, _source: source })) } }
  }
}

/** The assignment over bulks with these outcomes: what each write had, in bulks and refreshes. */
function open(outcomeOf: (document: number) => ItemOutcome, msPerChunk = 0) {
  const chunks: number[] = []
  const bytes: string[] = []
  const refreshed: (readonly string[])[] = []
  const clock = new ManualTime()
  let documents = 0
  const assignment = new PatternAssignment({
    documents: new UnassignedDocuments({ engine, pages: engine, documents: engine }),
    targets: { of: async () => ({ indices: [PART], mandatory: [{ term: { ns: NS } }], search: 'off' }) },
    generations: { byIndex: index => (index === PART ? GENERATION : undefined), read: async () => undefined },
    writer: {
      async replace(_ns: NamespaceId, pieces: readonly Piece[]) {
        bytes.push(...pieces.map(piece => piece.bytes.toString()))
        const count = pieces.reduce((sum, piece) => sum + piece.count, 0)
        chunks.push(count)
        clock.pass(msPerChunk)
        return Array.from({ length: count }, () => outcomeOf(documents++))
      }
    },
    calls: { refresh: async names => void refreshed.push(names), sizes: async () => new Map() },
    clock,
    mapped: async () => undefined
  })
  const assign = (count: number) =>
    assignment.assign(NS, PART, {
      places: Float64Array.from({ length: count }, (_, i) => 2 ** 40 + i),
      of: new Uint32Array(count),
      ids: ['b'.repeat(20)]
    })
  return { assign, chunks, bytes, refreshed }
}

it('writes 500 documents at once, each in place of what was read, and makes them visible at the end', async () => {
  const { assign, chunks, bytes, refreshed } = open(() => ({ kind: 'stored' }))
  expect(await assign(1_001)).toEqual({ ...WHOLE, assigned: 1_001, next: { part: PART, after: 2 ** 40 + 1_000 } })
  expect([chunks, refreshed]).toEqual([[500, 500, 1], [[PART]]])
  const { index } = JSON.parse(bytes[0]!.split('\n')[0]!) as { index: object }
  expect(index).toMatchObject({ _index: 'logs-alidade.app.write-nsassignment-000001', if_seq_no: 2 ** 40, if_primary_term: 3 })
})

it('counts apart what was stored, refused, and changed meanwhile', async () => {
  const { assign } = open(document => (document === 3 ? REFUSED : document === 4 ? { kind: 'changed' } : { kind: 'stored' }))
  const counts = { assigned: 8, refused: 1, refusal: 'a reason', missed: 1 }
  expect(await assign(10)).toEqual({ ...WHOLE, ...counts, next: { part: PART, after: 2 ** 40 + 9 } })
})

it('stops at the document that a server takes no more, and returns what it wrote', async () => {
  const { assign, chunks, refreshed } = open(document =>
    document === 700 ? FULL : document < 699 ? { kind: 'stored' } : REFUSED
  )
  const counts = { assigned: 699, refused: 1, refusal: 'a reason', isWhole: false }
  expect(await assign(1_500)).toEqual({ ...WHOLE, ...counts, next: { part: PART, after: 2 ** 40 + 699 } })
  expect([chunks, refreshed]).toEqual([[500, 500], [[PART]]])
})

it('goes on at the first document when the server takes only others', async () => {
  const { assign } = open(document => (document === 0 ? FULL : { kind: 'stored' }))
  const next = { part: PART, after: 2 ** 40 - 1 }
  expect(await assign(500)).toEqual({ ...WHOLE, assigned: 499, isWhole: false, next })
})

it('ends with the error of a server that takes nothing', async () => {
  const { assign, refreshed } = open(() => FULL)
  await expect(assign(500)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
  expect(refreshed).toEqual([])
})

it.each([
  ['its time is over', WRITE_MS / 2, [500, 500]],
  ['one chunk takes all its time', WRITE_MS, [500]]
])('stops when %s, and goes on behind what it wrote', async (_when, msPerChunk, written) => {
  const { assign, chunks } = open(() => ({ kind: 'stored' }), msPerChunk)
  const assigned = 500 * written.length
  const next = { part: PART, after: 2 ** 40 + assigned - 1 }
  expect(await assign(2_000)).toEqual({ ...WHOLE, assigned, isWhole: false, next })
  expect(chunks).toEqual(written)
})

it('finds a part gone whose index was deleted meanwhile', async () => {
  const { assign } = open(document => (document >= 500 ? { kind: 'missing' } : { kind: 'stored' }))
  expect(await assign(1_000)).toBe('gone')
})
