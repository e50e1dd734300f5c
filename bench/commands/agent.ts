import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { AgentProcess } from '../service/agent-process.js'
import { Session } from '../service/session.js'
import type { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { targetOf, withService } from './with-service.js'

type Format = 'plain' | 'syslog'

const FORMATS: readonly Format[] = ['plain', 'syslog']
const WARM_UP_MS = 20_000
const POLL_MS = 200
const GIVE_UP_MS = 280_000
/** Lines of one write of the backlog. */
const LINES_AT_ONCE = 10_000

/** A line of about 130 bytes. */
function lineOf(format: Format, number: number): string {
  const text = `request ${number} of user ${number % 9_973} for /api/orders/${number % 31_337} took ${number % 911} ms, status ${number % 7 === 0 ? 500 : 200}`
  const padded = text.padEnd(88, '.')
  if (format === 'plain') return `2026-11-20 11:40:00.${String(number % 1_000).padStart(3, '0')} INFO ${padded}\n`
  return `<14>1 2026-11-20T11:40:00.${String(number % 1_000).padStart(3, '0')}Z web-1 shop 812 - - ${padded}\n`
}

function configOf(service: ServiceProcess, folder: string, files: readonly object[]): object {
  const { host, port, apiKey } = targetOf(service)
  return {
    agent: { url: `http://${host}:${port}`, api_key: apiKey, host: 'bench', state_dir: join(folder, 'state') },
    logs: { files }
  }
}

function cpuOf(service: ServiceProcess): number {
  const { http, store } = service.cpu()
  return http + store
}

/** CPU and memory of an agent whose files are quiet. */
async function atRest(service: ServiceProcess, folder: string, { seconds, nodeArgs }: BenchOptions): Promise<Row> {
  const paths = ['a', 'b', 'c'].map(name => join(folder, `${name}.log`))
  for (const path of paths) await writeFile(path, 'first line\n')
  const agent = await AgentProcess.start(
    configOf(
      service,
      folder,
      paths.map(path => ({ path }))
    ),
    folder,
    nodeArgs
  )
  try {
    await sleep(WARM_UP_MS)
    const before = agent.cpuSeconds
    await sleep(seconds * 1_000)
    return { step: `rest, ${seconds} s`, 'CPU %': ((agent.cpuSeconds - before) / seconds) * 100, 'RSS MB': agent.rssMb }
  } finally {
    await agent.stop()
  }
}

async function writeBacklog(path: string, format: Format, lines: number): Promise<void> {
  for (let at = 0; at < lines; at += LINES_AT_ONCE) {
    const count = Math.min(LINES_AT_ONCE, lines - at)
    await appendFile(path, Array.from({ length: count }, (_, i) => lineOf(format, at + i)).join(''))
  }
}

async function storedLines(session: Session, path: string): Promise<number> {
  const { streams } = await session.call<{ streams: readonly { lines: number }[] }>('GET', `/api/v1/streams?path=${path}`)
  return streams[0]?.lines ?? 0
}

/** A file of `lines` lines that was there before the agent. */
async function backlog(service: ServiceProcess, folder: string, format: Format, options: BenchOptions): Promise<Row> {
  await mkdir(folder)
  const path = join(folder, `${format}.log`)
  await writeBacklog(path, format, options.rows)
  const session = await Session.operator(service)
  const [serviceBefore, startedMs] = [cpuOf(service), performance.now()]
  const files = [{ path, format, service: 'bench', start_at: 'beginning' }]
  const agent = await AgentProcess.start(configOf(service, folder, files), folder, options.nodeArgs)
  let rssMb = 0
  try {
    while ((await storedLines(session, path)) < options.rows) {
      if (performance.now() - startedMs > GIVE_UP_MS) throw new Error(`the backlog did not arrive: ${agent.log.slice(-2_000)}`)
      rssMb = Math.max(rssMb, agent.rssMb)
      await sleep(POLL_MS)
    }
    const seconds = (performance.now() - startedMs) / 1_000
    return {
      step: `backlog, ${format}`,
      'lines/s': options.rows / seconds,
      'agent us/line': (agent.cpuSeconds / options.rows) * 1e6,
      'service us/line': ((cpuOf(service) - serviceBefore) / options.rows) * 1e6,
      'RSS MB': rssMb
    }
  } finally {
    await agent.stop()
  }
}

/** The host agent: cost at rest, and how fast and at which cost it catches up. */
export function measureAgent(options: BenchOptions): Promise<Report> {
  const isChosen = (step: string): boolean => options.only.length === 0 || options.only.includes(step)
  return withService({ ...options, nodeArgs: [] }, service =>
    withTemporaryFolder('alidade-agent', async folder => {
      const rows: Row[] = []
      if (isChosen('rest')) rows.push(await atRest(service, folder, options))
      for (const format of FORMATS) if (isChosen(format)) rows.push(await backlog(service, join(folder, format), format, options))
      return { title: 'Host agent', rows, notes: [] }
    })
  )
}
