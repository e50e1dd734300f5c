import { BASE_MS, ROUND_MS, traceId } from './records.js'

/** A read of the API. */
export interface ApiRead {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
}

const WINDOW = {
  start: new Date(BASE_MS - ROUND_MS).toISOString(),
  end: new Date(BASE_MS + 2 * ROUND_MS).toISOString()
} as const
const STEP_S = 1_800

function get(path: string, params: Readonly<Record<string, string>> = {}): ApiRead {
  return { method: 'GET', path: `${path}?${String(new URLSearchParams({ ...WINDOW, ...params }))}` }
}

function post(path: string, body: object): ApiRead {
  return { method: 'POST', path, body: { ...WINDOW, ...body } }
}

function promql(query: string): ApiRead {
  return get('/api/v1/prometheus/api/v1/query_range', { query, step: String(STEP_S) })
}

/** The reads of a folder, in namespaces that keep everything forever. */
export function readsOf(rounds: number): readonly ApiRead[] {
  const last = rounds - 1
  return [
    post('/api/v1/logs/query', { limit: 5_000 }),
    post('/api/v1/logs/query', { query: 'überweisung', limit: 5_000 }),
    post('/api/v1/logs/query', { query: 'order 1007', order: 'asc', limit: 500 }),
    post('/api/v1/logs/query', { query: 'order.id:>50 AND region:us AND service:(web OR payments)', limit: 500 }),
    post('/api/v1/logs/query', { trace_id: traceId(0, 3), limit: 100 }),
    post('/api/v1/logs/query', { environment: 'staging', limit: 5_000 }),
    post('/api/v1/logs/facets', { fields: ['service', 'environment', 'level', 'source', 'region', 'round'] }),
    get(`/api/v1/logs/correlate/traces/${traceId(last, 2)}`),
    ...['fixture_temperature', 'fixture_requests_total', 'fixture_native', 'fixture_classic'].map(name =>
      get('/api/v1/prometheus/api/v1/series', { 'match[]': `{__name__=~"${name}.*"}` })
    ),
    promql('fixture_temperature'),
    promql('sum by (host) (last_over_time(fixture_requests_total[30m]))'),
    promql('histogram_quantile(0.9, last_over_time({__name__=~"fixture[._]native.*"}[30m]))'),
    promql('sum by (le, round) (last_over_time({__name__=~"fixture[._]classic.*_bucket"}[30m]))'),
    get('/api/v1/prometheus/api/v1/query_exemplars', { query: '{__name__=~"fixture[._]classic.*"}' }),
    { method: 'GET', path: '/api/v1/prometheus/api/v1/metadata' },
    post('/api/v1/query', { metric: 'fixture_temperature', agg: 'avg', group_by: ['host'], step: '30m' }),
    get('/api/v1/traces', { limit: '200' }),
    get('/api/v1/traces', { limit: '200', 'attr.rows': '30' }),
    ...[traceId(0, 0), traceId(0, 6), traceId(last, 12)].map((id): ApiRead => ({ method: 'GET', path: `/api/v1/traces/${id}` })),
    get('/api/v1/apm/services'),
    get('/api/v1/apm/service-map'),
    get('/api/v1/apm/errors', { limit: '200' }),
    get('/api/v1/apm/rum', { group_by: 'browser' }),
    get('/api/v1/apm/rum', { group_by: 'release' })
  ]
}
