import type { AlertRuleContent } from '../../../domain/alerts/alert-rule.js'
import { RESOLVED_RETENTION_MS } from '../limits.js'
import type { BacktestInstance, BacktestSuggestion } from './backtest-result.js'

const WEEK_MS = 7 * 86_400_000
const MINUTE_MS = 60_000
/** `for` that suggestions try. */
const LONGER_FOR_MS = [1, 2, 5, 10, 15, 30, 60].map(minutes => minutes * MINUTE_MS)
const MAX_SUGGESTIONS = 3

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

function firings({ intervals }: BacktestInstance): readonly Span[] {
  return intervals.filter(({ state }) => state === 'firing')
}

/** How often the group began to fire: spans that overlap or touch are one. */
export function beginnings(spans: readonly Span[]): number {
  let count = 0
  let endMs = -Infinity
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (fromMs > endMs) count++
    endMs = Math.max(endMs, toMs)
  }
  return count
}

/** Notifications of one group of all instances. */
export function notificationsOf(instances: readonly BacktestInstance[]): number {
  return beginnings(instances.flatMap(firings))
}

/** Firings that began soon after the last one of their instance. */
export function flapsOf(instances: readonly BacktestInstance[]): number {
  const ofOne = (instance: BacktestInstance): number =>
    firings(instance).filter(({ fromMs }, i, all) => i > 0 && fromMs - all[i - 1]!.toMs <= RESOLVED_RETENTION_MS).length
  return instances.reduce((sum, instance) => sum + ofOne(instance), 0)
}

/** A count over a range as one a week. */
export function perWeek(count: number, rangeMs: number): number {
  return rangeMs > 0 ? (count * WEEK_MS) / rangeMs : 0
}

/** Runs of an instance: intervals that were pending or firing without a break. */
function runsOf({ intervals }: BacktestInstance): readonly Span[] {
  const runs: { fromMs: number; toMs: number }[] = []
  for (const { state, fromMs, toMs } of intervals) {
    if (state !== 'pending' && state !== 'firing') continue
    const last = runs.at(-1)
    if (last?.toMs === fromMs) last.toMs = toMs
    else runs.push({ fromMs, toMs })
  }
  return runs
}

/**
 * Longer `for` that would have notified less often. A run fires when an evaluation `for` after its first one still has the
 * element. Exact without `keep_firing_for` and `for_n_of_m`; rules with them get no suggestions.
 */
export function suggestionsOf(
  { forMs, keepFiringForMs, forNOfM }: Pick<AlertRuleContent, 'forMs' | 'keepFiringForMs' | 'forNOfM'>,
  instances: readonly BacktestInstance[],
  { rangeMs, intervalMs }: { readonly rangeMs: number; readonly intervalMs: number }
): readonly BacktestSuggestion[] {
  if (keepFiringForMs > 0 || forNOfM !== null) return []
  const runs = instances.flatMap(runsOf)
  const suggestions: BacktestSuggestion[] = []
  let fewest = notificationsOf(instances)
  for (const longerMs of LONGER_FOR_MS) {
    if (longerMs <= forMs || suggestions.length === MAX_SUGGESTIONS) continue
    const waitMs = Math.ceil(longerMs / intervalMs) * intervalMs
    const spans = runs.map(({ fromMs, toMs }) => ({ fromMs: fromMs + waitMs, toMs })).filter(span => span.fromMs < span.toMs)
    const count = beginnings(spans)
    if (count >= fewest) continue
    fewest = count
    suggestions.push({ forMs: longerMs, perWeek: perWeek(count, rangeMs) })
  }
  return suggestions
}
