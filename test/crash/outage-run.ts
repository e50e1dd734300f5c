import { EventEmitter, once } from 'node:events'
import type { Target } from '../../bench/load/connection.js'
import { freePort } from '../../bench/service/free-port.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'
import { RECIPES } from '../servers/recipes.js'
import { RunningServer } from '../servers/running-server.js'
import { type LaneKind, OutageLane, outageMessage, outageService } from './outage-load.js'
import { countMessages } from './recount.js'

/** Which store is killed, for how long and under what load. */
export interface OutageOptions {
  readonly dataDir: string
  readonly store: 'es8' | 'influx'
  /** How long the store is away, as the records that are sent at `rate` meanwhile. */
  readonly outageMs: number
  /** Records a second, all lanes together. */
  readonly rate: number
  readonly onLine?: (line: string) => void
}

/** What was found. */
export interface OutageReport {
  readonly acked: number
  readonly spooled: number
  readonly repeated: number
  readonly refused: number
  readonly lost: number
  readonly doubled: number
  /** From the kill of the store until it responded again. */
  readonly outageMs: number
  /** From then until nothing waited any more, the load going on. */
  readonly drainMs: number
  readonly surprises: readonly string[]
}

/** What the lanes send, by the store that is killed. */
const LANES = {
  es8: ['logs', 'spans', 'logs', 'spans'],
  influx: ['points', 'points', 'points', 'points']
} as const satisfies Record<OutageOptions['store'], readonly LaneKind[]>
const TRACES_PER_PAGE = 200
/** A search store looks at 100,000 matching spans for a list: traces are listed in pieces of time that hold fewer. */
const PIECE_MS = 15_000
/** An acknowledgement that takes longer fails the run. */
const ACK_DEADLINE_MS = 120_000
const ACKED = 'acked'
const RECORDS_WAITING = /^alidade_store_spool_records (\d+)/m

interface Recounted {
  readonly lost: number
  readonly doubled: number
}

interface TracePage {
  readonly traces: readonly { readonly trace_id: string; readonly span_count: number }[]
  readonly complete: boolean
  readonly page: { readonly next_cursor: string | null }
}

/** Kills a store under load with kill -9, and the gateway in the middle of the outage, and recounts when all is back. */
export class OutageRun {
  readonly #options: OutageOptions
  readonly #lanes: OutageLane[] = []
  readonly #acks = new EventEmitter()
  #server: RunningServer | null = null
  #service: ServiceProcess | null = null
  #target: Target | null = null
  #queryKey = ''
  /** When the load began, milliseconds since 1970. */
  #startedMs = 0

  constructor(options: OutageOptions) {
    this.#options = options
  }

  async run(): Promise<OutageReport> {
    this.#server = await RunningServer.start(RECIPES[this.#options.store])
    try {
      await this.#openGateway()
      const times = await this.#breakThings()
      return { ...(await this.#recount()), ...times }
    } finally {
      for (const lane of this.#lanes) void lane.stop()
      await this.#service?.stop()
      await this.#server.stop()
    }
  }

  async #openGateway(): Promise<void> {
    await this.#startGateway(await freePort())
    const { apiKey } = this.#service!.firstRun()
    this.#target = { host: '127.0.0.1', port: this.#service!.port, apiKey }
    const session = await Session.operator(this.#service!)
    const made = await session.call<{ key: string }>('POST', '/api/v1/keys', { name: 'recount', kind: 'query' })
    this.#queryKey = made.key
  }

  async #startGateway(port: number): Promise<void> {
    const { url, org = '', token = '' } = this.#server!.access
    const flags = this.#options.store === 'es8' ? ['--elasticsearch-url', url] : ['--influxdb-url', url, '--influxdb-org', org]
    this.#service = await ServiceProcess.start({
      dataDir: this.#options.dataDir,
      port,
      args: [...flags, '--log-level', 'error'],
      env: this.#options.store === 'es8' ? {} : { ALIDADE_INFLUXDB_TOKEN: token }
    })
  }

