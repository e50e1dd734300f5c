import type { AggregateRequest, AggregateResult, AggregateRow, Measure } from '../../src/domain/aggregate.js'
import { GatewayError } from '../../src/domain/errors.js'
import type { SavedMeasure } from '../../src/domain/saved-measure.js'
import { namespaceId, userId } from '../contract/control-fixtures.js'

/** A record that is measured; `poison`: reads of it fail. */
export interface MeasuredRecord {
  readonly atMs: number
  readonly group?: string
  readonly value?: number
  readonly poison?: true
}

/** A saved measure that counts logs of each minute by `log_fields.user`, with changes. */
export function savedMeasure(startMs: number, changes: Partial<SavedMeasure> = {}): SavedMeasure {
  return {
    ...{
      name: 'seen',
      description: '',
      signal: 'logs',
      query: '',
      fn: 'count',
      field: null,
      groupBy: ['user'],
      stepMs: 60_000,
      bounds: []
    },
    ...{ countedMs: startMs, checkedMs: startMs, settledMs: startMs, backfill: null, error: null, incomplete: null },
    ...{ id: 'first', namespaceId: namespaceId('shop'), version: 1, dueMs: 0, createdBy: userId('ada'), createdAtMs: startMs },
    ...changes
  }
}

function valueOf(measure: Measure, records: readonly MeasuredRecord[]): number | null {
  if (measure.kind === 'count' || measure.kind === 'numbers') return records.length
  const numbers = records.map(({ value }) => value ?? 0)
  if (numbers.length === 0) return null
  if (measure.kind === 'max') return Math.max(...numbers)
  const sum = numbers.reduce((a, b) => a + b, 0)
  return Number.isFinite(sum) ? sum : Number.NaN
}

/** The aggregation of a store whose records a test changes, by one field. Each request is remembered. */
export class MeasuredRecords {
  readonly requests: AggregateRequest[] = []
  records: MeasuredRecord[] = []

  readonly aggregate = async (_ns: unknown, request: AggregateRequest): Promise<AggregateResult> => {
    this.requests.push(request)
    const { startNs, endNs } = request.range
    const within = this.records.filter(({ atMs }) => BigInt(atMs) * 1_000_000n >= startNs && BigInt(atMs) * 1_000_000n < endNs)
    if (within.some(({ poison }) => poison)) throw new GatewayError('query_unsupported', 'a record is in 1600 groups')
    const isGrouped = request.groupBy.length > 0
    const groups = new Map<string | null, MeasuredRecord[]>(isGrouped ? [] : [[null, []]])
    for (const record of within) {
      const key = isGrouped ? (record.group ?? null) : null
      groups.set(key, [...(groups.get(key) ?? []), record])
    }
    const ranked = [...groups].toSorted(([a, x], [b, y]) => y.length - x.length || (String(a) < String(b) ? -1 : 1))
    const row = (key: AggregateRow['key'], records: readonly MeasuredRecord[]): AggregateRow => ({
      key,
      values: request.measures.map(measure => valueOf(measure, records)),
      series: request.measures.map(measure => this.#steps(request, records).map(step => valueOf(measure, step)))
    })
    const others = ranked.slice(request.limit).flatMap(([, records]) => records)
    return {
      rows: ranked.slice(0, request.limit).map(([key, records]) => row(isGrouped ? [key] : [], records)),
      other: request.other && others.length > 0 ? row([], others) : null,
      groups: { value: groups.size, relation: 'eq' },
      ...{ relativeError: 0, complete: true, warnings: [] }
    }
  }

  #steps({ grid }: AggregateRequest, records: readonly MeasuredRecord[]): readonly (readonly MeasuredRecord[])[] {
    const { startNs, stepNs, count } = grid!
    const stepOf = ({ atMs }: MeasuredRecord): number => Number((BigInt(atMs) * 1_000_000n - startNs) / stepNs)
    return Array.from({ length: count }, (_, step) => records.filter(record => stepOf(record) === step))
  }
}
