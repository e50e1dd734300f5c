import { GatewayError } from '../../../domain/errors.js'
import { Params } from './params.js'
import { SeriesSplitter, type Samples } from './sample-columns.js'
import { allRowsSql, type Scope } from './source.js'
import { runStatement, toCount } from './statement.js'

// Beyond so many ids a list in the statement costs more than reading a few series too many.
const MAX_LISTED_SERIES = 2_000

/** The series to read, by id, and how many samples the caller can take. */
export interface SampleQuery {
  readonly ids: readonly bigint[]
  readonly maxSamples: number
}

function selectedSql(scope: Scope, { ids }: SampleQuery, params: Params): string {
  const source = allRowsSql(scope, params)
  if (ids.length <= MAX_LISTED_SERIES) {
    return `${source} WHERE series IN (${ids.map(id => params.add(id)).join(', ')})`
  }
  // Ids are our own numbers: as one text they are bound once.
  const list = params.add(ids.join(','))
  return `${source} WHERE series IN (SELECT CAST(unnest(string_split(${list}, ',')) AS BIGINT))`
}

async function refuseTooMany(scope: Scope, query: SampleQuery): Promise<void> {
  const count = async (what: string) => {
    const params = new Params()
    const sql = `SELECT count(${what}) AS n FROM ${selectedSql(scope, query, params)}`
    return toCount((await runStatement(scope, sql, params))[0]?.['n'])
  }
  // Replaced samples are rare: they are told apart only where they could decide.
  if ((await count('*')) <= query.maxSamples) return
  if ((await count("DISTINCT {'series': series, 'ts': ts}")) <= query.maxSamples) return
  throw new GatewayError(
    'query_unsupported',
    `the query would read more than ${query.maxSamples} samples: narrow the time range or the labels`
  )
}

/** Samples by series id, sorted by time, one per time: of several the one with the highest `seq`. */
export async function readSamples(scope: Scope, query: SampleQuery): Promise<ReadonlyMap<bigint, Samples>> {
  if (query.ids.length === 0) return new Map()
  await refuseTooMany(scope, query)
  const params = new Params()
  const sql = `SELECT series, ts, value FROM ${selectedSql(scope, query, params)} ORDER BY series, ts, seq`
  const result = await scope.snapshot.connection.stream(sql, params.values, params.types)
  const splitter = new SeriesSplitter()
  for await (const chunk of result) {
    scope.signal.throwIfAborted()
    splitter.add(chunk)
  }
  return splitter.finish()
}
