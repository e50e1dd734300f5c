import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { IndexGeneration } from '../../../src/ports/index-catalog.js'
import { LOGS } from '../../../src/stores/elasticsearch/document/record-kinds.js'
import type { SearchBody, SearchEngine } from '../../../src/stores/elasticsearch/read/search-engine.js'
import { UnassignedDocuments } from '../../../src/stores/elasticsearch/read/unassigned-documents.js'
import { PatternAssignment } from '../../../src/stores/elasticsearch/upkeep/pattern-assignment.js'
import type { ItemOutcome } from '../../../src/stores/elasticsearch/write/item-outcome.js'
import type { Piece } from '../../../src/stores/elasticsearch/write/piece.js'
import { newIngestId } from '../../contract/fresh-ids.js'
import { toLog } from '../../contract/log-fixtures.js'
import { recordId } from '../../../src/domain/ids.js'

const NS = 'nsassignment' as NamespaceId
const PART = 'logs-alidade.app-nsassignment-000001'
const GENERATION: IndexGeneration = {
  ...{ owner: NS, kind: 'logs', number: 1, index: PART, fromMs: 0 },
  ...{ search: 'off', createdAtMs: 0, madeAtMs: 0, lostAtMs: null }
}
const REFUSED: ItemOutcome = { kind: 'refused', reason: 'a reason' }
const FULL: ItemOutcome = { kind: 'failed', fault: { status: 429, type: 'es_rejected_execution_exception', reason: '' } }

/** An index that has a document at every place. */
const engine: SearchEngine = {
  async search(_indices, { query }: SearchBody) {
    const clauses = (query as unknown as { bool: { filter: { terms?: { _seq_no: number[] } }[] } }).bool.filter
    const places = clauses.find(({ terms }) => terms !== undefined)!.terms!._seq_no
    const id = recordId(newIngestId(), 0)
    const source = JSON.parse(LOGS.toDocument(NS, id, toLog({}, 0), false)) as Record<string, unknown>
    return { hits: { hits: places.map(place => ({ _id: id, _seq_no: place, _primary_term: 3, _source: source })) } }
  }
}

/** The assignment over bulks with these outcomes: what each write had, in bulks and refreshes. */
function open(outcomeOf: (document: number) => ItemOutcome) {
  const chunks: number[] = []
  const bytes: string[] = []
  const refreshed: (readonly string[])[] = []
  let documents = 0
  const assignment = new PatternAssignment({
    documents: new UnassignedDocuments({ engine, bounded: engine }),
    targets: { of: async () => ({ indices: [PART], mandatory: [{ term: { ns: NS } }], search: 'off' }) },
    generations: { byIndex: index => (index === PART ? GENERATION : undefined) },
    writer: {
      async replace(_ns: NamespaceId, pieces: readonly Piece[]) {
        bytes.push(...pieces.map(piece => piece.bytes.toString()))
        const count = pieces.reduce((sum, piece) => sum + piece.count, 0)
        chunks.push(count)
        return Array.from({ length: count }, () => outcomeOf(documents++))
      }
    },
    calls: { refresh: async names => void refreshed.push(names), sizes: async () => new Map() },
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
  expect(await assign(1_001)).toEqual({ assigned: 1_001, next: { part: PART, after: 2 ** 40 + 1_000 } })
  expect([chunks, refreshed]).toEqual([[500, 500, 1], [[PART]]])
  const { index } = JSON.parse(bytes[0]!.split('\n')[0]!) as { index: object }
  expect(index).toMatchObject({ _index: 'logs-alidade.app.write-nsassignment-000001', if_seq_no: 2 ** 40, if_primary_term: 3 })
})

it('counts what was stored, not what was refused or changed meanwhile', async () => {
  const { assign } = open(document => (document === 3 ? REFUSED : document === 4 ? { kind: 'changed' } : { kind: 'stored' }))
  expect(await assign(10)).toMatchObject({ assigned: 8 })
})

it('ends with the error of a server that takes no more, and writes no further documents', async () => {
  const { assign, chunks } = open(document => (document === 700 ? FULL : { kind: 'stored' }))
  await expect(assign(1_500)).rejects.toMatchObject({ code: 'overloaded' })
  expect(chunks).toEqual([500, 500])
})

it('finds a part gone whose index was deleted meanwhile', async () => {
  const { assign } = open(document => (document >= 500 ? { kind: 'missing' } : { kind: 'stored' }))
  expect(await assign(1_000)).toBe('gone')
})
