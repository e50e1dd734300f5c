import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Random, seededRandom } from '../../bench/generate/random.js'
import { AgentProcess } from './agent-process.js'
import { compareRecords, type Comparison, type FoundRecord } from './compare-records.js'
import { BurstCount } from './burst-count.js'
import type { OpenRotationSite, RotationSite } from './rotation-site.js'
import { BANNER_WORDS, type Rotation, RotationWriter } from './rotation-writer.js'

export interface RotationOptions {
  readonly folder: string
  readonly open: OpenRotationSite
  readonly seed: number
  /** Lines of each of the three files. */
  readonly lines: number
  readonly agentKills: number
  /** Kills of the agent after which its state folder is deleted. */
  readonly stateLosses: number
  readonly serviceKills: number
  readonly onEvent?: (line: string) => void
}

export interface RotationReport extends Comparison {
  readonly written: number
  readonly streams: number
  readonly agentKills: number
  readonly stateLosses: number
  readonly serviceKills: number
  readonly rotations: Readonly<Record<string, number>>
  /** Gaps of the ledger, which has none when nothing is lost. */
  readonly gaps: readonly string[]
  /** Gaps of unknown size behind all lines of files that were removed when no agent ran: it cannot know that there were no more. */
  readonly doubts: number
  readonly log: string
}

/** What is killed; `state`: the agent, whose state folder is deleted. */
type Victim = 'agent' | 'state' | 'service'

const FILES = ['alpha', 'beta', 'gamma']
/** Each of its lines begins a record, which waits for the next one. */
const OF_RECORDS = 'beta'
const WINDOW = { start: 'now-2h', end: 'now+10m' }
/** Lines of a burst, and time from one kill to the next, in the mean. */
const MEAN_BURST = 60
const MEAN_KILL_MS = 2_500
const LEAST_PAUSE_MS = 12
/** Most bursts of the writers while what was killed does not run. */
const DOWN_BURSTS = 90
const STREAMS_A_PAGE = 500

/** Rotates files in all ways while agent and service are killed, and counts every line afterwards. */
export class RotationRun {
  readonly #options: RotationOptions
  readonly #random: Random
  readonly #bursts = new BurstCount()
  #kills = { agent: 0, state: 0, service: 0 }

  constructor(options: RotationOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
  }

