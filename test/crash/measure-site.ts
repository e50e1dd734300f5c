import { join } from 'node:path'
import type { Random } from '../../bench/generate/random.js'
import { Session } from '../../bench/service/session.js'
import { CONTROL_FOLDER } from '../../src/stores/assemble/backup.js'
import { CONTROL_FILE } from '../../src/stores/assemble/open-control.js'
import { type AlertDatabase, openAlertDatabase } from './alert-database.js'
import {
  MEASURE_STEP_MS,
  RECOUNTED,
  RECOUNTED_METRICS,
  type SentRecord,
  type SeriesValues,
  type StepEnds
} from './measure-recount.js'
import { gatewayFolder, PointedGateways } from './pointed-gateways.js'

/** Where the gateways keep what they have. */
export interface MeasureSiteOptions {
  readonly folder: string
  readonly gateways: number
  /** Settings of the stores that they share; none: all is embedded. */
  readonly env: Readonly<Record<string, string>>
}

interface MeasureProgress {
  readonly name: string
  readonly counted_until: string
  readonly error: string | null
  readonly backfill: { readonly from: string; readonly state: string } | null
}

interface Matrix {
  readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly values: readonly [number, string][] }[]
}

const PAST_MS = 7_200_000
const PAST_RECORDS = 1_000
const NEXT_RECORDS = 50
const AHEAD_MS = 30_000
const SHOPS = ['a', 'b', 'c']
const MAX_AMOUNT = 200
const MOST_ATTEMPTS = 10

/** Gateways with saved measures, and the records that were acknowledged. */
export class MeasureSite {
  readonly gateways: PointedGateways
  readonly database: AlertDatabase
  readonly records: SentRecord[] = []
  readonly #random: Random
  #queryKey = ''
  #fromMs = 0
  #lastMs = 0

  private constructor({ folder, env }: MeasureSiteOptions, gateways: PointedGateways, random: Random) {
    this.gateways = gateways
    this.#random = random
    this.database = openAlertDatabase(env['ALIDADE_DATABASE_URL'] ?? join(gatewayFolder(folder, 0), CONTROL_FOLDER, CONTROL_FILE))
  }

  /** Starts the gateways, sends records of two hours, and saves the measures with a backfill over these. */
  static async open(options: MeasureSiteOptions, random: Random): Promise<MeasureSite> {
    const site = new MeasureSite(options, await PointedGateways.open(options.gateways, options), random)
    try {
      await site.#store()
      return site
    } catch (error) {
      await site.gateways.stop()
      throw error
    }
  }

  /** Sends records of a step that will not be computed before they are stored, however slow the machine is. */
  sendNext(at: number): Promise<void> {
    const atMs = Date.now() + AHEAD_MS
    this.#lastMs = atMs
    return this.#send(at, NEXT_RECORDS, () => atMs)
  }

  /** Requests the backfill of all measures again, of those whose last one is done. */
  async backfill(at: number): Promise<void> {
    const session = await this.#member(at)
    const done = (await this.#progress(at)).filter(({ backfill }) => backfill?.state !== 'running')
    for (const { name } of done)
      await session.call('POST', `/api/v1/measures/${name}/backfill`, { start: new Date(this.#fromMs).toISOString() })
  }

  /** Resolves when all steps with records, and all backfills, are computed; with their range. */
  async computed(at: number): Promise<StepEnds> {
    const untilMs = Math.max(Date.now(), this.#lastMs + MEASURE_STEP_MS)
    for (;;) {
      const over = new AbortController()
      const next = this.gateways.nextAt('measure.advanced', over.signal)
      next.catch(() => undefined)
      const measures = await this.#progress(at)
      const countedMs = Math.min(...measures.map(measure => Date.parse(measure.counted_until)))
      const isDone = measures.every(({ backfill, error }) => error === null && backfill?.state === 'done')
      if (!isDone || countedMs < untilMs) await next
      else {
        over.abort()
        return { fromMs: this.#fromMs, toMs: countedMs }
      }
    }
  }

  /** All samples of the metrics of the measures in a range. */
  async samples(at: number, { fromMs, toMs }: StepEnds): Promise<SeriesValues> {
    const found = new Map<string, Map<number, number>>()
    for (const name of RECOUNTED_METRICS) {
      const query = `query=${encodeURIComponent(`${name}[${(toMs - fromMs) / 1_000}s]`)}&time=${toMs / 1_000}`
      const { data } = await this.#reader(at).call<{ data: Matrix }>('GET', `/api/v1/prometheus/api/v1/query?${query}`)
      for (const { metric, values } of data.result) found.set(keyOf(metric), valuesOf(values))
    }
    return found
  }

  /** The first start, of gateway 0, made the user. */
  #member(at: number): Promise<Session> {
    const { email, password } = this.gateways.at(0).firstRun()
    return Session.signIn(this.gateways.at(at).url, email, password)
  }

  #reader(at: number): Session {
    return Session.withKey(this.gateways.at(at).url, this.#queryKey)
  }

  async #progress(at: number): Promise<readonly MeasureProgress[]> {
    const { measures } = await this.#reader(at).call<{ measures: readonly MeasureProgress[] }>('GET', '/api/v1/measures')
    return measures
  }

  async #store(): Promise<void> {
    const session = await this.#member(0)
    const { key } = await session.call<{ key: string }>('POST', '/api/v1/keys', { name: 'recount', kind: 'query' })
    this.#queryKey = key
    const startMs = Date.now() - PAST_MS
    this.#fromMs = startMs - (startMs % MEASURE_STEP_MS)
    await this.#makeIndex()
    await this.#send(0, PAST_RECORDS, () => startMs + this.#random.below(PAST_MS))
    for (const measure of RECOUNTED) await session.call('POST', '/api/v1/measures', measure)
    await this.backfill(0)
  }

  /** A search store makes its first index within seconds, and on a busy machine after the deadline of a write, which is repeated. */
  async #makeIndex(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#write(0, [{ message: 'first', service: 'other' }])
        return
      } catch (error) {
        if (attempt === MOST_ATTEMPTS) throw error
      }
    }
  }

  async #send(at: number, count: number, timeOf: () => number): Promise<void> {
    const records = Array.from({ length: count }, () => ({
      ...{ atMs: timeOf(), shop: this.#random.pick(SHOPS), amount: 1 + this.#random.below(MAX_AMOUNT) }
    }))
    const logs = records.map(({ atMs, shop, amount }) => ({
      ...{ timestamp: new Date(atMs).toISOString(), message: 'order', service: 'orders', log_fields: { shop, amount } }
    }))
    await this.#write(at, logs)
    this.records.push(...records)
  }

  async #write(at: number, logs: readonly object[]): Promise<void> {
    const headers = { 'x-api-key': this.gateways.at(0).firstRun().apiKey }
    await Session.withKey(this.gateways.at(at).url, '').call('POST', '/api/v1/logs/batch?ack=searchable', { logs }, headers)
  }
}

function keyOf({ __name__: name, ...labels }: Readonly<Record<string, string>>): string {
  return `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',')}}`
}

function valuesOf(values: readonly (readonly [number, string])[]): Map<number, number> {
  return new Map(values.map(([s, value]) => [Math.round(s * 1_000), Number(value)]))
}
