import { GatewayError, isGatewayError, sentenceOf } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import { isDue, metricFacts, type SavedMeasure } from '../../domain/saved-measure.js'
import type { BackgroundJobs, JobMonitor, RepeatedJob } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { NamespaceDirectory } from '../../ports/namespace-directory.js'
import type { SavedMeasures } from '../../ports/saved-measures.js'
import { BoundedMap } from '../../threads/bounded-map.js'
import { endedWith } from '../../threads/ended-with.js'
import { Slots } from '../../threads/slots.js'
import type { ReachFailPoint } from '../fail-points.js'
import type { SampleWriter } from '../schedule/recording.js'
import type { ShardLeases } from '../schedule/shard-leases.js'
import { TurnBudget } from './turn-budget.js'
import type { MeasuredSteps, MeasureReader } from './measure-reader.js'
import { advanced, type DueSteps, dueSteps, nextDueMs, STEPS_AT_ONCE, withoutFuture } from './measure-schedule.js'

/** Name among the background jobs. */
const JOB = 'saved_measures'
const ROUND_EVERY_MS = 1_000
/** Measures that are taken up by one round. */
const MOST_OF_ROUND = 1_000
/** Measures that are computed at once, of all namespaces and of one. */
const SLOTS = { size: 2, mostOfOne: 1 }
/** A measure that is behind gives its slot back after so long. */
const TURN_MS = 5_000
/** The longest that one read takes. */
const READ_MS = 30_000
/** After a failure, and while a namespace is suspended, a measure waits so long. */
const RETRY_AFTER_MS = 30_000
/** Samples of one write: a batch has at most 10,000. */
const SAMPLES_AT_ONCE = 5_000
/** Measures whose reads took too long. */
const MOST_REMEMBERED = 1_000
/** Measures whose last turn is remembered. */
const MOST_TURNS = 50_000
const MS_NS = 1_000_000n

/** Dependencies of `MeasureRounds`. */
export interface MeasureRoundsDeps {
  readonly measures: Pick<SavedMeasures, 'due' | 'find' | 'replace'>
  readonly reader: MeasureReader
  readonly samples: SampleWriter
  readonly leases: Pick<ShardLeases, 'held'>
  readonly directory: Pick<NamespaceDirectory, 'byId'>
  readonly clock: Pick<Clock, 'nowMs' | 'nowNs' | 'monotonicMs'>
  readonly jobs: Pick<BackgroundJobs, 'repeat' | 'monitor'>
  readonly reach: ReachFailPoint
}

/**
 * Computes the steps of saved measures that are due, in the namespaces whose shards this process holds. Nothing that samples
 * depend on is kept between two rounds: progress is stored after the samples are, so that whoever goes on repeats steps and writes
 * the same samples.
 */
export class MeasureRounds {
  readonly #deps: MeasureRoundsDeps
  readonly #job: JobMonitor
  readonly #slots = new Slots<NamespaceId>(SLOTS)
  readonly #budget: TurnBudget
  readonly #running = new Map<string, Promise<void>>()
  /** When each measure had its last turn, by the monotonic clock. */
  readonly #turns = new BoundedMap<string, number>(MOST_TURNS)
  /** Steps that are read at once, of measures whose reads fail. */
  readonly #fewer = new BoundedMap<string, number>(MOST_REMEMBERED)
  readonly #stopped = new AbortController()
  #rounds: RepeatedJob | null = null

  constructor(deps: MeasureRoundsDeps) {
    this.#deps = deps
    this.#budget = new TurnBudget(deps.clock)
    this.#job = deps.jobs.monitor(JOB)
  }

  /** Begins. */
  start(): void {
    this.#rounds = this.#deps.jobs.repeat(JOB, ROUND_EVERY_MS, () => this.#round())
  }

