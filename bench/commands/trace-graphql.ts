import type { SpanTally, Stretch } from '../generate/span-tally.js'
import { edgeFault, iso, serviceFault, SPANS_PER_TRACE, traceIdOf, type TraceRequest } from './trace-queries.js'

const SERVICES_QUERY = `query ($range: TimeRange!) {
  services(range: $range) { name red(range: $range) { requests errors p95Ms } }
}`
const MAP_QUERY = 'query ($range: TimeRange!) { serviceMap(range: $range) { edges { source target red { requests } } } }'
const TRACE_QUERY = 'query ($id: ID!) { trace(traceId: $id) { spans(limit: 20) { spanId service operation durationMs } } }'

interface GraphqlServices {
  readonly data: {
    readonly services: readonly {
      readonly name: string
      readonly red: { readonly requests: number; readonly errors: number; readonly p95Ms: number | null }
    }[]
  }
}
interface GraphqlMap {
  readonly data: {
    readonly serviceMap: {
      readonly edges: readonly { readonly source: string; readonly target: string; readonly red: { readonly requests: number } }[]
    }
  }
}

function graphql(query: string, variables: (turn: number) => object): TraceRequest['run'] {
  return (session, turn) => session.call('POST', '/graphql', { query, variables: variables(turn) })
}

/** Some of the same queries over GraphQL. */
export function graphqlQueries(tally: SpanTally, hour: Stretch): readonly TraceRequest[] {
  const hourly = tally.requests(hour)
  const range = { from: iso(hour.startNs), to: iso(hour.endNs) }
  return [
    {
      name: 'GraphQL: trace by id',
      run: graphql(TRACE_QUERY, turn => ({ id: traceIdOf(tally, turn) })),
      fault: ({ data }: { readonly data: { readonly trace: { readonly spans: readonly object[] } } }) =>
        data.trace.spans.length === SPANS_PER_TRACE ? null : `${data.trace.spans.length} spans`
    },
    {
      name: 'GraphQL: services of an hour',
      run: graphql(SERVICES_QUERY, () => ({ range })),
      fault: ({ data }: GraphqlServices) =>
        serviceFault(
          data.services.map(({ name, red: { requests: calls, errors, p95Ms } }) => ({ name, calls, errors, p95_ms: p95Ms })),
          hourly
        )
    },
    {
      name: 'GraphQL: service map of an hour',
      run: graphql(MAP_QUERY, () => ({ range })),
      fault: ({ data }: GraphqlMap) =>
        edgeFault(
          data.serviceMap.edges.map(({ source, target, red }) => ({ source, target, calls: red.requests })),
          tally.edges(hour)
        )
    }
  ]
}
