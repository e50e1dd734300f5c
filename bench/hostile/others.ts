import { setTimeout as sleep } from 'node:timers/promises'
import { LogSource } from '../generate/logs.js'

/** The address and keys of a user. */
export interface User {
  readonly url: string
  /** Used round-robin: the limit is 8 queries at a time per key. */
  readonly queryKeys: readonly string[]
  readonly ingestKey: string
}

/** One kind of request of an ordinary user. */
export interface Kind {
  readonly name: string
  readonly send: () => Promise<Response>
}

const EVERY_MS = 400
const LOGS = 20
const POINTS = 100
const HOUR_S = 3_600

/** Milliseconds by the name of the kind; those of refused requests are infinite. */
export type Latencies = ReadonlyMap<string, readonly number[]>

/** What an ordinary user does: small queries, small batches. */
export function kindsOf(who: string, { url, queryKeys, ingestKey }: User): readonly Kind[] {
  const logs = new LogSource(who.length)
  const promql = `${url}/api/v1/prometheus/api/v1`
  let turn = 0
  const queryKey = (): string => queryKeys[turn++ % queryKeys.length]!
  const asForm = (path: string, form: Record<string, string>) => () =>
    fetch(`${promql}/${path}`, { method: 'POST', headers: { 'x-api-key': queryKey() }, body: new URLSearchParams(form) })
  const post = (path: string, key: () => string, body: () => string) => () =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'x-api-key': key(), 'content-type': 'application/json' },
      body: body()
    })
  const nowS = (): number => Math.floor(Date.now() / 1_000)
  const newLogs = (): string => `{"logs":[${Array.from({ length: LOGS }, (_, i) => logs.next(nowS(), i * 1_000)).join(',')}]}`
  const newPoints = (): string =>
    `{"metrics":[${Array.from({ length: POINTS }, (_, i) => `{"name":"w","labels":{"i":"${i}"},"value":${nowS()}}`).join(',')}]}`
  const hour = (): Record<string, string> => ({ start: String(nowS() - HOUR_S), end: String(nowS()), step: '60' })
  const search = (query: object) =>
    post('/api/v1/logs/query', queryKey, () => JSON.stringify({ start: 0, end: 'now', limit: 50, ...query }))
  const kinds: Record<string, () => Promise<Response>> = {
    'PromQL of now': asForm('query', { query: 'sum by (a) (rate(x{b="b1"}[5m]))' }),
    'PromQL of an hour': () => asForm('query_range', { query: 'sum(rate(x{b="b1"}[5m]))', ...hour() })(),
    'label values': () => fetch(`${promql}/label/b/values?match[]=x`, { headers: { 'x-api-key': queryKey() } }),
    'newest logs': search({}),
    'logs with a text': search({ query: 'timeout', level: 'warn' }),
    'logs in': post('/api/v1/logs/batch', () => ingestKey, newLogs),
    'points in': post('/api/v1/ingest/batch', () => ingestKey, newPoints),
    health: () => fetch(`${url}/health/ready`)
  }
  return Object.entries(kinds).map(([name, send]) => ({ name: `${who}: ${name}`, send }))
}

/** Sends each kind on a timetable for so long; latencies count from the intended time. */
export async function sendKinds(kinds: readonly Kind[], seconds: number, everyMs = EVERY_MS): Promise<Latencies> {
  const startMs = performance.now()
  const found = new Map<string, readonly number[]>()
  const send = async ({ name, send }: Kind, lane: number): Promise<void> => {
    const inFlight: Promise<number>[] = []
    for (let atMs = startMs + (lane * everyMs) / kinds.length; atMs < startMs + seconds * 1_000; atMs += everyMs) {
      await sleep(Math.max(0, atMs - performance.now()))
      inFlight.push(timed(name, send, atMs))
    }
    found.set(name, await Promise.all(inFlight))
  }
  await Promise.all(kinds.map(send))
  return found
}

/** A request that is refused never ends. */
async function timed(name: string, send: () => Promise<Response>, atMs: number): Promise<number> {
  let reply: Response
  let text: string
  try {
    reply = await send()
    text = await reply.text()
  } catch (error) {
    process.stderr.write(`${name}: ${String(error)}\n`)
    return Number.POSITIVE_INFINITY
  }
  if (reply.ok) return performance.now() - atMs
  process.stderr.write(`${name}: ${reply.status} ${text.slice(0, 300)}\n`)
  return Number.POSITIVE_INFINITY
}
