import type { Filter } from '../../../domain/filter.js'
import type { Segment } from '../snapshot.js'
import { OpenIdIndex } from './open-id-index.js'
import { Params } from './params.js'
import { filesSql, overlapping, type Scope } from './source.js'
import { runStatement, toCount } from './statement.js'

/** Columns of random ids, whose row groups carry bloom filters. Records that have such a field have the column. */
const ID_COLUMNS: ReadonlySet<string> = new Set(['trace_id', 'span_id'])
/** Each is a scan of its own; many ids are in many row groups anyway. */
const MAX_IDS = 16
/** Each segment that is read in part only is a scan of its own; beyond so many they are read whole. */
const MAX_PARTS = 16

interface RequestedIds {
  readonly column: string
  readonly values: readonly string[]
}

/** The ids of which every match has one, where the filter names several: the spellings of an id. */
function requiredBy(filter: Filter): RequestedIds | null {
  if (filter.kind === 'and') return filter.of.map(requiredBy).find(requested => requested !== null) ?? null
  if (filter.kind !== 'in' || filter.field.in !== 'known' || !ID_COLUMNS.has(filter.field.name)) return null
  const isFew = filter.values.length > 1 && filter.values.length <= MAX_IDS
  return isFew ? { column: filter.field.name, values: filter.values } : null
}

interface Stretch {
  readonly first: number
  readonly last: number
}

/** The positions of rows with the ids in the segments, by file. */
async function stretchesOf(
  scope: Scope,
  { column, values }: RequestedIds,
  segments: readonly Segment[]
): Promise<ReadonlyMap<string, Stretch>> {
  const params = new Params()
  const files = filesSql(
    scope,
    segments.map(({ file }) => file)
  )
  const parts = values.map(id => `SELECT filename, file_row_number FROM ${files} WHERE ${column} = ${params.add(id)}`)
  const sql = `SELECT filename, min(file_row_number) AS first, max(file_row_number) AS last
    FROM (${parts.join(' UNION ALL ')}) GROUP BY filename`
  const rows = await runStatement(scope, sql, params)
  return new Map(rows.map(row => [row['filename'] as string, { first: toCount(row['first']), last: toCount(row['last']) }]))
}

function within(segment: Segment, { first, last }: Stretch): Segment {
  const outside = [
    { from: 0, to: first },
    { from: last + 1, to: segment.rows }
  ]
  return { ...segment, skips: [...(segment.skips ?? []), ...outside.filter(({ from, to }) => from < to)] }
}

/** Whether the segment has an index of its ids, by which `CandidateSegments` narrows it for less. */
function isIndexed({ file }: Segment): boolean {
  const index = OpenIdIndex.open(file)
  index?.close()
  return index !== null
}

async function narrowed(scope: Scope, requested: RequestedIds): Promise<Scope> {
  const all = overlapping(scope)
  const indexed = scope.kind === 'logs' ? all.filter(isIndexed) : []
  const near = all.filter(segment => !indexed.includes(segment))
  if (near.length === 0) return scope
  const stretches = await stretchesOf(scope, requested, near)
  const hits = near.filter(({ file }) => stretches.has(file))
  const unindexed = hits.length > MAX_PARTS ? hits : hits.map(segment => within(segment, stretches.get(segment.file)!))
  return { ...scope, snapshot: { ...scope.snapshot, segments: [...indexed, ...unindexed] } }
}

/**
 * Leaves out the segments, and the rows around, in which a filter by several spellings of an id matches nothing. The engine
 * tests bloom filters for one value of a condition only: a list of two costs ten times as much.
 */
export class NarrowedByIds {
  readonly #scope: Scope
  /** By ids: the parts of one search mostly request the same. */
  readonly #known = new Map<string, Promise<Scope>>()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** The scope in which rows that match a filter may be. */
  async scopeOf(filter: Filter): Promise<Scope> {
    const requested = requiredBy(filter)
    if (!requested) return this.#scope
    const key = JSON.stringify(requested)
    const known = this.#known.get(key) ?? narrowed(this.#scope, requested)
    this.#known.set(key, known)
    return known
  }
}
