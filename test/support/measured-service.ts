import { Changes } from './changes.js'
import { ClockAhead } from './clock-ahead.js'
import { type ReadingService, startReadingService } from './reading-service.js'

/** A point of a metric: labels and value. */
export interface Point {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A saved measure in a response. */
export interface Measure {
  readonly name: string
  readonly counted_until: string
  readonly settled_until: string
  readonly backfill: { readonly done_until: string; readonly until: string; readonly state: string } | null
  readonly error: string | null
  readonly incomplete: { readonly at: string; readonly detail: string } | null
}

/** A service whose clock a test puts forward, with words for saved measures. */
export interface MeasuredService {
  readonly service: ReadingService
  readonly clock: ClockAhead
  /** Puts the clock forward, beyond the life of a session: the reader signs in again. */
  forward(ms: number): Promise<void>
  /** Thrown at the next fail point of this name. */
  failNext(point: string): void
  save(measure: object): Promise<Measure>
  measure(name: string): Promise<Measure>
  /** Resolves when `isDone` is true of what is read after some progress of any measure. */
  until(isDone: () => Promise<boolean>): Promise<void>
  /** Puts the clock forward to a time, and resolves when all steps of the measure that are over then are computed. */
  reach(name: string, atMs: number): Promise<void>
  /** The result of an instant query, by labels. */
  promql(query: string, atMs: number): Promise<readonly Point[]>
  log(atMs: number, fields?: object, more?: object): Promise<void>
}

/** A step is computed before this much of the next one is over. */
const COUNTED_MS = 20_000

/** Starts a service at a time of day; `dataDir` outlives it. */
export async function startMeasuredService(
  startMs: number,
  given: { readonly dataDir?: string; readonly as?: { readonly email: string; readonly password: string | null } } = {}
): Promise<MeasuredService> {
  const clock = new ClockAhead()
  clock.aheadMs = startMs - Date.now()
  const failing = new Set<string>()
  const progress = new Changes()
  const onAlertFailPoint = (point: string): void => {
    if (failing.delete(point)) throw new Error(`failed at ${point}`)
    if (point.startsWith('measure.')) progress.notify()
  }
  const reading = await startReadingService({ ...given, app: { clock, onAlertFailPoint } })
  const { email, password } = given.as ?? reading.first
  let { session } = reading
  const service: ReadingService = {
    ...reading,
    get: path => reading.api(path, { headers: session }),
    post: (path, json) => reading.api(path, { method: 'POST', json, headers: session })
  }
  const measure = async (name: string): Promise<Measure> => {
    const { measures } = await service.ok(service.get('/api/v1/measures'))
    return (measures as readonly Measure[]).find(each => each.name === name)!
  }
  const until = (isDone: () => Promise<boolean>): Promise<void> => progress.until(isDone)
  return {
    service,
    clock,
    forward: async ms => {
      clock.aheadMs += ms
      session = await reading.login(email, password ?? '')
    },
    failNext: point => void failing.add(point),
    save: async json => (await service.ok(service.post('/api/v1/measures', json))) as unknown as Measure,
    measure,
    until,
    reach: (name, atMs) => {
      clock.aheadMs = atMs + COUNTED_MS - Date.now()
      return until(async () => Date.parse((await measure(name)).counted_until) >= atMs)
    },
    promql: async (query, atMs) => {
      const parameters = new URLSearchParams({ query, time: String(atMs / 1_000) })
      const { data } = await service.ok(service.get(`/api/v1/prometheus/api/v1/query?${parameters.toString()}`))
      const { result } = data as { result: readonly { metric: Record<string, string>; value: [number, string] }[] }
      return result
        .map(({ metric: { __name__: _name, ...labels }, value }) => ({ labels, value: Number(value[1]) }))
        .toSorted((a, b) => (JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1))
    },
    log: (atMs, fields = {}, more = {}) => {
      const log = { timestamp: new Date(atMs).toISOString(), message: 'order', service: 'orders', ...more, log_fields: fields }
      return service.write('/api/v1/logs/batch', { logs: [log] })
    }
  }
}
