import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { Namespace } from '../../domain/namespace.js'
import { seriesKey } from '../../domain/series-key.js'
import type { Clock } from '../../ports/clock.js'
import type { Timers } from '../../ports/timers.js'
import { alignedTimes } from '../evaluate/backtest/backtest-times.js'
import { type ReadChunk, readChunks } from '../evaluate/backtest/read-chunks.js'
import type { ConditionReader } from '../evaluate/condition-reader.js'
import { type RecordedSample, recordedSamples } from '../evaluate/recorded-samples.js'
import { MemoryMetrics } from '../rule-tests/memory-metrics.js'
import { SLO_INTERVAL_MS } from './slo-limits.js'

/** Dependencies of `readPastEvents`. */
export interface PastEventsDeps {
  readonly reader: ConditionReader
  readonly timers: Timers
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** What the recording rule of an SLO is evaluated for. Times are Unix milliseconds. */
export interface PastEventsRequest {
  readonly ns: Namespace
  readonly rule: AlertRuleContent
  readonly queryOffsetMs: number | null
  /** Alerts look at recordings from here. */
  readonly alertsFromMs: number
  /** The error budget counts from here: recordings before those of alerts are read last, as far as time is left. */
  readonly budgetFromMs: number
  readonly endMs: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Recordings that an SLO would have written. */
export interface PastEvents {
  readonly metrics: MemoryMetrics
  /** The last recording that alerts look at; null when time was over before the first one. */
  readonly lastMs: number | null
  /** Whether time was over before all recordings of alerts were read. */
  readonly isCut: boolean
  /** Recordings that failed, of how many, and why the first did. */
  readonly failed: number
  readonly count: number
  readonly firstError: string | null
}

interface Recordings {
  readonly steps: (readonly [atMs: number, samples: readonly RecordedSample[]])[]
  failed: number
  firstError: string | null
  isCut: boolean
}

/** Samples with one object for each series: a month has 44,640 minutes of the same two. */
function sharing(known: Map<string, RecordedSample['series']>, samples: readonly RecordedSample[]): readonly RecordedSample[] {
  return samples.map(({ series, value }) => {
    const key = seriesKey(series)
    const first = known.get(key) ?? series
    known.set(key, first)
    return { series: first, value }
  })
}

/** Evaluates the recording rule of an SLO over the past, minute by minute, without storing what it records. */
export async function readPastEvents(deps: PastEventsDeps, request: PastEventsRequest): Promise<PastEvents> {
  const { alertsFromMs, budgetFromMs, endMs, timeoutMs } = request
  const deadlineMs = deps.clock.monotonicMs() + timeoutMs
  const recent = await record(deps, request, { startMs: alertsFromMs, endMs, deadlineMs })
  const before = { startMs: budgetFromMs, endMs: alertsFromMs - 1, deadlineMs }
  const older = recent.isCut ? NOTHING : await record(deps, request, before)
  const metrics = new MemoryMetrics()
  metrics.tillMs = endMs
  for (const [atMs, samples] of [...older.steps, ...recent.steps])
    for (const { series, value } of samples) metrics.add(series, atMs, value)
  return {
    metrics,
    lastMs: recent.steps.at(-1)?.[0] ?? null,
    isCut: recent.isCut,
    failed: recent.failed + older.failed,
    count: recent.steps.length + older.steps.length,
    firstError: recent.firstError ?? older.firstError
  }
}

const NOTHING: Recordings = { steps: [], failed: 0, firstError: null, isCut: true }

async function record(
  deps: PastEventsDeps,
  { ns, rule, queryOffsetMs, signal }: PastEventsRequest,
  { startMs, endMs, deadlineMs }: { readonly startMs: number; readonly endMs: number; readonly deadlineMs: number }
): Promise<Recordings> {
  const found: Recordings = { steps: [], failed: 0, firstError: null, isCut: false }
  const series = new Map<string, RecordedSample['series']>()
  const take = async ({ times, results }: ReadChunk): Promise<boolean> => {
    for (const [i, atMs] of times.entries()) {
      const samples = recordedSamples(rule, results[i]!)
      if (typeof samples === 'string') {
        found.failed++
        found.firstError ??= samples
      }
      found.steps.push([atMs, typeof samples === 'string' ? [] : sharing(series, samples)])
    }
    return true
  }
  const times = alignedTimes({ startMs, endMs, intervalMs: SLO_INTERVAL_MS, phaseMs: 0 })
  const timeoutMs = Math.max(0, deadlineMs - deps.clock.monotonicMs())
  const ending = await readChunks(deps, { ns, rule: { ...rule, queryOffsetMs }, times, timeoutMs, signal }, take)
  found.isCut = ending === 'time_over'
  return found
}
