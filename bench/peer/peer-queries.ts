import { FAILED_STATUS, KNOWN_USER, knownTrace, NEEDLE, SLOW_MS, UNKNOWN_TRACE } from '../generate/logs.js'

/** A query of VictoriaLogs that returns what one of the service's returns. */
export interface PeerQuery {
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** The number in its response that the service's response has, too. */
  readonly count: (response: string) => number
}

/** The data that is queried. */
export interface PeerData {
  readonly startMs: number
  readonly endMs: number
  /** Of one log. */
  readonly spanId: string
}

interface FieldValues {
  readonly values: readonly { readonly value: string; readonly hits: number }[]
}
interface Hits {
  readonly hits: readonly { readonly values: readonly number[] }[]
}

const ROWS = 100
const BUCKETS = 60
const VALUES = 10

function countLines(response: string): number {
  return response.split('\n').filter(line => line !== '').length
}

function newest(query: string): PeerQuery {
  return { path: '/select/logsql/query', params: { query, limit: String(ROWS) }, count: countLines }
}

function counted(query: string): PeerQuery {
  const count = (response: string): number => Number((JSON.parse(response) as { readonly n: string }).n)
  return { path: '/select/logsql/query', params: { query: `${query} | count() n` }, count }
}

function allLines(query: string): PeerQuery {
  return { path: '/select/logsql/query', params: { query }, count: countLines }
}

function valuesOf(field: string): PeerQuery {
  const count = (response: string): number =>
    (JSON.parse(response) as FieldValues).values.reduce((sum, { hits }) => sum + hits, 0)
  return { path: '/select/logsql/field_values', params: { query: '*', field, limit: String(VALUES) }, count }
}

function histogram(startMs: number, endMs: number): PeerQuery {
  const params = {
    query: '*',
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    step: `${Math.ceil((endMs - startMs) / BUCKETS / 1000)}s`,
    field: 'level'
  }
  const count = (response: string): number =>
    (JSON.parse(response) as Hits).hits.flatMap(({ values }) => values).reduce((a, b) => a + b, 0)
  return { path: '/select/logsql/hits', params, count }
}

/** By the names of the service's queries; several are sent at once, and the first one is counted. */
export function peerQueries({ startMs, endMs, spanId }: PeerData): ReadonlyMap<string, readonly PeerQuery[]> {
  return new Map([
    ['newest 100', [newest('*')]],
    ['+ service and level', [newest('service:=checkout level:=warn')]],
    ['rare substring', [newest(`~"(?i)${NEEDLE}"`)]],
    ['three facets', ['level', 'service', 'host'].map(valuesOf)],
    ['histogram by level', [histogram(startMs, endMs)]],
    ['logs of a trace', [allLines(`trace_id:=${knownTrace(0)}`)]],
    ['logs by trace id', [newest(`trace_id:=${knownTrace(0)}`)]],
    ['logs by span id', [newest(`span_id:=${spanId}`)]],
    ['no such trace id', [newest(`trace_id:=${UNKNOWN_TRACE}`)]],
    ['free field, equal', [counted(`log_fields.status:=${FAILED_STATUS}`)]],
    ['free field, range', [counted(`log_fields.duration_ms:>=${SLOW_MS}`)]],
    ['free field, id', [counted(`log_fields.user_id:=${KNOWN_USER}`)]],
    ['free field, facet', [valuesOf('log_fields.status')]],
    ['newest 100 by a free field', [newest(`log_fields.status:=${FAILED_STATUS}`)]],
    ['newest 100 by any free field', [newest(`log_fields.status:=${FAILED_STATUS}`)]]
  ])
}
