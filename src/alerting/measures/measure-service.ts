import { type AuditedWrite, auditedWrite, type AuditedWriteDeps } from '../../access/audited-write.js'
import type { SecretSource } from '../../access/secrets.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { UserPrincipal } from '../../domain/principal.js'
import { metricNames, type SavedMeasure, type SavedMeasureContent } from '../../domain/saved-measure.js'
import { ALL_TIME } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlPorts, ControlStore } from '../../ports/control-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import { HOUR_MS, readWindow } from '../../query/read-window.js'
import type { WindowBounds } from '../../query/result.js'
import { MAX_MEASURE_GROUPS } from './measure-reader.js'
import { nextDueMs, stepStart } from './measure-schedule.js'
import { seriesParts } from './measured-series.js'
import { type MeasureInput, parseMeasure, readMeasure } from './parse-measure.js'

/** Saved measures of one namespace. */
export const MAX_SAVED_MEASURES = 50
/** Steps of one backfill: more than a year of minutes. */
export const MAX_BACKFILL_STEPS = 600_000
/** Samples of one backfill, if all steps have as many groups as have series. */
export const MAX_BACKFILL_SAMPLES = 200_000_000
const MS_NS = 1_000_000n

/** Dependencies of `MeasureService`. */
export interface MeasureServiceDeps extends AuditedWriteDeps {
  readonly store: ControlStore
  readonly metrics: Pick<MetricStore, 'series'>
  readonly clock: Pick<Clock, 'nowMs' | 'nowNs'>
  readonly secrets: Pick<SecretSource, 'id'>
}

function noMeasure(): GatewayError {
  return new GatewayError('not_found', 'no saved measure of this namespace has this name', { field: 'name' })
}

function taken(name: string, by: string): GatewayError {
  return new GatewayError('name_taken', `${name} is the name of ${by}; choose another name`, { field: 'name' })
}

function requireFree(content: SavedMeasureContent, stored: readonly SavedMeasure[]): void {
  const names = new Set(stored.flatMap(measure => [measure.name, ...metricNames(measure)]))
  const used = [content.name, ...metricNames(content)].find(name => names.has(name))
  if (used !== undefined) throw taken(used, 'another saved measure or of its metrics')
}

/** Steps of one backfill of a measure. */
function mostSteps(measure: SavedMeasure): number {
  const series = seriesParts(measure, readMeasure(measure)).length * (measure.groupBy.length > 0 ? MAX_MEASURE_GROUPS : 1)
  return Math.min(MAX_BACKFILL_STEPS, Math.floor(MAX_BACKFILL_SAMPLES / series))
}

/** Measures over logs and spans that become metrics. Readers of the namespace read them, members write them; writes are audited. */
export class MeasureService {
  readonly #deps: MeasureServiceDeps

  constructor(deps: MeasureServiceDeps) {
    this.#deps = deps
  }

  /** All measures by name, with how far they are computed. */
  list(ns: Namespace): Promise<readonly SavedMeasure[]> {
    return this.#deps.store.savedMeasures.list(ns.id, MAX_SAVED_MEASURES)
  }

