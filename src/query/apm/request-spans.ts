import { allOf, type Field, type Filter } from '../../domain/filter.js'

const SERVICE: Field = { in: 'known', name: 'service' }

/** Groups spans by service. */
export const BY_SERVICE: readonly Field[] = [SERVICE]
/** Groups spans by operation. */
export const BY_OPERATION: readonly Field[] = [
  { in: 'known', name: 'name' },
  { in: 'known', name: 'kind' }
]

/** Spans in which a service handles a request (OpenTelemetry, span kinds). */
export const SERVED: Filter = { kind: 'in', field: { in: 'known', name: 'kind' }, values: ['server', 'consumer'] }
/** Spans without a parent. */
export const ROOTS: Filter = { kind: 'not', of: { kind: 'exists', field: { in: 'known', name: 'parent_span_id' } } }

/** Spans of these services that satisfy the filters. */
export function ofServices(services: readonly string[], ...filters: readonly Filter[]): Filter {
  return allOf([{ kind: 'in', field: SERVICE, values: services }, ...filters])
}