  async #breakThings(): Promise<{ outageMs: number; drainMs: number }> {
    const { outageMs, rate, store } = this.#options
    const kinds = LANES[store]
    const quarter = (rate * outageMs) / 4_000
    const onAcked = (): void => void this.#acks.emit(ACKED)
    for (const [lane, kind] of kinds.entries()) {
      this.#lanes.push(new OutageLane({ kind, lane, rate: rate / kinds.length, target: () => this.#target!, onAcked }))
    }
    this.#startedMs = Date.now()
    for (const lane of this.#lanes) lane.start()
    await this.#acked(quarter)
    const killedMs = performance.now()
    await this.#server!.kill()
    this.#print('store killed')
    await this.#acked(2 * quarter)
    await this.#service!.stop('SIGKILL')
    this.#print(`gateway killed, ${this.#sum(lane => lane.spooled)} records spooled by then`)
    await this.#startGateway(this.#target!.port)
    this.#print(`gateway back, ${await this.#waiting()} records wait`)
    await this.#acked(quarter)
    await this.#server!.startAgain()
    const backMs = performance.now()
    this.#print(`store back, ${await this.#waiting()} records wait`)
    while ((await this.#waiting()) > 0) await this.#acked(1)
    const drainedMs = performance.now()
    this.#print('drained')
    await Promise.all(this.#lanes.map(lane => lane.stop()))
    while ((await this.#waiting()) > 0) await Promise.all(this.#lanes.map(lane => lane.sendOne()))
    return { outageMs: Math.round(backMs - killedMs), drainMs: Math.round(drainedMs - backMs) }
  }

  /** Resolves when at least so many more records are acknowledged. */
  async #acked(records: number): Promise<void> {
    const goal = this.#sum(lane => lane.records) + records
    while (this.#sum(lane => lane.records) < goal) {
      await once(this.#acks, ACKED, { signal: AbortSignal.timeout(ACK_DEADLINE_MS) })
    }
  }

  async #waiting(): Promise<number> {
    const reply = await fetch(`${this.#service!.url}/metrics`)
    const records = RECORDS_WAITING.exec(await reply.text())?.[1]
    if (records === undefined) throw new Error('the metrics do not report what waits')
    return Number(records)
  }

  async #recount(): Promise<Omit<OutageReport, 'outageMs' | 'drainMs'>> {
    const parts =
      this.#options.store === 'es8' ? [await this.#recountLogs(), await this.#recountSpans()] : [await this.#recountPoints()]
    const sum = (of: (part: Recounted) => number): number => parts.reduce((total, part) => total + of(part), 0)
    return {
      acked: this.#sum(lane => lane.records),
      spooled: this.#sum(lane => lane.spooled),
      repeated: this.#sum(lane => lane.repeated),
      refused: this.#sum(lane => lane.refused),
      lost: sum(({ lost }) => lost),
      doubled: sum(({ doubled }) => doubled),
      surprises: this.#lanes.flatMap(lane => lane.surprises)
    }
  }

  async #recountLogs(): Promise<Recounted> {
    // A write that has to be searchable settles the store before the count.
    await this.#send('/api/v1/logs?ack=searchable', { message: 'the end' })
    const found = await countMessages(this.#session, 'outage')
    const lanes = this.#lanes.filter(({ kind }) => kind === 'logs')
    const counts = lanes.flatMap(sent => messagesOf(sent)).map(message => found.get(message) ?? 0)
    return { lost: counts.filter(count => count === 0).length, doubled: counts.filter(count => count > 1).length }
  }

  /** A summary counts a span that was stored twice once, the durations of all spans count it twice. */
  async #recountSpans(): Promise<Recounted> {
    // What was acknowledged is searchable a little later.
    await fetch(`${this.#server!.access.url}/_refresh`, { method: 'POST' })
    let [lost, doubled] = [0, 0]
    for (const { kind, lane, records } of this.#lanes) {
      if (kind !== 'spans') continue
      const service = outageService(lane)
      const counted = await this.#session.call<{ durations: { counts: readonly number[] } }>(
        'GET',
        `/api/v1/traces?service=${service}&limit=0&durations=3`
      )
      const stored = counted.durations.counts.reduce((a, b) => a + b, 0)
      const different = await this.#spansOf(service)
      lost += records - different
      doubled += stored - different
    }
    return { lost, doubled }
  }

  /** Spans of the traces that began since the load did; a trace on the border of two pieces is in both. */
  async #spansOf(service: string): Promise<number> {
    const spans = new Map<string, number>()
    const endMs = Date.now()
    for (let startMs = this.#startedMs; startMs < endMs; startMs += PIECE_MS) {
      const piece = { service, start: String(startMs), end: String(startMs + PIECE_MS), limit: TRACES_PER_PAGE }
      for (let cursor: string | null = ''; cursor !== null;) {
        const body: object = { ...piece, ...(cursor && { cursor }) }
        const response: TracePage = await this.#session.call<TracePage>('POST', '/api/v1/traces/query', body)
        if (!response.complete) throw new Error('a list of traces is not complete')
        for (const trace of response.traces) spans.set(trace.trace_id, trace.span_count)
        cursor = response.page.next_cursor
      }
    }
    return [...spans.values()].reduce((sum, count) => sum + count, 0)
  }

  async #recountPoints(): Promise<Recounted> {
    await this.#send('/api/v1/ingest?ack=searchable', { name: 'outage.end', value: 1 })
    const body = {
      metric: 'outage.points',
      start: 'now-1h',
      end: 'now',
      agg: 'count',
      group_by: ['lane'],
      step: '1h',
      limit: 100
    }
    const { series } = await this.#session.call<{
      series: readonly { labels: { lane: string }; points: readonly (readonly [unknown, number])[] }[]
    }>('POST', '/api/v1/query', body)
    const found = new Map(series.map(({ labels, points }) => [labels.lane, points.reduce((sum, [, count]) => sum + count, 0)]))
    const missing = this.#lanes.map(({ lane, records }) => records - (found.get(`lane-${lane}`) ?? 0))
    return {
      lost: missing.reduce((sum, count) => sum + Math.max(0, count), 0),
      doubled: missing.reduce((sum, count) => sum + Math.max(0, -count), 0)
    }
  }

  async #send(path: string, body: object): Promise<void> {
    const headers = { 'x-api-key': this.#target!.apiKey, 'content-type': 'application/json' }
    const reply = await fetch(this.#service!.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  }

  get #session(): Session {
    return Session.withKey(this.#service!.url, this.#queryKey)
  }

  #sum(of: (lane: OutageLane) => number): number {
    return this.#lanes.reduce((sum, lane) => sum + of(lane), 0)
  }

  #print(line: string): void {
    this.#options.onLine?.(line)
  }
}

/** What a lane of logs has sent. */
function messagesOf({ lane, requests, records }: OutageLane): string[] {
  const batch = records / Math.max(1, requests)
  return Array.from({ length: records }, (_, i) => outageMessage(lane, Math.floor(i / batch), i % batch))
}
