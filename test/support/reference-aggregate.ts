import type { AggregateRequest, AggregateResult, AggregateValues, Measure } from '../../src/domain/aggregate.js'
import type { Field } from '../../src/domain/filter.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import { compareKeys } from '../../src/domain/string-order.js'
import { matchesFilter, numberOf, valuesOf } from './reference-filter.js'

type Key = readonly (string | null)[]

function stringsOf(log: LogRecord, field: Field): readonly string[] {
  return [...new Set(valuesOf(log, field).filter(value => value !== ''))]
}

function numbersOf(log: LogRecord, field: Field): readonly number[] {
  if (field.in === 'known') return field.name === 'severity_number' ? [log.severityNumber] : []
  return [...new Set(valuesOf(log, field).flatMap(value => numberOf(value) ?? []))].map(value => value + 0)
}

/** All combinations of the values of a log. */
function keysOf(log: LogRecord, fields: readonly Field[]): readonly Key[] {
  return fields.reduce<readonly Key[]>(
    (keys, field) => {
      const values = stringsOf(log, field)
      const own: readonly (string | null)[] = values.length === 0 ? [null] : values
      return keys.flatMap(key => own.map(value => [...key, value]))
    },
    [[]]
  )
}

function percentileOf(sorted: readonly number[], at: number): number {
  const rank = at * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!]
  return low + (high - low) * (rank - Math.floor(rank))
}

function valueOf(logs: readonly LogRecord[], measure: Measure): number | null {
  if (measure.kind === 'count') {
    const { field } = measure
    return field ? logs.filter(log => stringsOf(log, field).length > 0).length : logs.length
  }
  if (measure.kind === 'distinct') return new Set(logs.flatMap(log => stringsOf(log, measure.field))).size
  const numbers = logs.flatMap(log => numbersOf(log, measure.field)).toSorted((a, b) => a - b)
  if (measure.kind === 'numbers') return numbers.filter(number => number <= (measure.atMost ?? Infinity)).length
  if (numbers.length === 0) return null
  const sum = numbers.reduce((total, number) => total + number, 0)
  switch (measure.kind) {
    case 'sum':
      return sum
    case 'avg':
      return sum / numbers.length
    case 'min':
      return numbers[0]!
    case 'max':
      return numbers.at(-1)!
    default:
      return percentileOf(numbers, measure.at)
  }
}

function valuesOver(logs: readonly LogRecord[], { measures, grid }: AggregateRequest): AggregateValues {
  const values = measures.map(measure => valueOf(logs, measure))
  if (!grid) return { values }
  const buckets = Array.from({ length: grid.count }, (_, i) => {
    const startNs = grid.startNs + grid.stepNs * BigInt(i)
    return logs.filter(({ timestampNs }) => timestampNs >= startNs && timestampNs < startNs + grid.stepNs)
  })
  return { values, series: measures.map(measure => buckets.map(own => valueOf(own, measure))) }
}

function ranked(a: number | null, b: number | null, order: 'asc' | 'desc'): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return order === 'asc' ? a - b : b - a
}

/** What an aggregate of logs is, written straight from the rules in `domain/aggregate`, to hold engines against. */
export function aggregateOf(logs: readonly LogRecord[], request: AggregateRequest): AggregateResult {
  const { filter, groupBy, rankBy, limit, range } = request
  const matching = logs.filter(
    log => log.timestampNs >= range.startNs && log.timestampNs < range.endNs && matchesFilter(log, filter)
  )
  const groups = new Map<string, { readonly key: Key; readonly logs: LogRecord[] }>(
    groupBy.length === 0 ? [['[]', { key: [], logs: [] }]] : []
  )
  for (const log of matching) {
    for (const key of keysOf(log, groupBy)) {
      const group = groups.get(JSON.stringify(key)) ?? { key, logs: [] }
      group.logs.push(log)
      groups.set(JSON.stringify(key), group)
    }
  }
  const rows = [...groups.values()]
    .map(group => ({ ...group, ...valuesOver(group.logs, request) }))
    .toSorted((a, b) => {
      const byValue = ranked(a.values[rankBy.measure]!, b.values[rankBy.measure]!, rankBy.order)
      return byValue !== 0 ? byValue : compareKeys(a.key, b.key)
    })
  const listed = new Set(rows.slice(0, limit).flatMap(group => group.logs))
  const others = matching.filter(log => !listed.has(log))
  return {
    rows: rows.slice(0, limit).map(({ key, values, series }) => ({ key, values, ...(series && { series }) })),
    other: request.other && rows.length > limit ? valuesOver(others, request) : null,
    groups: { value: rows.length, relation: 'eq' },
    ...{ relativeError: 0, complete: true, warnings: [] }
  }
}
