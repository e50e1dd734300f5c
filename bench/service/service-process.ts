import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFirstRun } from './first-run.js'
import type { FirstRun } from './first-run.js'
import { freePort } from './free-port.js'
import { childrenOf, cpuSeconds, pssMb } from './proc.js'

/** How to start a service of its own for a measurement or a crash test. */
export interface ServiceOptions {
  readonly dataDir: string
  /** A free one when absent. */
  readonly port?: number
  /** More flags for the service. */
  readonly args?: readonly string[]
  /** What Node runs; the compiled main.js of the service when absent. */
  readonly entry?: string
  /** Flags for Node in front of the entry, e.g. `--cpu-prof`. */
  readonly nodeArgs?: readonly string[]
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** What runs Node, e.g. `['strace', '-f']` in front; its own child is then the service. */
  readonly wrapper?: readonly string[]
  readonly readyTimeoutMs?: number
}

const MAIN = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url))
/** Flags with which `npm start` starts Node. */
const START_FLAGS = startFlags(JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } })
const READY_POLL_MS = 10
const READY_TIMEOUT_MS = 30_000
const OUTPUT_KEPT = 20_000

/** The real service as a child process: what `npm start` runs, on a port of its own. */
export class ServiceProcess {
  readonly port: number
  readonly url: string
  readonly dataDir: string
  #child: ChildProcess
  #isWrapped: boolean
  #output = ''

  private constructor(child: ChildProcess, port: number, options: ServiceOptions) {
    this.#child = child
    this.#isWrapped = options.wrapper !== undefined
    this.port = port
    this.url = `http://127.0.0.1:${port}`
    this.dataDir = options.dataDir
    const keep = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-OUTPUT_KEPT)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
  }

  /** Starts the process without waiting for anything. */
  static async spawn(options: ServiceOptions): Promise<ServiceProcess> {
    const port = options.port ?? (await freePort())
    const node = [process.execPath, ...START_FLAGS, ...(options.nodeArgs ?? []), options.entry ?? MAIN]
    const [command, ...rest] = [...(options.wrapper ?? []), ...node]
    const alone = ['--otlp-http-port', '0', '--otlp-grpc-port', '0']
    const args = [...rest, '--data-dir', options.dataDir, '--port', String(port), ...alone, ...(options.args ?? [])]
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.env } })
    return new ServiceProcess(child, port, options)
  }

  /** Starts the process and waits until it reports that it is ready. */
  static async start(options: ServiceOptions): Promise<ServiceProcess> {
    const service = await ServiceProcess.spawn(options)
    try {
      await service.ready(options.readyTimeoutMs)
    } catch (error) {
      await service.stop('SIGKILL')
      throw error
    }
    return service
  }

  /** Resolves once `/health/ready` returns 200; rejects with the output when the process ends or time is up. */
  async ready(timeoutMs = READY_TIMEOUT_MS): Promise<void> {
    const ends = performance.now() + timeoutMs
    while (performance.now() < ends) {
      if (this.hasExited) throw new Error(`the service ended with ${this.exitCode}:\n${this.#output}`)
      const status = await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(2000) }).then(
        async reply => (await reply.arrayBuffer(), reply.status),
        () => 0
      )
      if (status === 200) return
      await sleep(READY_POLL_MS)
    }
    throw new Error(`the service was not ready after ${timeoutMs} ms:\n${this.#output}`)
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  get exitCode(): number | string | null {
    return this.#child.exitCode ?? this.#child.signalCode
  }

  /** The last of what the process wrote to its two output streams. */
  get output(): string {
    return this.#output
  }

  /** The HTTP process. */
  get pid(): number {
    const pid = this.#child.pid!
    return this.#isWrapped ? (childrenOf(pid)[0] ?? pid) : pid
  }

  /** The store process; null without one. */
  get storePid(): number | null {
    return childrenOf(this.pid)[0] ?? null
  }

  /** CPU seconds of the HTTP process and the store process so far. */
  cpu(): { http: number; store: number } {
    const store = this.storePid
    return { http: cpuSeconds(this.pid), store: store === null ? 0 : cpuSeconds(store) }
  }

  /** Their sum. */
  cpuSeconds(): number {
    const { http, store } = this.cpu()
    return http + store
  }

  /** Proportional set size of all processes of the service, MB. */
  memoryMb(): number {
    const store = this.storePid
    return pssMb(this.pid) + (store === null ? 0 : pssMb(store))
  }

  /** Resolves when the process writes such a line to its standard output from now on; rejects when it ends or `signal` is aborted. */
  async wrote(pattern: RegExp, signal?: AbortSignal): Promise<void> {
    const stop = new AbortController()
    const cancel = (): void => stop.abort()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      await Promise.race([this.#line(pattern, stop.signal), this.#ended(stop.signal)])
    } finally {
      signal?.removeEventListener('abort', cancel)
      stop.abort()
    }
  }

  /** Resolves when the process has ended. */
  async exited(): Promise<void> {
    if (!this.hasExited) await once(this.#child, 'exit')
  }

  firstRun(): FirstRun {
    return readFirstRun(this.dataDir)
  }

  /** Sends a signal to the HTTP process and waits until it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.hasExited) return
    const exited = this.exited()
    process.kill(this.pid, signal)
    await exited
  }

  #line(pattern: RegExp, signal: AbortSignal): Promise<void> {
    const { stdout } = this.#child
    return new Promise(resolve => {
      let rest = ''
      const read = (chunk: Buffer): void => {
        const lines = (rest + chunk.toString()).split('\n')
        rest = lines.pop()!
        if (lines.some(line => pattern.test(line))) resolve()
      }
      stdout?.on('data', read)
      signal.addEventListener('abort', () => stdout?.off('data', read))
    })
  }

  async #ended(signal: AbortSignal): Promise<never> {
    if (!this.hasExited) await once(this.#child, 'exit', { signal })
    throw new Error(`the service ended with ${this.exitCode}:\n${this.#output}`)
  }
}

function startFlags({ scripts }: { readonly scripts: { readonly start: string } }): readonly string[] {
  return scripts.start.split(' ').filter(word => word.startsWith('--'))
}
