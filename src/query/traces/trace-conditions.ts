import { GatewayError } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'
import type { TraceConditions } from '../../ports/trace-store.js'
import { boundedFilter } from '../bounded-filter.js'
import { commonFilters, type FieldCondition, type OneOrMany, parameter } from '../conditions.js'
import { ValueFault } from '../search-language/leaf.js'
import { durationNs, SPAN_VOCABULARY } from './span-vocabulary.js'

/** A condition on one attribute. */
export interface AttributeCondition {
  /** Dotted path. */
  readonly name: string
  readonly value: OneOrMany
}

/**
 * Conditions on traces. All that speaks of spans must hold for one and the same span of a trace; an empty list is no
 * condition.
 */
export interface TraceConditionsInput {
  readonly service?: OneOrMany | undefined
  readonly operation?: OneOrMany | undefined
  readonly kind?: OneOrMany | undefined
  readonly status?: OneOrMany | undefined
  readonly attributes?: readonly AttributeCondition[] | undefined
  /** On attributes of the resource. */
  readonly resource?: readonly AttributeCondition[] | undefined
  /** On attributes of one of the span's events, and of one of its links. */
  readonly event?: readonly AttributeCondition[] | undefined
  readonly link?: readonly AttributeCondition[] | undefined
  /** Inclusive, with their units: `250ms`. */
  readonly minDuration?: string | undefined
  readonly maxDuration?: string | undefined
  /** Of what the durations are: of the whole trace (default) or of the span. */
  readonly scope?: 'trace' | 'span' | undefined
  /** Only spans without a parent. */
  readonly rootOnly?: boolean | undefined
  /** Whether any span of the trace has the status `error`. */
  readonly hasError?: boolean | undefined
  readonly filters?: readonly FieldCondition[] | undefined
  /** Search language; a bare word is looked for in the span's name, service, status message and exceptions. */
  readonly query?: string | undefined
}

/** A request to a store: conditions on a span, and on its trace. */
export interface TraceRequest {
  readonly filter: Filter
  readonly conditions: TraceConditions
}

const PARENT = { in: 'known', name: 'parent_span_id' } as const
const DURATION = { in: 'known', name: 'duration_ns' } as const
const MAX_ATTRIBUTES = 64
const MAX_NAME_CHARS = 256

function refuse(field: string, detail: string, suggestions: readonly string[] = []): GatewayError {
  return new GatewayError('invalid_field', detail, { field, suggestions })
}

function checked<T>(field: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ValueFault) throw refuse(field, `${field}: ${error.message}`, error.suggestions)
    throw error
  }
}

function named(name: 'service' | 'operation' | 'kind' | 'status', value: OneOrMany | undefined): readonly Filter[] {
  return checked(name, () => parameter(SPAN_VOCABULARY, name, value))
}

function attributeFilters(
  prefix: 'attributes' | 'resource' | 'event' | 'link',
  conditions: readonly AttributeCondition[] = []
): readonly Filter[] {
  if (conditions.length > MAX_ATTRIBUTES) throw refuse(prefix, `a query must not exceed ${MAX_ATTRIBUTES} attributes`)
  return conditions.flatMap(({ name, value }) => {
    if (name === '' || name.length > MAX_NAME_CHARS)
      throw refuse(prefix, `the name of an attribute must have 1 to ${MAX_NAME_CHARS} characters`)
    return parameter(SPAN_VOCABULARY, `${prefix}.${name}`, value)
  })
}

function bound(field: 'min_duration' | 'max_duration', text: string | undefined): bigint | undefined {
  return text === undefined || text === '' ? undefined : BigInt(checked(field, () => durationNs(text, field)))
}

function durationFilter(min: bigint | undefined, max: bigint | undefined): readonly Filter[] {
  if (min === undefined && max === undefined) return []
  const bounds = { ...(min !== undefined && { gte: String(min) }), ...(max !== undefined && { lte: String(max) }) }
  return [{ kind: 'range', field: DURATION, ...bounds }]
}

function traceBounds(min: bigint | undefined, max: bigint | undefined): TraceConditions {
  return { ...(min !== undefined && { minDurationNs: min }), ...(max !== undefined && { maxDurationNs: max }) }
}

/** The request to a store. Throws `invalid_field`, `invalid_query`, `query_unsupported`. */
export function traceRequest(requested: TraceConditionsInput): TraceRequest {
  const min = bound('min_duration', requested.minDuration)
  const max = bound('max_duration', requested.maxDuration)
  if (min !== undefined && max !== undefined && min > max) throw refuse('min_duration', 'min_duration is more than max_duration')
  const ofSpan = requested.scope === 'span'
  const filter = boundedFilter([
    ...named('service', requested.service),
    ...named('operation', requested.operation),
    ...named('kind', requested.kind),
    ...named('status', requested.status),
    ...attributeFilters('attributes', requested.attributes),
    ...attributeFilters('resource', requested.resource),
    ...attributeFilters('event', requested.event),
    ...attributeFilters('link', requested.link),
    ...(requested.rootOnly === true ? [{ kind: 'not', of: { kind: 'exists', field: PARENT } } as const] : []),
    ...(ofSpan ? durationFilter(min, max) : []),
    ...commonFilters(SPAN_VOCABULARY, requested)
  ])
  const conditions = {
    ...(ofSpan ? {} : traceBounds(min, max)),
    ...(requested.hasError === undefined ? {} : { hasError: requested.hasError })
  }
  return { filter, conditions }
}
