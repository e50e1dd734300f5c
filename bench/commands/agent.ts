import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LineFormat, lineOf } from '../load/agent-lines.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { AgentProcess } from '../service/agent-process.js'
import { CollectorProcess } from '../service/collector-process.js'
import { Session } from '../service/session.js'
import type { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { sealedRows } from './disk-use.js'
import { agentConfig } from './agent-config.js'
import { ledgerRows } from './agent-ledger.js'
import { pacedRows } from './agent-pace.js'
import { targetOf, withService } from './with-service.js'

const FORMATS: readonly LineFormat[] = ['plain', 'syslog']
const WARM_UP_MS = 20_000
const POLL_MS = 200
const GIVE_UP_MS = 280_000
/** The lines of a backlog are a millisecond apart. */
const BACKLOG_START_MS = Date.parse('2026-11-20T11:40:00Z')
/** Lines of one write of the backlog. */
const LINES_AT_ONCE = 10_000

/** CPU and memory of an agent whose files are quiet. */
async function atRest(service: ServiceProcess, folder: string, { seconds, nodeArgs }: BenchOptions): Promise<Row> {
  const paths = ['a', 'b', 'c'].map(name => join(folder, `${name}.log`))
  // Files that begin alike are looked at again and again: they may be one.
  for (const path of paths) await writeFile(path, `first line of ${path}\n`)
  const files = paths.map(path => ({ path }))
  const agent = await AgentProcess.start(agentConfig(service, folder, files), folder, nodeArgs)
  try {
    await sleep(WARM_UP_MS)
    const before = agent.cpuSeconds
    await sleep(seconds * 1_000)
    return { step: `rest, ${seconds} s`, 'CPU %': ((agent.cpuSeconds - before) / seconds) * 100, 'RSS MB': agent.rssMb }
  } finally {
    await agent.stop()
  }
}

async function writeBacklog(path: string, format: LineFormat, lines: number): Promise<void> {
  for (let at = 0; at < lines; at += LINES_AT_ONCE) {
    const count = Math.min(LINES_AT_ONCE, lines - at)
    await appendFile(path, Array.from({ length: count }, (_, i) => lineOf(format, at + i, BACKLOG_START_MS + at + i)).join(''))
  }
}

/** What reads a backlog: the agent, or a Collector. */
interface Reader {
  readonly cpuSeconds: number
  readonly rssMb: number
  readonly log: string
  stop(): Promise<void>
}

interface Backlog {
  readonly service: ServiceProcess
  readonly rows: number
  readonly start: () => Promise<Reader>
  /** Lines that arrived. */
  readonly arrived: () => Promise<number>
}

/** Reads a file of `rows` lines that was there before the reader. */
async function readBacklog({ service, rows, start, arrived }: Backlog): Promise<Row> {
  const [serviceBefore, startedMs] = [service.cpuSeconds(), performance.now()]
  const reader = await start()
  let rssMb = 0
  try {
    while ((await arrived()) < rows) {
      if (performance.now() - startedMs > GIVE_UP_MS) throw new Error(`the backlog did not arrive: ${reader.log.slice(-2_000)}`)
      rssMb = Math.max(rssMb, reader.rssMb)
      await sleep(POLL_MS)
    }
    const seconds = (performance.now() - startedMs) / 1_000
    return {
      'lines/s': rows / seconds,
      'us/line': (reader.cpuSeconds / rows) * 1e6,
      'service us/line': ((service.cpuSeconds() - serviceBefore) / rows) * 1e6,
      'RSS MB': rssMb
    }
  } finally {
    await reader.stop()
  }
}

/** A backlog and who reads it: the agent, then with `--peer` a Collector. */
async function backlogs(
  service: ServiceProcess,
  folder: string,
  format: LineFormat,
  options: BenchOptions
): Promise<readonly Row[]> {
  const { rows, nodeArgs, withPeer } = options
  await mkdir(folder)
  const path = join(folder, `${format}.log`)
  await writeBacklog(path, format, rows)
  const session = await Session.operator(service)
  const files = [{ path, format, service: 'bench', start_at: 'beginning' }]
  const streams = async (): Promise<readonly { id: string; lines: number }[]> =>
    (await session.call<{ streams: readonly { id: string; lines: number }[] }>('GET', `/api/v1/streams?path=${path}`)).streams
  const start = (): Promise<Reader> => AgentProcess.start(agentConfig(service, folder, files), folder, nodeArgs)
  const agent = await readBacklog({ service, rows, start, arrived: async () => (await streams())[0]?.lines ?? 0 })
  const [{ id } = { id: '' }] = await streams()
  const startedMs = performance.now()
  const { lines } = await session.call<{ lines: { recounted: number } }>('GET', `/api/v1/streams/${id}/proof?recount=true`)
  const found: Row[] = [{ step: `backlog, ${format}`, ...agent, 'proof ms': performance.now() - startedMs }]
  if (lines.recounted !== rows) throw new Error(`the store has ${lines.recounted} of ${rows} lines`)
  if (!withPeer) return found
  const { apiKey } = targetOf(service)
  const before = await storedRows(service)
  const collector = await readBacklog({
    service,
    rows,
    start: () =>
      CollectorProcess.start({ path, isSyslog: format === 'syslog', url: `${service.url}/api/v1/otlp`, apiKey, folder }),
    arrived: async () => (await storedRows(service)) - before
  })
  return [...found, { step: `backlog, ${format}, Collector`, ...collector }]
}

/** All rows of the store; those of a Collector have no stream that counts them. */
async function storedRows({ url }: ServiceProcess): Promise<number> {
  const { sealed, waiting } = await sealedRows(url)
  return sealed + waiting
}

/**
 * The host agent: cost at rest, how fast and at which cost it catches up, its memory and delay at a steady rate, and
 * what the ledger of log streams costs the service.
 */
export function measureAgent(options: BenchOptions): Promise<Report> {
  const isChosen = (step: string): boolean => options.only.length === 0 || options.only.includes(step)
  return withService({ ...options, nodeArgs: [] }, service =>
    withTemporaryFolder('alidade-agent', async folder => {
      const rows: Row[] = []
      if (isChosen('rest')) rows.push(await atRest(service, folder, options))
      for (const format of FORMATS)
        if (isChosen(format)) rows.push(...(await backlogs(service, join(folder, format), format, options)))
      if (isChosen('pace')) rows.push(...(await pacedRows(service, folder, options)))
      if (isChosen('ledger')) rows.push(...(await withService({ ...options, dataDir: null, nodeArgs: [] }, ledgerRows)))
      return { title: 'Host agent', rows, notes: [] }
    })
  )
}
