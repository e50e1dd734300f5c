import type { OneOrMany } from '../../query/conditions.js'
import type { AttributeCondition, TraceConditionsInput } from '../../query/traces/trace-conditions.js'
import type { TraceQuery } from '../../query/traces/trace-query.js'
import { parseFilters } from '../field-filters.js'
import type { Static } from '../json-schema.js'
import type { QUERY_TRACES, SEARCH_TRACES } from './traces-query-schemas.js'

type TraceSearchBody = NonNullable<Static<typeof QUERY_TRACES.body>>
type TraceSearchQuery = Static<typeof SEARCH_TRACES.querystring>
/** Members that both forms of the query have by the same names. */
type TraceSearchCommon = Omit<TraceSearchBody, 'attributes' | 'resource' | 'event' | 'link' | 'filters'>

const ATTRIBUTE_PREFIX = 'attr.'
const RESOURCE_PREFIX = 'resource.'
const EVENT_PREFIX = 'event.'
const LINK_PREFIX = 'link.'

function conditionsOf(
  requested: TraceSearchCommon
): Omit<TraceConditionsInput, 'attributes' | 'resource' | 'event' | 'link' | 'filters'> {
  const { service, operation, kind, status, min_duration: minDuration, max_duration: maxDuration, scope, query } = requested
  const { root_only: rootOnly, has_error: hasError } = requested
  return { service, operation, kind, status, minDuration, maxDuration, scope, rootOnly, hasError, query }
}

function requestOf(requested: TraceSearchCommon, conditions: TraceConditionsInput): TraceQuery {
  const { start, end, sort, order, limit, cursor, total, histogram, durations, facets } = requested
  return {
    ...{ start, end, sort, order, limit, cursor, total, conditions },
    histograms: histogram === undefined ? [] : [{ buckets: histogram }],
    durations: durations === undefined ? [] : [durations],
    facets: facets?.map(field => ({ field }))
  }
}

function named(members: Readonly<Record<string, OneOrMany>> = {}, prefix = ''): readonly AttributeCondition[] {
  return Object.entries(members)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => ({ name: name.slice(prefix.length), value }))
}

/** The query of a body. */
export function requestOfBody(body: TraceSearchBody): TraceQuery {
  const { attributes, resource, event, link, filters } = body
  const conditions = { attributes: named(attributes), resource: named(resource), event: named(event), link: named(link), filters }
  return requestOf(body, { ...conditionsOf(body), ...conditions })
}

/** The query of a query string. */
export function requestOfQuery(query: TraceSearchQuery): TraceQuery {
  const members = query as Readonly<Record<string, OneOrMany>>
  return requestOf(query, {
    ...conditionsOf(query),
    attributes: named(members, ATTRIBUTE_PREFIX),
    resource: named(members, RESOURCE_PREFIX),
    event: named(members, EVENT_PREFIX),
    link: named(members, LINK_PREFIX),
    filters: parseFilters(query.filters)
  })
}
