import { formatNs } from '../../domain/timestamp.js'
import type { Grid } from '../../query/result.js'
import type {
  Operation,
  Red,
  ServiceResult,
  ServiceFact,
  ServicesResult,
  ServiceSummary
} from '../../query/apm/service-result.js'
import type { ServiceMapResult } from '../../query/apm/service-map.js'
import type { All, Static } from '../json-schema.js'
import type { GRID, MAP_MEMBERS, RED, SERVICE, SERVICE_MEMBERS, SERVICES_MEMBERS } from '../routes/services-schemas.js'
import { gridJson } from './time-json.js'

function redJson(red: Red): All<typeof RED> {
  return {
    calls: red.calls,
    rate_per_second: red.ratePerSecond,
    errors: red.errors,
    error_rate: red.errorRate,
    p50_ms: red.p50Ms,
    p90_ms: red.p90Ms,
    p95_ms: red.p95Ms,
    p99_ms: red.p99Ms
  }
}

function trendGridJson(grid: Grid | null): Static<typeof GRID> {
  return grid && { ...gridJson(grid), length: grid.length }
}

function serviceJson(service: ServiceSummary): Static<typeof SERVICE> {
  const { change } = service
  return {
    name: service.name,
    ...redJson(service.red),
    requests: service.requests,
    apdex: service.apdex,
    spans: service.spans,
    last_seen: formatNs(service.lastSeenNs),
    state: service.state,
    language: service.language,
    version: service.version,
    trend: service.trend,
    change: change && { calls: change.calls, error_rate: change.errorRate, p95: change.p95 }
  }
}

function operationJson({ name, kind, red }: Operation): All<typeof SERVICE_MEMBERS>['operations'][number] {
  return { name, kind, ...redJson(red) }
}

function factJson({ value, spans, lastSeenNs }: ServiceFact): All<typeof SERVICE_MEMBERS>['hosts'][number] {
  return { value, spans, last_seen: formatNs(lastSeenNs) }
}

/** `GET /api/v1/apm/services`, without the members of every list. */
export function servicesJson({ services, grid, apdexMs }: ServicesResult): All<typeof SERVICES_MEMBERS> {
  return { services: services.map(serviceJson), grid: trendGridJson(grid), apdex_ms: apdexMs }
}

/** `GET /api/v1/apm/services/{name}`, without the members of every response. */
export function serviceResultJson(response: ServiceResult): All<typeof SERVICE_MEMBERS> {
  return {
    service: serviceJson(response.service),
    grid: trendGridJson(response.grid),
    apdex_ms: response.apdexMs,
    operations: response.operations.map(operationJson),
    versions: response.versions.map(factJson),
    languages: response.languages.map(factJson),
    hosts: response.hosts.map(factJson)
  }
}

/** `GET /api/v1/apm/service-map` without the members of every list; also the map of one trace. */
export function serviceMapJson({ nodes, edges }: Pick<ServiceMapResult, 'nodes' | 'edges'>): All<typeof MAP_MEMBERS> {
  return {
    nodes: nodes.map(({ id, name, kind, red }) => ({ id, name, kind, ...redJson(red) })),
    edges: edges.map(({ source, target, protocol, red }) => ({ source, target, protocol, ...redJson(red) }))
  }
}
