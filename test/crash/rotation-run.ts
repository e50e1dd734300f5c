import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '../../bench/generate/random.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { CONTROL_FILE } from '../../src/stores/assemble/open-control.js'
import { CONTROL_FOLDER } from '../../src/stores/assemble/backup.js'
import { controlEntry } from '../support/store-entry.js'
import { AgentProcess } from './agent-process.js'
import { CrashSite } from './crash-site.js'
import { type Rotation, RotationWriter } from './rotation-writer.js'

export interface RotationOptions {
  readonly folder: string
  readonly seed: number
  /** Lines of each of the three files. */
  readonly lines: number
  readonly agentKills: number
  readonly serviceKills: number
  readonly onEvent?: (line: string) => void
}

export interface RotationReport {
  readonly written: number
  readonly streams: number
  readonly agentKills: number
  readonly serviceKills: number
  readonly rotations: Readonly<Record<string, number>>
  readonly missing: readonly string[]
  readonly doubled: readonly string[]
  /** Records that are no line that was written: broken or cut. */
  readonly strange: readonly string[]
  readonly outOfOrder: readonly string[]
  /** Gaps of the ledger, which has none when nothing is lost. */
  readonly gaps: readonly string[]
  /** Gaps of unknown size behind all lines of files that were removed when no agent ran: it cannot know that there were no more. */
  readonly doubts: number
  readonly log: string
}

const FILES = ['alpha', 'beta', 'gamma']
const GIVE_UP_MS = 90_000

