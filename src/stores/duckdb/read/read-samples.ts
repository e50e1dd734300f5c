import { GatewayError } from '../../../domain/errors.js'
import type { SampleWindows } from '../../../ports/metric-store.js'
import { windowSamples } from '../../window-samples.js'
import { distinctPoints } from '../distinct-points.js'
import { Params } from './params.js'
import { SAMPLE_COLUMNS, SampleGatherer, type Samples } from './sample-columns.js'
import { allRowsSql, type Scope } from './source.js'
import { bound, runStatement, toCount } from './statement.js'
import { windowRowsSql } from './window-rows.js'

/** The series to read, by id, and how many samples the caller can take. */
export interface SampleQuery {
  readonly ids: readonly bigint[]
  readonly maxSamples: number
  /** Where the caller looks, if not everywhere. */
  readonly windows?: SampleWindows | undefined
}

type SamplesById = ReadonlyMap<bigint, Samples>

function selectedSql(scope: Scope, { ids, windows }: SampleQuery, params: Params): string {
  const source = allRowsSql(scope, params)
  const within = windows && windowRowsSql(windows, params)
  return `${source} WHERE ${idsSql(ids, params)}${within ? ` AND ${within}` : ''}`
}

/**
 * Rows of these series. Most ids follow each other, and bounds are what the engine can hold against statistics of row
 * groups. Others go as one text: binding a thousand numbers takes as long as reading their samples.
 */
function idsSql(ids: readonly bigint[], params: Params): string {
  let [low, high] = [ids[0]!, ids[0]!]
  for (const id of ids) {
    if (id < low) low = id
    if (id > high) high = id
  }
  const bounds = `series BETWEEN ${params.add(low)} AND ${params.add(high)}`
  if (high - low === BigInt(ids.length - 1)) return bounds
  return `${bounds} AND series = ANY(CAST(string_split(${params.add(ids.join(','))}, ',') AS BIGINT[]))`
}

function tooMany(maxSamples: number): GatewayError {
  const detail = `the query would read more than ${maxSamples} samples: narrow the time range or the labels`
  return new GatewayError('query_unsupported', detail)
}

/** Samples of rows, of all or of those that `chosen` makes of them; null when they were more than `maxSamples`, and what was left is not read. */
async function gathered(
  scope: Scope,
  query: SampleQuery,
  chosen: (rows: string) => string = rows => rows
): Promise<SampleGatherer | null> {
  const params = new Params()
  const rows = `SELECT ${SAMPLE_COLUMNS} FROM ${selectedSql(scope, query, params)}`
  const result = await bound(scope, chosen(rows), params, statement => statement.stream())
  const gatherer = new SampleGatherer(query.ids)
  for await (const chunk of result) {
    scope.signal.throwIfAborted()
    gatherer.add(chunk)
    if (gatherer.rows > query.maxSamples) return null
  }
  return gatherer
}

async function readRows(scope: Scope, query: SampleQuery): Promise<SamplesById> {
  const { windows, maxSamples } = query
  // Replaced samples do not count, but they are rare: the engine tells them apart only where they decide.
  const rows = (await gathered(scope, query)) ?? (await gathered(scope, query, distinctPoints))
  if (rows === null) throw tooMany(maxSamples)
  if (windows === undefined) return rows.finish(scope.signal)
  return rows.finish(scope.signal, samples => (samples.hasHistograms ? samples : windowSamples(samples, windows)))
}

/** Series in parts whose rows an engine can sort at once. Throws where those of one series are too many. */
async function partsOf(scope: Scope, query: SampleQuery): Promise<readonly (readonly bigint[])[]> {
  const params = new Params()
  const sql = `SELECT series, count(*) AS n FROM ${selectedSql(scope, query, params)} GROUP BY series ORDER BY series`
  const parts: bigint[][] = []
  let rows = 0
  for (const row of await runStatement(scope, sql, params)) {
    const count = toCount(row['n'])
    if (count > query.maxSamples) throw tooMany(query.maxSamples)
    rows += count
    if (parts.length === 0 || rows > query.maxSamples) {
      parts.push([])
      rows = count
    }
    parts.at(-1)!.push(row['series'] as bigint)
  }
  return parts
}

/** Only what the windows need; of series with histograms all, since those are judged by their neighbours too. */
async function readWindows(scope: Scope, query: SampleQuery): Promise<SamplesById> {
  const found = new Map<bigint, Samples>()
  let samples = 0
  for (const ids of await partsOf(scope, query)) {
    for (const [id, one] of await readRows(scope, { ...query, ids })) {
      samples += one.values.length
      found.set(id, one)
    }
    if (samples > query.maxSamples) throw tooMany(query.maxSamples)
  }
  const mixed = [...found].filter(([, { hasHistograms }]) => hasHistograms).map(([id]) => id)
  if (mixed.length === 0) return found
  const { maxSamples } = query
  for (const [id, whole] of await readRows(scope, { ids: mixed, maxSamples })) {
    samples += whole.values.length - found.get(id)!.values.length
    found.set(id, whole)
  }
  if (samples > maxSamples) throw tooMany(maxSamples)
  return found
}

/** Samples by series id, sorted by time, one per time: of several the one with the highest `seq`. */
export async function readSamples(scope: Scope, query: SampleQuery): Promise<SamplesById> {
  if (query.ids.length === 0) return new Map()
  return query.windows === undefined ? readRows(scope, query) : readWindows(scope, query)
}
