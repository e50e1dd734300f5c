import type { SpanKind } from '../../domain/span.js'
import type { TraceView } from './trace-view.js'

/** What the spans of one operation came to in a trace; times in nanoseconds. */
export interface OperationTotals {
  readonly spans: number
  readonly errors: number
  readonly totalNs: bigint
  readonly meanNs: bigint
  readonly selfTimeNs: bigint
}

/** `slowed` and `sped_up`: the mean duration changed by more than a tenth. */
export type OperationChange = 'appeared' | 'vanished' | 'slowed' | 'sped_up' | 'unchanged'

/** An operation of two traces; null where a trace has none of it. */
export interface OperationComparison {
  readonly service: string | null
  readonly operation: string
  readonly kind: SpanKind
  readonly change: OperationChange
  readonly base: OperationTotals | null
  readonly other: OperationTotals | null
  /** Self time of the other trace minus that of the base: what the operation itself added. */
  readonly selfTimeDeltaNs: bigint
}

type OperationKey = Pick<OperationComparison, 'service' | 'operation' | 'kind'>
interface Totalled {
  readonly named: OperationKey
  readonly totals: OperationTotals
}

function totalsOf({ spans }: TraceView): ReadonlyMap<string, Totalled> {
  const operations = new Map<string, Totalled>()
  for (const { span, selfTimeNs } of spans) {
    const { service, name: operation, kind } = span
    const key = JSON.stringify([service, operation, kind])
    const before = operations.get(key)?.totals
    const count = (before?.spans ?? 0) + 1
    const totalNs = (before?.totalNs ?? 0n) + span.durationNs
    const totals = {
      spans: count,
      errors: (before?.errors ?? 0) + (span.status === 'error' ? 1 : 0),
      totalNs,
      meanNs: totalNs / BigInt(count),
      selfTimeNs: (before?.selfTimeNs ?? 0n) + selfTimeNs
    }
    operations.set(key, { named: { service, operation, kind }, totals })
  }
  return operations
}

function changeOf(base: OperationTotals | null, other: OperationTotals | null): OperationChange {
  if (!base) return 'appeared'
  if (!other) return 'vanished'
  const difference = other.meanNs - base.meanNs
  if (difference * 10n > base.meanNs) return 'slowed'
  return -difference * 10n > base.meanNs ? 'sped_up' : 'unchanged'
}

function size(ns: bigint): bigint {
  return ns < 0n ? -ns : ns
}

function byWeight(a: OperationComparison, b: OperationComparison): number {
  const [left, right] = [size(a.selfTimeDeltaNs), size(b.selfTimeDeltaNs)]
  if (left !== right) return left > right ? -1 : 1
  const [named, than] = [a, b].map(({ service, operation, kind }) => JSON.stringify([service, operation, kind]))
  return named! < than! ? -1 : 1
}

/** The operations (service, name, kind) of two traces side by side, those whose own time differs most first. */
export function compareTraces(base: TraceView, other: TraceView): readonly OperationComparison[] {
  const before = totalsOf(base)
  const after = totalsOf(other)
  const keys = [...new Set([...before.keys(), ...after.keys()])]
  return keys
    .map(key => {
      const [left, right] = [before.get(key), after.get(key)]
      const [base, other] = [left?.totals ?? null, right?.totals ?? null]
      const { named } = (left ?? right)!
      const selfTimeDeltaNs = (other?.selfTimeNs ?? 0n) - (base?.selfTimeNs ?? 0n)
      return { ...named, change: changeOf(base, other), base, other, selfTimeDeltaNs }
    })
    .sort(byWeight)
}