  async run(): Promise<RotationReport> {
    const { folder, lines } = this.#options
    const [logs, state] = ['logs', 'state'].map(name => join(folder, name)) as [string, string]
    await mkdir(logs, { recursive: true })
    const site = await this.#options.open(folder)
    const agent = new AgentProcess(await this.#config(site, logs, state), state)
    try {
      agent.start()
      await agent.looked(FILES.length)
      const writers = this.#writers(logs, agent)
      const written = writers.map(writer => writer.run(lines))
      await all([this.#killAll(site, agent), this.#bursts.endWith(all(written))])
      const expected = writers.flatMap(writer => writer.lines)
      await agent.settled(await sizesOf(writers))
      await agent.stop('SIGTERM')
      const found = await foundIn(site)
      const ledger = await ledgerOf(site, new Map(writers.map(({ path, removedBytes }) => [path, removedBytes])))
      const counts = {
        written: expected.length,
        agentKills: this.#kills.agent,
        stateLosses: this.#kills.state,
        serviceKills: this.#kills.service
      }
      return { ...compareRecords(expected, found), ...ledger, rotations: countRotations(writers), log: agent.log, ...counts }
    } finally {
      await agent.stop('SIGKILL')
      await site.close()
    }
  }

  #writers(folder: string, agent: AgentProcess): readonly RotationWriter[] {
    const pauseMs = this.#pauseMs()
    return FILES.map((name, i) => {
      const random = seededRandom(this.#options.seed * 10 + i)
      return new RotationWriter({
        path: join(folder, `${name}.log`),
        name,
        random,
        reader: agent,
        pauseMs,
        bursts: this.#bursts
      })
    })
  }

  /** Between two bursts of a writer, so that the kills happen while it writes. */
  #pauseMs(): number {
    const { agentKills, stateLosses, serviceKills, lines } = this.#options
    return Math.max(LEAST_PAUSE_MS, ((agentKills + stateLosses + serviceKills) * MEAN_KILL_MS) / (lines / MEAN_BURST))
  }

  async #config(site: RotationSite, logs: string, stateDir: string): Promise<string> {
    const path = join(this.#options.folder, 'agent.yaml')
    const files = FILES.map(name => ({
      ...{ path: join(logs, `${name}.log`), service: name, start_at: 'beginning' },
      ...(name === OF_RECORDS && { multiline: { start: `^${name} ` } })
    }))
    const agent = {
      url: `http://127.0.0.1:${site.target.port}`,
      api_key: site.target.apiKey,
      host: 'torture',
      state_dir: stateDir
    }
    const logsKeys = { enabled: true, batch_size: 50, interval: '100ms', poll: '50ms', rotate_wait: '1s', files }
    await writeFile(path, JSON.stringify({ agent, metrics: { enabled: false }, logs: logsKeys }))
    return path
  }

  /** Kills spread over the bursts of the writers. */
  async #killAll(site: RotationSite, agent: AgentProcess): Promise<void> {
    const { agentKills, stateLosses, serviceKills, lines } = this.#options
    const counts = { agent: agentKills, state: stateLosses, service: serviceKills } as const
    const victims = (['agent', 'state', 'service'] as const).flatMap(victim => Array(counts[victim]).fill(victim) as Victim[])
    const share = (FILES.length * lines) / MEAN_BURST / (victims.length + 1)
    while (victims.length > 0) {
      await this.#bursts.next(1 + this.#random.below(Math.ceil(2 * share)))
      const [victim] = victims.splice(this.#random.below(victims.length), 1)
      await this.#kill(victim!, site, agent)
    }
  }

  async #kill(victim: Victim, site: RotationSite, agent: AgentProcess): Promise<void> {
    const bursts = this.#random.below(DOWN_BURSTS)
    this.#kills[victim]++
    this.#options.onEvent?.(`killed ${victim} for ${bursts} bursts`)
    if (victim !== 'service') {
      await agent.stop('SIGKILL')
      if (victim === 'state') await rm(agent.stateDir, { recursive: true, force: true })
      await this.#bursts.down(bursts)
      agent.start()
      return
    }
    await site.kill(this.#random.next())
    await this.#bursts.down(bursts)
    await site.start()
  }
}

/** Sizes of the files that are written last, by path. */
async function sizesOf(writers: readonly RotationWriter[]): Promise<ReadonlyMap<string, number>> {
  return new Map(await Promise.all(writers.map(async ({ path }) => [path, (await stat(path)).size] as const)))
}

/** All records, in the order of their times. */
async function foundIn(site: RotationSite): Promise<readonly FoundRecord[]> {
  // What was written before is searchable then.
  await writeOne(site)
  const found: FoundRecord[] = []
  for (const service of FILES) found.push(...(await recordsOf(site, service)))
  return found
}

async function writeOne({ target }: RotationSite): Promise<void> {
  const { port, apiKey } = target
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/logs?ack=searchable`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ message: 'the end', service: 'the-end' })
  })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
}

/** Waits for all, also when one fails: none goes on when the run has ended. */
async function all(works: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(works)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

function countRotations(writers: readonly RotationWriter[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { rotations } of writers)
    for (const [how, count] of rotations) counts[how satisfies Rotation] = (counts[how] ?? 0) + count
  return counts
}

interface StoredRecord {
  readonly message: string
  readonly tags: Readonly<Record<string, string>>
  readonly ingested_at: string
}

async function recordsOf(site: RotationSite, service: string): Promise<readonly FoundRecord[]> {
  const body = { query: `-"${BANNER_WORDS}"`, service, ...WINDOW, order: 'asc' }
  const text = await site.session.text('POST', '/api/v1/logs/query', body, { accept: 'application/x-ndjson' })
  const records = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as StoredRecord & { complete?: boolean; error?: object })
  const end = records.at(-1)
  if (end?.complete === undefined || end.error !== undefined) throw new Error(`the result is not complete: ${text.slice(-300)}`)
  return records
    .slice(0, -1)
    .map(({ message, tags, ingested_at: receivedAt }) => ({ message, stream: tags['log.stream.id'] ?? '', receivedAt }))
}

interface ReportedStream {
  readonly id: string
  readonly path: string
  readonly gaps: readonly {
    readonly from: number
    readonly to: number
    readonly lines: number | null
    readonly reason: string
    readonly code: string | null
  }[]
}

async function streamsOf({ session }: RotationSite): Promise<readonly ReportedStream[]> {
  const streams: ReportedStream[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: { streams: readonly ReportedStream[]; page: { next_cursor: string | null } } = await session.call(
      'GET',
      `/api/v1/streams?limit=${STREAMS_A_PAGE}${after}`
    )
    streams.push(...page.streams)
    cursor = page.page.next_cursor
  }
  return streams
}

/** What the service reports of the streams; gaps of unknown size behind all lines of removed files are doubts. */
async function ledgerOf(
  site: RotationSite,
  removed: ReadonlyMap<string, ReadonlySet<number>>
): Promise<Pick<RotationReport, 'streams' | 'gaps' | 'doubts'>> {
  const streams = await streamsOf(site)
  const gaps = streams.flatMap(({ path, gaps: its }) => its.map(gap => ({ path, ...gap })))
  const isDoubt = ({ path, from, to, lines }: (typeof gaps)[number]): boolean =>
    lines === null && from === to && (removed.get(path)?.has(from) ?? false)
  const lost = gaps.filter(gap => !isDoubt(gap))
  return {
    streams: streams.length,
    gaps: lost.map(({ path, from, to, reason, code, lines }) => `${path} ${from}-${to} ${reason} ${code} ${lines}`),
    doubts: gaps.length - lost.length
  }
}
