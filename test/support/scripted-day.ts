import { Shop } from '../../bench/demo/shop.js'
import type { Emission } from '../../bench/demo/shop.js'
import { seededRandom } from '../../bench/generate/random.js'

type Body = Readonly<Record<string, unknown>>

/** Two windows of a day of the demo's shop, one after the other. */
export interface ScriptedDay {
  readonly emissions: readonly Emission[]
  readonly before: { readonly start: string; readonly end: string }
  readonly after: { readonly start: string; readonly end: string }
}

/** Seconds of a window, and of a whole day. */
const WINDOW_S = 300
export const DAY_S = 2 * WINDOW_S
/** Seconds of which one has requests: a bad day needs enough of them for its rare error to be significant. */
const EVERY_S = { bad: 2, calm: 5 } as const
/** Where the demo's story is calm for a whole window, and where its bad release has broken the payments. */
const CALM_AT = 200
const INCIDENT_AT = 580
/** When configuration is reloaded and the gateway restarts, seconds into the second window. */
const RELOAD_AT = 60
const RESTART_AT = 150
const NEW_ERROR = 'cannot read properties of undefined'
const LEAK_BYTES_PER_S = 1e6

function isNewError({ message }: Body): boolean {
  return String(message).includes(NEW_ERROR)
}

function line(unixSeconds: number, service: string, host: string, message: string): Body {
  return { timestamp: new Date(unixSeconds * 1_000).toISOString(), service, host, level: 'info', source: 'app', message }
}

/** What changes in the second window and means nothing: each host reloads its configuration, and the gateway restarts. */
function harmless(unixSeconds: number, at: number): readonly Body[] {
  if (at === RELOAD_AT)
    return ['edge-1', 'edge-2', 'node-1', 'node-2', 'node-3', 'node-4'].map(host =>
      line(unixSeconds, 'deployer', host, 'configuration reloaded')
    )
  return at === RESTART_AT ? [line(unixSeconds, 'gateway', 'edge-2', 'listening on port 443')] : []
}

/** Counters of the gateway begin at zero when it restarts. */
class Restart {
  readonly #lost = new Map<unknown, number>()

  points(points: readonly Body[], isOver: boolean): readonly Body[] {
    return points.map(point => {
      const { service } = point['labels'] as Body
      if (point['type'] !== 'counter' || service !== 'gateway') return point
      if (!isOver) this.#lost.set(point['name'], Number(point['value']))
      return isOver ? { ...point, value: Number(point['value']) - (this.#lost.get(point['name']) ?? 0) } : point
    })
  }
}

/** Memory of the catalog; it grows from the start of the second window where it leaks. */
function memory(unixSeconds: number, noise: number, leakingS: number): Body {
  const value = 4e8 + noise * 2e7 + leakingS * LEAK_BYTES_PER_S
  const labels = { service: 'catalog', host: 'node-1' }
  return { name: 'process.memory.usage', type: 'gauge', value, labels, timestamp_ns: `${unixSeconds}000000000` }
}

/**
 * A day that begins at `unixSeconds`, a multiple of ten. Its second window has two harmless changes; on a bad day also a release
 * that breaks payments with an error that was never seen, and a leak.
 */
export function scriptedDay(seed: number, unixSeconds: number, isBad: boolean): ScriptedDay {
  const shop = new Shop(seed)
  const restart = new Restart()
  const random = seededRandom(seed)
  const emissions: Emission[] = []
  for (let at = 0; at < DAY_S; at += EVERY_S[isBad ? 'bad' : 'calm']) {
    const second = unixSeconds + at
    const sinceChange = at - WINDOW_S
    const isBroken = isBad && sinceChange >= 0
    const made = shop.second(second, (isBroken ? INCIDENT_AT : CALM_AT) + (at % WINDOW_S))
    const known = (bodies: readonly Body[]) => (isBroken ? bodies : bodies.filter(body => !isNewError(body)))
    const points = restart.points(made.points, sinceChange >= RESTART_AT)
    emissions.push({
      ...made,
      logs: [...known(made.logs), ...harmless(second, sinceChange)],
      errors: known(made.errors),
      points: [...points, memory(second, random.next(), isBroken ? sinceChange : 0)],
      ...{ rum: [], apmMetrics: [] }
    })
  }
  const time = (s: number): string => new Date((unixSeconds + s) * 1_000).toISOString()
  return {
    emissions,
    before: { start: time(0), end: time(WINDOW_S) },
    after: { start: time(WINDOW_S), end: time(DAY_S) }
  }
}
