import type { SampleWindows } from '../../../ports/metric-store.js'
import { tooManySamples } from '../../shared/read-refusals.js'
import { windowSamples } from '../../metrics/window-samples.js'
import { distinctPoints } from '../distinct-points.js'
import { Params } from './params.js'
import { gatherSamples } from './gather-samples.js'
import { NUMBERED_COLUMNS, SAMPLE_COLUMNS, type SampleRows, type Samples } from './sorted-rows.js'
import { allRowsSql, type Scope } from './source.js'
import { bound, runStatement, toCount } from './statement.js'

const NS_PER_MS = 1_000_000n

/** SQL of a condition on `ts` that leaves out rows next to the windows, those before 1970 excepted; null where windows leave no room. */
function windowRowsSql({ firstEndMs, stepMs, lengthMs }: SampleWindows, params: Params): string | null {
  const stepNs = BigInt(stepMs) * NS_PER_MS
  const lengthNs = BigInt(lengthMs) * NS_PER_MS
  if (lengthNs >= stepNs) return null
  const startNs = BigInt(firstEndMs - lengthMs + 1) * NS_PER_MS
  // A start in the first step after 1970 means the same windows, and no difference to it overflows.
  const phaseNs = ((startNs % stepNs) + stepNs) % stepNs
  return `(ts - ${params.add(phaseNs)}) % ${params.add(stepNs)} < ${params.add(lengthNs)}`
}

/** The series to read, by id, and how many samples the caller can take. */
export interface SampleQuery {
  readonly ids: readonly bigint[]
  readonly maxSamples: number
  /** Where the caller looks, if not everywhere. */
  readonly windows?: SampleWindows | undefined
}

type SamplesById = ReadonlyMap<bigint, Samples>

/** How rows are requested. */
interface RowSelection {
  readonly columns: string
  /** Whether rows of series between those that are requested may come too. */
  readonly isLoose?: boolean
  /** What is made of them. */
  readonly chosen?: (rows: string) => string
}

function selectedSql(scope: Scope, { ids, windows }: SampleQuery, isLoose: boolean, params: Params): string {
  const source = allRowsSql(scope, params)
  const within = windows && windowRowsSql(windows, params)
  return `${source} WHERE ${idsSql(ids, isLoose, params)}${within ? ` AND ${within}` : ''}`
}

/** Ids that are so dense within their bounds are found in all that is there in less time than by a list. */
const MAX_SPREAD = 3n

function boundsOf(ids: readonly bigint[]): readonly [low: bigint, high: bigint] {
  let [low, high] = [ids[0]!, ids[0]!]
  for (const id of ids) {
    if (id < low) low = id
    if (id > high) high = id
  }
  return [low, high]
}

function isDense(ids: readonly bigint[]): boolean {
  const [low, high] = boundsOf(ids)
  return high - low < MAX_SPREAD * BigInt(ids.length)
}

/**
 * Rows of these series. Most ids follow each other, and bounds are what the engine can contain against statistics of row
 * groups. Others go as one text: binding a thousand numbers takes as long as reading their samples.
 */
function idsSql(ids: readonly bigint[], isLoose: boolean, params: Params): string {
  const [low, high] = boundsOf(ids)
  const bounds = `series BETWEEN ${params.add(low)} AND ${params.add(high)}`
  if (isLoose || high - low === BigInt(ids.length - 1)) return bounds
  return `${bounds} AND series = ANY(CAST(string_split(${params.add(ids.join(','))}, ',') AS BIGINT[]))`
}

/** Rows as the engine holds them, read by all of its threads; null when they are more than `maxSamples`. */
async function heldRows(scope: Scope, query: SampleQuery, selection: RowSelection): Promise<SampleRows | null> {
  const { columns, isLoose = false, chosen = rows => rows } = selection
  const params = new Params()
  const rows = `SELECT ${columns} FROM ${selectedSql(scope, query, isLoose, params)}`
  const sql = `${chosen(rows)} LIMIT ${query.maxSamples + 1}`
  const held = await bound(scope, sql, params, statement => statement.run())
  scope.signal.throwIfAborted()
  return held.rowCount > query.maxSamples ? null : held
}

async function readRows(scope: Scope, query: SampleQuery): Promise<SamplesById> {
  const { ids, windows, maxSamples } = query
  const keep = windows && ((one: Samples): Samples => (one.hasHistograms ? one : windowSamples(one, windows)))
  const gather = (rows: SampleRows) => gatherSamples(rows, { ids, signal: scope.signal, ...(keep && { keep }) })
  const isLoose = isDense(ids)
  const first = await heldRows(scope, query, { columns: SAMPLE_COLUMNS, isLoose })
  const found = first && (await gather(first))
  if (found) return found
  // Neither replaced samples nor rows of other series count for the bound. Both are rare: the engine leaves them out only
  // where a read without that has come to too many rows, or to several samples of one time.
  const exact = (first || isLoose) && (await heldRows(scope, query, { columns: NUMBERED_COLUMNS }))
  const rows = exact || (await heldRows(scope, query, { columns: NUMBERED_COLUMNS, chosen: distinctPoints }))
  if (rows === null) throw tooManySamples(maxSamples)
  return (await gather(rows))!
}

/** Series in parts whose rows an engine can sort at once. Throws where those of one series are too many. */
async function partsOf(scope: Scope, query: SampleQuery): Promise<readonly (readonly bigint[])[]> {
  const params = new Params()
  const sql = `SELECT series, count(*) AS n FROM ${selectedSql(scope, query, false, params)} GROUP BY series ORDER BY series`
  const parts: bigint[][] = []
  let rows = 0
  for (const row of await runStatement(scope, sql, params)) {
    const count = toCount(row['n'])
    if (count > query.maxSamples) throw tooManySamples(query.maxSamples)
    rows += count
    if (parts.length === 0 || rows > query.maxSamples) {
      parts.push([])
      rows = count
    }
    parts.at(-1)!.push(row['series'] as bigint)
  }
  return parts
}

/** Only what the windows need; of series with histograms all, since those are judged by their neighbors too. */
async function readWindows(scope: Scope, query: SampleQuery): Promise<SamplesById> {
  const found = new Map<bigint, Samples>()
  let samples = 0
  for (const ids of await partsOf(scope, query)) {
    for (const [id, one] of await readRows(scope, { ...query, ids })) {
      samples += one.values.length
      found.set(id, one)
    }
    if (samples > query.maxSamples) throw tooManySamples(query.maxSamples)
  }
  const mixed = [...found].filter(([, { hasHistograms }]) => hasHistograms).map(([id]) => id)
  if (mixed.length === 0) return found
  const { maxSamples } = query
  for (const [id, whole] of await readRows(scope, { ids: mixed, maxSamples })) {
    samples += whole.values.length - found.get(id)!.values.length
    found.set(id, whole)
  }
  if (samples > maxSamples) throw tooManySamples(maxSamples)
  return found
}

/** Samples by series id, sorted by time, one per time: of several the one with the highest `seq`. */
export async function readSamples(scope: Scope, query: SampleQuery): Promise<SamplesById> {
  if (query.ids.length === 0) return new Map()
  return query.windows === undefined ? readRows(scope, query) : readWindows(scope, query)
}
