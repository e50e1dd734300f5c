import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'
import { openTestStores } from './duckdb-fixture.js'

const ADMIN = fileURLToPath(new URL('../../dist/bin/admin.js', import.meta.url))
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1 }

/** How a command of the operator ended. */
export interface Ran {
  readonly code: number
  readonly output: string
}

/** A response of `GET /api/v1/health/ready`. */
export interface Health {
  readonly code: number
  readonly status: string
  /** The whole response. */
  readonly text: string
}

/** Logs that a search finds, and what it reports about them. */
export interface FoundLogs {
  readonly messages: readonly string[]
  readonly complete: boolean
  readonly warnings: readonly string[]
}

/** The compiled service on a data folder that a test damages, and the commands that an operator runs there. */
export class OperatedService {
  readonly dataDir: string
  #process: ServiceProcess | null = null
  #queryKey = ''

  constructor(dataDir: string) {
    this.dataDir = dataDir
  }

  /** A path below the folder of the embedded store. */
  telemetry(...parts: readonly string[]): string {
    return join(this.dataDir, 'telemetry', ...parts)
  }

  /** Starts dist/bin/main.js; rejects with its output when it ends. */
  async start(): Promise<void> {
    const running = await ServiceProcess.spawn({ dataDir: this.dataDir, args: ['--log-level', 'warn'] })
    this.#process = running
    await running.ready()
    if (this.#queryKey !== '') return
    const session = await Session.operator(running)
    this.#queryKey = (await session.call<{ key: string }>('POST', '/api/v1/keys', { name: 'test', kind: 'query' })).key
  }

  /** As `docker stop` does. */
  async stop(): Promise<void> {
    await this.#process?.stop()
  }

  /** Ends both processes at once, as a power cut does: the store process must not notice that its parent is gone. */
  async crash(): Promise<void> {
    const running = this.#process!
    const store = running.storePid!
    process.kill(running.pid, 'SIGSTOP')
    process.kill(store, 'SIGKILL')
    await running.stop('SIGKILL')
  }

  /** Stores logs of this minute. */
  async write(...messages: readonly string[]): Promise<void> {
    const logs = messages.map(message => ({ message }))
    const { apiKey } = this.#process!.firstRun()
    await this.#call('POST', '/api/v1/logs/batch', { 'x-api-key': apiKey }, { logs })
  }

  /** Logs of the last two hours. */
  async search(): Promise<FoundLogs> {
    const body = { start: 'now-2h', end: 'now', limit: 1_000 }
    const text = await this.#call('POST', '/api/v1/logs/query', { 'x-api-key': this.#queryKey }, body)
    const { logs, complete, warnings } = JSON.parse(text) as FoundLogs & { readonly logs: readonly { message: string }[] }
    return { messages: logs.map(({ message }) => message).sort(), complete, warnings }
  }

  async health(): Promise<Health> {
    const reply = await fetch(`${this.#process!.url}/api/v1/health/ready`)
    const text = await reply.text()
    return { code: reply.status, status: (JSON.parse(text) as { status: string }).status, text }
  }

  /** `npm run admin -- ... --data-dir <folder>`. */
  admin(...args: readonly string[]): Promise<Ran> {
    return new Promise(resolve => {
      execFile(process.execPath, [ADMIN, ...args, '--data-dir', this.dataDir], (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
      })
    })
  }

  /** A command of the shell with `./data` for the data folder, as the documents write it. */
  shell(command: string): Promise<Ran> {
    return new Promise(resolve => {
      execFile('sh', ['-euc', command.replaceAll('./data', this.dataDir)], (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
      })
    })
  }

  /** The same service on a copy of its data folder. */
  copiedTo(dataDir: string): OperatedService {
    const copy = new OperatedService(dataDir)
    copy.#queryKey = this.#queryKey
    return copy
  }

  /** Paths of all segments below the folder of segments, oldest first. */
  async segments(): Promise<readonly string[]> {
    const names = await readdir(this.telemetry('segments'), { recursive: true })
    return names.filter(name => name.endsWith('.parquet')).sort()
  }

  /** Makes segments of what is stored, as the service does after ten minutes; it must be stopped. */
  async seal(): Promise<void> {
    const stores = await openTestStores(this.telemetry(), { limits: QUIET })
    await stores.client.call('sealAll', [])
    await stores.close()
  }

  async #call(method: string, path: string, headers: Record<string, string>, json: unknown): Promise<string> {
    const reply = await fetch(this.#process!.url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(json)
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return text
  }
}