  /** Ends what is in progress; whoever holds the shards next repeats it. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#rounds?.stop()
    await Promise.all(this.#running.values())
  }

  async #round(): Promise<void> {
    const { measures, leases, clock } = this.#deps
    const shards = leases.held().map(({ shard }) => shard)
    if (shards.length === 0) return
    const due = await measures.due(shards, clock.nowMs(), MOST_OF_ROUND)
    for (const measure of this.#longestWaiting(due)) {
      if (this.#running.has(measure.id) || this.#stopped.signal.aborted) continue
      this.#running.set(
        measure.id,
        this.#run(measure).finally(() => this.#running.delete(measure.id))
      )
    }
  }

  /** Measures that had no turn for the longest time first: one that is behind is due before all others for hours. */
  #longestWaiting(due: readonly SavedMeasure[]): readonly SavedMeasure[] {
    const turnOf = ({ id }: SavedMeasure): number => this.#turns.get(id) ?? -1
    return [...due].sort((a, b) => turnOf(a) - turnOf(b))
  }

  /** Computes what is due of a measure whenever it has a slot. Never rejects. */
  async #run(measure: SavedMeasure): Promise<void> {
    try {
      while (!this.#stopped.signal.aborted && (await this.#turn(measure)));
      this.#job.succeeded()
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#job.failed(error, { namespace: measure.namespaceId })
    }
  }

  /** True when a backfill goes on, which lets others have the slot first. Does nothing while the namespace has spent its budget. */
  async #turn(measure: SavedMeasure): Promise<boolean> {
    const { clock } = this.#deps
    const { namespaceId } = measure
    const release = await this.#slots.request(namespaceId).granted
    const startedMs = clock.monotonicMs()
    try {
      if (!this.#budget.has(namespaceId)) return false
      this.#turns.set(measure.id, startedMs)
      // It waited for its slot: meanwhile it may be another one, or none.
      const stored = await this.#stored(measure)
      return stored !== null && (await this.#catchUp(stored))
    } finally {
      this.#budget.spend(namespaceId, clock.monotonicMs() - startedMs)
      release()
    }
  }

  async #catchUp(measure: SavedMeasure): Promise<boolean> {
    const { clock } = this.#deps
    const untilMs = clock.monotonicMs() + TURN_MS
    let next: SavedMeasure | null = measure
    while (next !== null && isDue(next, clock.nowMs()) && clock.monotonicMs() < untilMs && !this.#stopped.signal.aborted) {
      const before: SavedMeasure = next
      next = await this.#compute(withoutFuture(before, clock.nowMs()))
      if (next !== null && next.backfill?.nextMs !== before.backfill?.nextMs) return true
    }
    return false
  }

  /** The measure as it is stored now; null when it was removed, even if another has its name. */
  async #stored({ namespaceId, name, id }: SavedMeasure): Promise<SavedMeasure | null> {
    const stored = await this.#deps.measures.find(namespaceId, name)
    return stored?.id === id ? stored : null
  }

  /** Computes the next steps and stores how far it is; null when another has stored something meanwhile. */
  async #compute(measure: SavedMeasure): Promise<SavedMeasure | null> {
    const { directory, clock } = this.#deps
    const namespace = directory.byId(measure.namespaceId)
    if (namespace?.state !== 'active') return this.#store({ ...measure, dueMs: clock.nowMs() + RETRY_AFTER_MS })
    const due = this.#dueSteps(measure, namespace)
    if (due === null) return this.#store({ ...measure, dueMs: nextDueMs(measure, clock.nowMs()) })
    try {
      const written = await this.#write(measure, namespace, due)
      if (written === null) return null
      this.#readMore(measure)
      const after = advanced(measure, due)
      const dueMs = nextDueMs(after, clock.nowMs())
      const incomplete = latest(latest(measure.incomplete, passedOver(measure, due)), written.incomplete)
      return await this.#store({ ...after, dueMs, error: written.error?.message ?? null, incomplete })
    } catch (error) {
      this.#stopped.signal.throwIfAborted()
      const fault = expected(error)
      if (fault?.code !== 'store_unavailable') this.#readFewer(measure, due)
      const dueMs = clock.nowMs() + Math.min(measure.stepMs, RETRY_AFTER_MS)
      const stored = await this.#store({ ...measure, dueMs, error: sentenceOf(fault) })
      if (fault === null) throw error
      return stored
    }
  }

  #dueSteps(measure: SavedMeasure, { retention }: Namespace): DueSteps | null {
    const nowNs = this.#deps.clock.nowNs()
    const of = measure.signal === 'logs' ? 'logs' : 'traces'
    const [records, metrics] = [retentionStartNs(retention, of, nowNs), retentionStartNs(retention, 'metrics', nowNs)]
    const oldestMs = Number((records > metrics ? records : metrics) / MS_NS)
    const due = dueSteps(measure, { nowMs: Number(nowNs / MS_NS), oldestMs })
    const most = this.#fewer.get(measure.id)
    if (due === null || most === undefined) return due
    return { ...due, toMs: Math.min(due.toMs, due.fromMs + most * measure.stepMs) }
  }

  /** A read that takes too long is repeated with fewer steps. */
  #readFewer({ id, stepMs }: SavedMeasure, { fromMs, toMs }: DueSteps): void {
    this.#fewer.set(id, Math.max(1, Math.floor((toMs - fromMs) / stepMs / 2)))
  }

  /** Reads grow slowly again: what took too long once likely does so twice. */
  #readMore({ id }: SavedMeasure): void {
    const most = (this.#fewer.get(id) ?? STEPS_AT_ONCE) * 2
    if (most < STEPS_AT_ONCE) this.#fewer.set(id, most)
    else this.#fewer.delete(id)
  }

  /** Null, without a sample written, when the measure was removed or a backfill requested while it was read. */
  async #write(measure: SavedMeasure, namespace: Namespace, due: DueSteps): Promise<MeasuredSteps | null> {
    const { reader, samples, reach } = this.#deps
    const measured = await endedWith(this.#stopped.signal, async ({ signal }) =>
      reader.read(measure, due, AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]))
    )
    reach('measure.read')
    if ((await this.#stored(measure))?.version !== measure.version) return null
    let { incomplete } = measured
    const facts = metricFacts(measure)
    for (let at = 0; at < measured.samples.length; at += SAMPLES_AT_ONCE) {
      const { rejected, overflow } = await samples.write(namespace, measured.samples.slice(at, at + SAMPLES_AT_ONCE), facts)
      if (rejected !== null) throw new GatewayError('store_unavailable', rejected)
      if (overflow !== null) incomplete = { atMs: due.toMs - measure.stepMs, detail: overflow }
    }
    reach('measure.written')
    return { ...measured, incomplete }
  }

  /** Does nothing when the measure was removed or a backfill requested meanwhile: the next round goes on from there. */
  async #store(measure: SavedMeasure): Promise<SavedMeasure | null> {
    const next = { ...measure, version: measure.version + 1 }
    if (!(await this.#deps.measures.replace(next))) return null
    this.#deps.reach('measure.advanced')
    return next
  }
}

/** A failure that callers read; null for one of the service itself, which is a failure of the job. */
function expected(error: unknown): GatewayError | null {
  if (isGatewayError(error)) return error
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  return isTimeout ? new GatewayError('query_timeout', `the steps were not read within ${READ_MS / 1_000} s`) : null
}

/** Steps that were never computed, and whose records the retention has removed. */
function passedOver({ countedMs, stepMs }: SavedMeasure, { pass, fromMs }: DueSteps): SavedMeasure['incomplete'] {
  if (pass !== 'counted' || fromMs <= countedMs) return null
  return { atMs: fromMs - stepMs, detail: `not computed from ${new Date(countedMs).toISOString()}: the retention has passed` }
}

function latest(known: SavedMeasure['incomplete'], found: SavedMeasure['incomplete']): SavedMeasure['incomplete'] {
  if (known === null || found === null) return found ?? known
  return found.atMs >= known.atMs ? found : known
}
