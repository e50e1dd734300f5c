import { GatewayError } from '../../../domain/errors.js'
import { oneOfSql } from './one-of.js'
import { Params } from './params.js'
import { SeriesSplitter, type Samples } from './sample-columns.js'
import { allRowsSql, type Scope } from './source.js'
import { bound, runStatement, toCount } from './statement.js'

/** The series to read, by id, and how many samples the caller can take. */
export interface SampleQuery {
  readonly ids: readonly bigint[]
  readonly maxSamples: number
}

function selectedSql(scope: Scope, { ids }: SampleQuery, params: Params): string {
  const source = allRowsSql(scope, params)
  return `${source} WHERE ${oneOfSql('series', ids, params)}`
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
  const result = await bound(scope, sql, params, statement => statement.stream())
  const splitter = new SeriesSplitter()
  for await (const chunk of result) {
    scope.signal.throwIfAborted()
    splitter.add(chunk)
  }
  return splitter.finish()
}
