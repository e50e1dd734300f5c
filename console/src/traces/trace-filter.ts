import type { SpanKind, SpanStatus, TraceFilter, TraceOrder } from '../api/generated/TraceRows.js'
import { parseDurationText } from '../format/duration-text.js'
import { readMeasure } from '../measures/measure-choice.js'
import { all, one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

const KINDS: readonly SpanKind[] = ['SERVER', 'CLIENT', 'INTERNAL', 'PRODUCER', 'CONSUMER', 'UNSPECIFIED']
const STATUSES: readonly SpanStatus[] = ['ERROR', 'OK', 'UNSET']

/** What a search is shown as, the default first. */
const VIEWS = ['list', 'scatter', 'heatmap', 'compare', 'measure'] as const
export type TraceView = (typeof VIEWS)[number]

/** The filter, the order and the view of an address, and values that it could not use. */
export interface ReadTraceFilter {
  readonly filter: TraceFilter
  readonly orderBy: TraceOrder
  readonly view: TraceView
  readonly problems: readonly AddressProblem[]
}

/** Keys of the address that are conditions. */
export const FILTER_KEYS = ['q', 'service', 'operation', 'kind', 'status', 'min', 'max', 'scope'] as const

function enumValues<Value extends string>(
  search: SearchValues,
  key: string,
  known: readonly Value[],
  problems: AddressProblem[]
) {
  const values: Value[] = []
  for (const value of all(search, key)) {
    const match = known.find(one => one === value.toUpperCase())
    if (match) values.push(match)
    else problems.push({ key, value, instead: `${key} without this value` })
  }
  return values.length > 0 ? values : null
}

function listOf(search: SearchValues, key: string): string[] | null {
  return all(search, key).length > 0 ? [...all(search, key)] : null
}

function duration(search: SearchValues, key: 'min' | 'max', problems: AddressProblem[]): string | null {
  const value = one(search, key)
  if (value === null || parseDurationText(value) !== null) return value
  problems.push({ key, value, instead: key === 'min' ? 'no shortest duration' : 'no longest duration' })
  return null
}

function choice<Value extends string>(
  search: SearchValues,
  key: string,
  values: readonly [Value, ...Value[]],
  problems: AddressProblem[]
): Value {
  const value = one(search, key)
  const match = values.find(one => one === value?.toLowerCase())
  if (value !== null && !match) problems.push({ key, value, instead: `${key}=${values[0]}` })
  return match ?? values[0]
}

/** Reads `q`, `service`, `operation`, `kind`, `status`, `min`, `max`, `scope`, `sort` and `view`. */
export function readTraceFilter(search: SearchValues): ReadTraceFilter {
  const problems: AddressProblem[] = []
  const scope = choice(search, 'scope', ['trace', 'span'], problems)
  const sort = choice(search, 'sort', ['start', 'duration'], problems)
  const view = choice(search, 'view', VIEWS, problems)
  const filter: TraceFilter = {
    query: one(search, 'q') === '' ? null : one(search, 'q'),
    services: listOf(search, 'service'),
    operations: listOf(search, 'operation'),
    kinds: enumValues(search, 'kind', KINDS, problems),
    statuses: enumValues(search, 'status', STATUSES, problems),
    minDuration: duration(search, 'min', problems),
    maxDuration: duration(search, 'max', problems),
    scope: scope === 'span' ? 'SPAN' : null
  }
  return {
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null)),
    orderBy: sort === 'duration' ? 'DURATION' : 'START_TIME',
    view,
    problems: [...problems, ...(view === 'measure' ? readMeasure(search).problems : [])]
  }
}