  /**
   * Stores a measure, which is computed from the present step on. `invalid_field` and `invalid_query` for one without a meaning,
   * `name_taken` when a metric of one of its names is stored, `quota_exceeded` beyond `MAX_SAVED_MEASURES`.
   */
  async create(principal: UserPrincipal, ns: Namespace, input: MeasureInput): Promise<SavedMeasure> {
    await this.#deps.authorizer.requireRole(principal, ns.id, 'member')
    const content = parseMeasure(input)
    await this.#requireUnused(ns, content)
    return this.#write(principal, ns, async ports => {
      const stored = await ports.savedMeasures.list(ns.id, MAX_SAVED_MEASURES)
      if (stored.length >= MAX_SAVED_MEASURES)
        throw new GatewayError('quota_exceeded', `a namespace has at most ${MAX_SAVED_MEASURES} saved measures; delete some`)
      requireFree(content, stored)
      const measure = this.#first(principal, ns, content)
      await ports.savedMeasures.add(measure)
      const { name, signal, fn } = measure
      return { result: measure, event: { action: 'saved_measure.created', target: name, detail: { signal, fn } } }
    })
  }

  /** Ends a measure. The samples that it has written stay. `not_found` for an unknown one. */
  async remove(principal: UserPrincipal, ns: Namespace, name: string): Promise<void> {
    await this.#write(principal, ns, async ports => {
      if (!(await ports.savedMeasures.remove(ns.id, name))) throw noMeasure()
      return { result: undefined, event: { action: 'saved_measure.deleted', target: name } }
    })
  }

  /**
   * Computes past steps out of the records that are stored, from the one that contains `start` to the one before `end`; absent:
   * up to those that are computed. `conflict` while another backfill of the measure goes on, `invalid_field` beyond
   * `MAX_BACKFILL_STEPS` and `MAX_BACKFILL_SAMPLES`, `not_found` for an unknown measure.
   */
  async backfill(principal: UserPrincipal, ns: Namespace, name: string, bounds: WindowBounds): Promise<SavedMeasure> {
    return this.#write(principal, ns, async ports => {
      const measure = await ports.savedMeasures.find(ns.id, name)
      if (measure === null) throw noMeasure()
      if (measure.backfill !== null && measure.backfill.nextMs < measure.backfill.untilMs)
        throw new GatewayError('conflict', 'a backfill of this measure goes on; wait until it is done', { field: 'name' })
      const { fromMs, untilMs } = this.#stepsOf(ns, measure, bounds)
      const nowMs = this.#deps.clock.nowMs()
      const changed = { ...measure, version: measure.version + 1, dueMs: nowMs, backfill: { fromMs, nextMs: fromMs, untilMs } }
      if (!(await ports.savedMeasures.replace(changed)))
        throw new GatewayError('conflict', 'the measure was written meanwhile; repeat the request', { field: 'name' })
      const detail = { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() }
      return { result: changed, event: { action: 'saved_measure.backfilled', target: name, detail } }
    })
  }

  #stepsOf(ns: Namespace, measure: SavedMeasure, bounds: WindowBounds): { readonly fromMs: number; readonly untilMs: number } {
    const { stepMs, countedMs, signal } = measure
    const place = { namespace: ns, signal: signal === 'logs' ? ('logs' as const) : ('traces' as const) }
    const { range } = readWindow(bounds, { ...place, nowNs: this.#deps.clock.nowNs() }, HOUR_MS)
    const fromMs = stepStart(Number(range.startNs / MS_NS), stepMs)
    const untilMs = Math.min(stepStart(Number(range.endNs / MS_NS) + stepMs - 1, stepMs), countedMs)
    const steps = (untilMs - fromMs) / stepMs
    if (steps < 1) throw new GatewayError('invalid_time_range', 'the range has no step that is over and kept', { field: 'start' })
    const most = mostSteps(measure)
    if (steps <= most) return { fromMs, untilMs }
    const detail = `the range has ${steps} steps, a backfill of this measure has at most ${most}; request a part of it`
    throw new GatewayError('invalid_field', detail, { field: 'start' })
  }

  /** The name must mean one thing: samples of two would be mixed for good. */
  async #requireUnused(ns: Namespace, content: SavedMeasureContent): Promise<void> {
    for (const name of metricNames(content)) {
      const { series } = await this.#deps.metrics.series(ns.id, [{ name: '__name__', op: 'eq', value: name }], ALL_TIME, 1)
      if (series.length > 0) throw taken(name, 'a metric that is stored')
    }
  }

  #first(principal: UserPrincipal, { id: namespaceId }: Namespace, content: SavedMeasureContent): SavedMeasure {
    const nowMs = this.#deps.clock.nowMs()
    const startMs = stepStart(nowMs, content.stepMs)
    const progress = { countedMs: startMs, checkedMs: startMs, settledMs: startMs, backfill: null, error: null, incomplete: null }
    const measure = { ...content, ...progress, id: this.#deps.secrets.id(), namespaceId, version: 1 }
    return { ...measure, dueMs: nextDueMs(measure, nowMs), createdBy: principal.userId, createdAtMs: nowMs }
  }

  #write<T>(principal: UserPrincipal, namespace: Namespace, work: (ports: ControlPorts) => Promise<AuditedWrite<T>>): Promise<T> {
    return auditedWrite(this.#deps, { principal, namespace, role: 'member' }, work)
  }
}
