import { flatten } from '../../domain/flatten.js'
import type { FlatObject, JsonObject } from '../../domain/json.js'
import type { LabelMatcher } from '../../ports/metric-store.js'
import { escapeRegex } from '../search-language/regex-subset.js'
import type { AttributeLink, Link, AttributeBasis } from './correlation-result.js'

/** Attributes that name a container or pod: OpenTelemetry's, then those of log shippers (Fluent Bit, Vector, Promtail). */
const CONTAINER_FIELDS = [
  'container.id',
  'container_id',
  'container.name',
  'container_name',
  'container',
  'k8s.pod.name',
  'k8s_pod_name',
  'kubernetes.pod_name',
  'kubernetes.container_name',
  'pod'
]

/** Labels of series per basis: those of this service's own mapping first, then Prometheus's and exporters' usual ones. */
const LABELS: Readonly<Record<AttributeBasis, readonly string[]>> = {
  service: ['service', 'service_name', 'job'],
  host: ['host', 'host_name', 'hostname', 'node', 'instance'],
  container: ['container', 'container_name', 'container_id', 'pod', 'k8s_pod_name']
}

/** Names of one kind that an anchor may give; a service of thousands of pods is looked for by its service. */
export const MAX_LINKS = 5

function stringsOf(fields: FlatObject, name: string): readonly string[] {
  if (!Object.hasOwn(fields, name)) return []
  const value = fields[name]
  const values = Array.isArray(value) ? value : [value]
  return values.filter(text => typeof text === 'string' && text !== '')
}

/** Containers and pods that attributes name. */
export function containersOf(...objects: readonly JsonObject[]): readonly string[] {
  const flat = objects.map(flatten)
  const names = CONTAINER_FIELDS.flatMap(field => flat.flatMap(fields => stringsOf(fields, field)))
  return [...new Set(names)].slice(0, MAX_LINKS)
}

/** Which labels may carry the value of a link. */
export function labelsOfBasis(basis: AttributeBasis): readonly string[] {
  return LABELS[basis]
}

/**
 * The condition on one label; `instance` of Prometheus is a host with a port, `job` is a service, optionally after a namespace.
 */
export function labelMatcherOf(label: string, { value }: Link): LabelMatcher {
  if (label === 'instance') return { name: label, op: 'regex', value: `${escapeRegex(value)}(:[0-9]+)?` }
  if (label === 'job') return { name: label, op: 'regex', value: `([^/]+/)?${escapeRegex(value)}` }
  return { name: label, op: 'eq', value }
}

const CONFIDENCE = { container: 'high', service: 'medium', host: 'low' } as const

/** Links of an anchor, strongest first. `weak`: a small part of the anchor only. */
export function anchorLinks(
  basis: keyof typeof CONFIDENCE,
  values: readonly (string | null | undefined)[],
  isWeak: (value: string) => boolean = () => false
): readonly AttributeLink[] {
  const present = values.filter((value): value is string => typeof value === 'string' && value !== '')
  const named = [...new Set(present)].slice(0, MAX_LINKS)
  return named.map(value => ({ basis, value, confidence: isWeak(value) ? 'low' : CONFIDENCE[basis] }))
}