/** Rotates files in all ways while agent and service are killed, and counts every line afterwards. */
export class RotationRun {
  readonly #options: RotationOptions
  readonly #random: Random
  #kills = { agent: 0, service: 0 }

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
    agent.start()
    await agent.looked(FILES.length)
    const writers = FILES.map(
      (name, i) => new RotationWriter(join(logs, `${name}.log`), name, seededRandom(this.#options.seed * 10 + i), agent)
    )
    const written = Promise.all(writers.map(writer => writer.run(lines)))
    await Promise.all([this.#killAll(site, agent, written), written])
    const expected = writers.flatMap(writer => writer.lines)
    const found = await this.#waitFor(site, expected)
    await agent.stop('SIGTERM')
    await site.service.stop()
    const rotations: Record<string, number> = {}
    for (const writer of writers)
      for (const [how, count] of writer.rotations) rotations[how satisfies Rotation] = (rotations[how] ?? 0) + count
    const ledger = await ledgerOf(data, new Map(writers.map(({ path, removedBytes }) => [path, removedBytes])))
    return { ...compare(expected, found), ...ledger, rotations, log: agent.log, ...this.#counts(expected.length) }
  }

  #counts(written: number): Pick<RotationReport, 'written' | 'agentKills' | 'serviceKills'> {
    return { written, agentKills: this.#kills.agent, serviceKills: this.#kills.service }
  }

  async #config(site: CrashSite, logs: string, stateDir: string): Promise<string> {
    const path = join(this.#options.folder, 'agent.yaml')
    const files = FILES.map(name => ({ path: join(logs, `${name}.log`), service: name, start_at: 'beginning' }))
    const agent = {
      url: `http://127.0.0.1:${site.target.port}`,
      api_key: site.target.apiKey,
      host: 'torture',
      state_dir: stateDir
    }
    const logsKeys = { enabled: true, batch_size: 50, interval: '100ms', poll: '50ms', rotate_wait: '1s', files }
    await writeFile(path, JSON.stringify({ agent, logs: logsKeys }))
    return path
  }

  /** Kills spread over the time of writing. */
  async #killAll(site: CrashSite, agent: AgentProcess, written: Promise<unknown>): Promise<void> {
    const ended = written.then(() => 'ended' as const)
    const { agentKills, serviceKills } = this.#options
    const victims = [...Array<'agent'>(agentKills).fill('agent'), ...Array<'service'>(serviceKills).fill('service')]
    while (victims.length > 0) {
      if ((await Promise.race([sleep(200 + this.#random.below(2_500)), ended])) === 'ended') return
      const [victim] = victims.splice(this.#random.below(victims.length), 1)
      await this.#kill(victim!, site, agent)
    }
  }

  async #kill(victim: 'agent' | 'service', site: CrashSite, agent: AgentProcess): Promise<void> {
    const downMs = this.#random.below(1_500)
    this.#kills[victim]++
    this.#options.onEvent?.(`killed ${victim} for ${downMs} ms`)
    if (victim === 'agent') {
      await agent.stop('SIGKILL')
      await sleep(downMs)
      agent.start()
      return
    }
    await site.service.stop('SIGKILL')
    await sleep(downMs)
    await site.start()
  }

  /** The records when all lines are there, or when there is no hope left. */
  async #waitFor(site: CrashSite, expected: readonly string[]): Promise<readonly string[]> {
    const startedAt = performance.now()
    let found: readonly string[] = []
    while (performance.now() - startedAt < GIVE_UP_MS) {
      found = await messagesOf(site)
      if (new Set(found).size >= new Set(expected).size) break
      await sleep(1_000)
    }
    // What comes twice comes late: ends of streams, repeats.
    await sleep(3_000)
    return messagesOf(site)
  }
}

async function messagesOf(site: CrashSite): Promise<readonly string[]> {
  const body = { start: 'now-2h', end: 'now+10m', order: 'asc' }
  const text = await site.session.text('POST', '/api/v1/logs/query', body, { accept: 'application/x-ndjson' })
  const records = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { message?: string; complete?: boolean })
  if (records.at(-1)?.complete !== true) throw new Error(`the stream did not say that it was complete: ${text.slice(-300)}`)
  return records.flatMap(({ message }) => (message === undefined || message.startsWith('#') ? [] : [message]))
}

/** `alpha g3` of a line. */
function fileOf(line: string): string {
  return line.split(' ', 2).join(' ')
}

function numberOf(line: string): number {
  return Number(line.split(' ', 3)[2]!.slice(1))
}

const short = (line: string): string => line.slice(0, 60)

function compare(
  expected: readonly string[],
  found: readonly string[]
): Pick<RotationReport, 'missing' | 'doubled' | 'strange' | 'outOfOrder'> {
  const all = new Set(expected)
  const counts = new Map<string, number>()
  const last = new Map<string, number>()
  const outOfOrder: string[] = []
  for (const line of found) {
    counts.set(line, (counts.get(line) ?? 0) + 1)
    if (!all.has(line)) continue
    const [file, number] = [fileOf(line), numberOf(line)]
    if (number < (last.get(file) ?? -1)) outOfOrder.push(short(line))
    last.set(file, number)
  }
  return {
    missing: expected.filter(line => !counts.has(line)).map(short),
    doubled: [...counts].filter(([line, count]) => count > 1 && all.has(line)).map(([line]) => short(line)),
    strange: [...counts.keys()].filter(line => !all.has(line)).map(short),
    outOfOrder
  }
}

async function ledgerOf(
  dataDir: string,
  removed: ReadonlyMap<string, ReadonlySet<number>>
): Promise<Pick<RotationReport, 'streams' | 'gaps' | 'doubts'>> {
  const control = await openSqliteControlStore({ file: join(dataDir, CONTROL_FOLDER, CONTROL_FILE), entry: controlEntry() })
  try {
    const gaps: string[] = []
    let [streams, doubts] = [0, 0]
    for (const { id: ns } of await control.namespaces.all()) {
      streams += await control.streams.count(ns as NamespaceId)
      for (const { id, path } of await control.streams.list(ns, { hasGaps: true, limit: 1_000 }))
        for (const { from, to, reason, code, lines } of await control.streams.gaps(ns, id, 100)) {
          if (lines === null && from === to && removed.get(path ?? '')?.has(from)) doubts++
          else gaps.push(`${path} ${from}-${to} ${reason} ${code} ${lines}`)
        }
    }
    return { streams, gaps, doubts }
  } finally {
    await control.close()
  }
}
