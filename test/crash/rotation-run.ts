import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '../../bench/generate/random.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { CONTROL_FILE } from '../../src/stores/assemble/open-control.js'
import { CONTROL_FOLDER } from '../../src/stores/assemble/backup.js'
import { AgentProcess } from './agent-process.js'
import { CrashSite } from './crash-site.js'
import { compareRecords, type Comparison, type FoundRecord } from './compare-records.js'
import { BANNER_WORDS, type Rotation, RotationWriter } from './rotation-writer.js'

export interface RotationOptions {
  readonly folder: string
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
const GIVE_UP_MS = 90_000
/** Lines of a burst, and time from one kill to the next, in the mean. */
const MEAN_BURST = 60
const MEAN_KILL_MS = 2_500
const LEAST_PAUSE_MS = 12

/** Rotates files in all ways while agent and service are killed, and counts every line afterwards. */
export class RotationRun {
  readonly #options: RotationOptions
  readonly #random: Random
  #kills = { agent: 0, state: 0, service: 0 }

  constructor(options: RotationOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
  }

  async run(): Promise<RotationReport> {
    const { folder, lines } = this.#options
    const [data, logs, state] = ['data', 'logs', 'state'].map(name => join(folder, name)) as [string, string, string]
    for (const path of [data, logs]) await mkdir(path, { recursive: true })
    const site = await CrashSite.open(data)
    const agent = new AgentProcess(await this.#config(site, logs, state), state)
    try {
      agent.start()
      await agent.looked(FILES.length)
      const writers = this.#writers(logs, agent)
      await all([this.#killAll(site, agent), ...writers.map(writer => writer.run(lines))])
      const expected = writers.flatMap(writer => writer.lines)
      const found = await this.#waitFor(site, expected)
      await agent.stop('SIGTERM')
      await site.service.stop()
      const ledger = await ledgerOf(data, new Map(writers.map(({ path, removedBytes }) => [path, removedBytes])))
      const counts = {
        written: expected.length,
        agentKills: this.#kills.agent,
        stateLosses: this.#kills.state,
        serviceKills: this.#kills.service
      }
      return { ...compareRecords(expected, found), ...ledger, rotations: countRotations(writers), log: agent.log, ...counts }
    } finally {
      await agent.stop('SIGKILL')
      await site.service.stop('SIGKILL')
    }
  }

  #writers(folder: string, agent: AgentProcess): readonly RotationWriter[] {
    const pauseMs = this.#pauseMs()
    return FILES.map((name, i) => {
      const random = seededRandom(this.#options.seed * 10 + i)
      return new RotationWriter({ path: join(folder, `${name}.log`), name, random, reader: agent, pauseMs })
    })
  }

  /** Between two bursts of a writer, so that the kills happen while it writes. */
  #pauseMs(): number {
    const { agentKills, stateLosses, serviceKills, lines } = this.#options
    return Math.max(LEAST_PAUSE_MS, ((agentKills + stateLosses + serviceKills) * MEAN_KILL_MS) / (lines / MEAN_BURST))
  }

  async #config(site: CrashSite, logs: string, stateDir: string): Promise<string> {
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

  /** Kills spread over the time of writing, and the last ones over what comes after it. */
  async #killAll(site: CrashSite, agent: AgentProcess): Promise<void> {
    const { agentKills, stateLosses, serviceKills } = this.#options
    const counts = { agent: agentKills, state: stateLosses, service: serviceKills } as const
    const victims = (['agent', 'state', 'service'] as const).flatMap(victim => Array(counts[victim]).fill(victim) as Victim[])
    while (victims.length > 0) {
      await sleep(200 + this.#random.below(2_500))
      const [victim] = victims.splice(this.#random.below(victims.length), 1)
      await this.#kill(victim!, site, agent)
    }
  }

  async #kill(victim: Victim, site: CrashSite, agent: AgentProcess): Promise<void> {
    const downMs = this.#random.below(1_500)
    this.#kills[victim]++
    this.#options.onEvent?.(`killed ${victim} for ${downMs} ms`)
    if (victim !== 'service') {
      await agent.stop('SIGKILL')
      if (victim === 'state') await rm(agent.stateDir, { recursive: true })
      await sleep(downMs)
      agent.start()
      return
    }
    await site.service.stop('SIGKILL')
    await sleep(downMs)
    await site.start()
  }

  /** The records when all lines are there, or after `GIVE_UP_MS`. */
  async #waitFor(site: CrashSite, expected: readonly string[]): Promise<readonly FoundRecord[]> {
    const startedAt = performance.now()
    while ((await countOf(site)) < expected.length && performance.now() - startedAt < GIVE_UP_MS) await sleep(1_000)
    // What comes twice comes late: ends of streams, repeats.
    await sleep(3_000)
    const found: FoundRecord[] = []
    for (const service of FILES) found.push(...(await recordsOf(site, service)))
    return found
  }
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

/** Records but those of the beginning of files, which files share. */
async function countOf(site: CrashSite): Promise<number> {
  const body = { query: `-"${BANNER_WORDS}"`, ...WINDOW, limit: 0, total: true }
  const { total } = await site.session.call<{ total: { value: number } }>('POST', '/api/v1/logs/query', body)
  return total.value
}

interface StoredRecord {
  readonly message: string
  readonly tags: Readonly<Record<string, string>>
  readonly ingested_at: string
}

async function recordsOf(site: CrashSite, service: string): Promise<readonly FoundRecord[]> {
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

/** What the ledger has of the streams; gaps of unknown size behind all lines of removed files are doubts. */
async function ledgerOf(
  dataDir: string,
  removed: ReadonlyMap<string, ReadonlySet<number>>
): Promise<Pick<RotationReport, 'streams' | 'gaps' | 'doubts'>> {
  const control = await openSqliteControlStore({ file: join(dataDir, CONTROL_FOLDER, CONTROL_FILE) })
  try {
    const [namespace] = await control.namespaces.all()
    if (namespace === undefined) throw new Error('the control database has no namespace')
    const ns = namespace.id
    const streams = await control.streams.list(ns, { limit: 10_000 })
    const found = await control.streams.gaps(
      ns,
      streams.map(({ id }) => id),
      100
    )
    const gaps = streams.map(({ id, path }) => ({ path, gaps: found.get(id) ?? [] }))
    const all = gaps.flatMap(({ path, gaps: its }) => its.map(gap => ({ path, ...gap })))
    const isDoubt = ({ path, from, to, lines }: (typeof all)[number]): boolean =>
      lines === null && from === to && (removed.get(path ?? '')?.has(from) ?? false)
    const lost = all.filter(gap => !isDoubt(gap))
    return {
      streams: streams.length,
      gaps: lost.map(({ path, from, to, reason, code, lines }) => `${path} ${from}-${to} ${reason} ${code} ${lines}`),
      doubts: all.length - lost.length
    }
  } finally {
    await control.close()
  }
}
