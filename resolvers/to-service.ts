import type { RedMetricsType, ServiceMapEdgeType, ServiceMapType } from '../schema/service.type.js'
import type { TimeRange } from '../src/domain/time-range.js'
import type { Red } from '../src/query/apm/service-result.js'
import type { ServiceMapResult, ServiceMapEdge } from '../src/query/apm/service-map.js'
import { toStats, toWindow } from './to-shared.js'

const NO_CALLS: Red = {
  ...{ calls: 0, ratePerSecond: 0, errors: 0, errorRate: 0 },
  ...{ p50Ms: null, p90Ms: null, p95Ms: null, p99Ms: null }
}

export function toRed(red: Red | undefined): RedMetricsType {
  const { calls, ...rest } = red ?? NO_CALLS
  return { requests: calls, ...rest }
}

export function toMapEdge({ source, target, protocol, red }: ServiceMapEdge): ServiceMapEdgeType {
  return { source, target, protocol, red: toRed(red) }
}

export function toServiceMap(
  result: Omit<ServiceMapResult, 'window' | 'hasMore' | 'limit'> & { window: TimeRange }
): ServiceMapType {
  return {
    nodes: result.nodes.map(({ red, ...node }) => ({ ...node, red: toRed(red) })),
    edges: result.edges.map(toMapEdge),
    window: toWindow(result.window),
    stats: toStats(result, 'spans')
  }
}
