/** One query that the sandbox offers. */
export interface SandboxExample {
  readonly title: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

const LAST_HOUR = { range: { from: 'now-1h' } }

/** First queries for users who have never seen the schema. A test runs each of them. */
export const SANDBOX_EXAMPLES: readonly SandboxExample[] = [
  {
    title: 'Who am I',
    query: `{
  viewer {
    principal { __typename id ... on User { email } }
    role
    namespace { id name retention { logs metrics } }
    memberships { role namespace { name } }
  }
}`,
    variables: {}
  },
  {
    title: 'Newest errors, with facets',
    query: `query NewestErrors($range: TimeRange!, $filter: LogFilter) {
  logs(range: $range, filter: $filter, first: 20) {
    nodes { timestamp level service host message traceId fields }
    total { value exact }
    histogram(buckets: 30, by: "level") { grid { start step length } series { key counts } }
    facets(fields: ["service", "level", "host"]) { field buckets { value count selected } other missing }
    pageInfo { hasNextPage endCursor }
    stats { tookMs complete warnings }
  }
}`,
    variables: { ...LAST_HOUR, filter: { levels: ['ERROR', 'FATAL'] } }
  },
  {
    title: 'Search logs by text',
    query: `query Search($range: TimeRange!, $query: String!) {
  logs(range: $range, filter: { query: $query }, first: 20) {
    nodes { timestamp level service message }
    total { value }
  }
}`,
    variables: { ...LAST_HOUR, query: 'level:error OR timeout' }
  },
  {
    title: 'Metrics and one as a chart',
    query: `query Chart($range: TimeRange!, $queries: [MetricQuery!]!) {
  metrics(range: $range, first: 20) { nodes { name kind seriesCount lastSeen } }
  metricRange(range: $range, queries: $queries, maxPoints: 60) {
    grid { start step length }
    series { legend last avg max values }
  }
}`,
    variables: { ...LAST_HOUR, queries: [{ metric: 'system.cpu.usage_percent', aggregation: 'AVG', by: ['host'] }] }
  },
  {
    title: 'Page timings by country',
    query: `query Pages($range: TimeRange!) {
  rum(range: $range) {
    events
    sessions
    vitals { vital value rating good poor }
    breakdown(by: COUNTRY, vitals: [LCP, CLS, INP]) { value events vitals { vital value rating } }
  }
}`,
    variables: { range: { from: 'now-24h' } }
  },
  {
    title: 'Application errors',
    query: `query Exceptions($range: TimeRange!) {
  exceptions(range: $range, first: 10) { id service type message count lastSeen latest(first: 1) { timestamp stacktrace traceId } }
}`,
    variables: { range: { from: 'now-24h' } }
  },
  {
    title: 'Slowest failed traces',
    query: `query Slow($range: TimeRange!, $filter: TraceFilter) {
  traces(range: $range, filter: $filter, first: 10, orderBy: DURATION) {
    nodes { traceId startTime rootService rootOperation durationMs spanCount errorCount logCount }
    total { value }
    facets(fields: ["service", "status"]) { field buckets { value count } }
  }
}`,
    variables: { ...LAST_HOUR, filter: { hasError: true } }
  },
  {
    title: 'Services and who calls whom',
    query: `query Services($range: TimeRange!) {
  services(range: $range, orderBy: ERROR_RATE) {
    name state version apdex(range: $range)
    red(range: $range) { requests errorRate p95Ms }
  }
  serviceMap(range: $range) { edges { source target protocol red { requests errorRate p95Ms } } }
}`,
    variables: LAST_HOUR
  }
]
