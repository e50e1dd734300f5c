import type { Threshold } from '../../../domain/alerts/alert-rule.js'
import type { AlertInstance, AlertState } from '../../../domain/alerts/alert-state.js'
import type { Evaluation } from '../evaluate.js'
import type { BacktestInstance, BacktestInterval } from './backtest-result.js'

interface OpenInterval {
  readonly state: AlertState
  readonly fromMs: number
  peak: number | null
}

interface RecordedInstance {
  readonly labels: AlertInstance['labels']
  readonly intervals: BacktestInterval[]
  open: OpenInterval | null
}

/** States that are the absence of an alert. */
const QUIET: ReadonlySet<AlertState> = new Set(['inactive', 'resolved'])

/** Whether `value` is farther beyond the threshold than `peak`. */
function isBeyond(value: number, peak: number, threshold: Threshold | null): boolean {
  if (Number.isNaN(peak)) return true
  if (threshold === null) return value > peak
  switch (threshold.op) {
    case 'lt':
    case 'lte':
      return value < peak
    case 'outside': {
      const middle = (threshold.value + threshold.upper!) / 2
      return Math.abs(value - middle) > Math.abs(peak - middle)
    }
    default:
      return value > peak
  }
}

/** Collects the intervals of instances out of evaluations in the order of time. */
export class IntervalRecorder {
  readonly #threshold: Threshold | null
  readonly #instances = new Map<string, RecordedInstance>()
  #count = 0

  constructor(threshold: Threshold | null) {
    this.#threshold = threshold
  }

  /** Intervals that were begun. */
  get count(): number {
    return this.#count
  }

  add({ changed, transitions }: Evaluation, atMs: number): void {
    for (const { fingerprint, labels, to } of transitions) {
      const known = this.#instances.get(fingerprint)
      if (known) this.#close(known, atMs)
      if (QUIET.has(to)) continue
      const instance = known ?? { labels, intervals: [], open: null }
      instance.open = { state: to, fromMs: atMs, peak: null }
      this.#count++
      this.#instances.set(fingerprint, instance)
    }
    for (const { fingerprint, value, keepSinceMs } of changed) {
      const open = this.#instances.get(fingerprint)?.open
      // The value that `keep_firing_for` holds is an old one.
      if (!open || value === null || keepSinceMs !== null) continue
      if (open.peak === null || isBeyond(value, open.peak, this.#threshold)) open.peak = value
    }
  }

  /** All instances, those that are open until `endMs`. */
  finish(endMs: number): readonly BacktestInstance[] {
    for (const instance of this.#instances.values()) this.#close(instance, endMs)
    const shown = ({ labels }: RecordedInstance): string => JSON.stringify(labels)
    const sorted = [...this.#instances.values()].sort((a, b) => (shown(a) < shown(b) ? -1 : 1))
    return sorted.map(({ labels, intervals }) => ({ labels, intervals }))
  }

  #close(instance: RecordedInstance, toMs: number): void {
    if (instance.open === null) return
    instance.intervals.push({ ...instance.open, toMs })
    instance.open = null
  }
}
