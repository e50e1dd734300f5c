import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url))
const LOOK_MS = 20
const GIVE_UP_MS = 90_000

/** A stream as the journal of the agent has it. */
interface NotedStream {
  readonly path: string
  readonly offset: number
  readonly endedAtMs: number | null
  readonly pin: object | null
}

interface NotedEntry {
  readonly stream?: NotedStream & { readonly id: string }
  readonly pattern?: string
}

/** The compiled agent as a process of its own. */
export class AgentProcess {
  readonly #config: string
  readonly stateDir: string
  #child: ChildProcess | null = null
  /** What it wrote to its log. */
  log = ''

  constructor(config: string, stateDir: string) {
    this.#config = config
    this.stateDir = stateDir
  }

  start(): void {
    const child = spawn(process.execPath, [MAIN, '--config', this.#config], { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', (chunk: Buffer) => {
      this.log += chunk.toString()
    })
    this.#child = child
  }

  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  /** Resolves when the agent has looked for so many patterns: a rotation before that does not concern it. */
  async looked(patterns: number): Promise<void> {
    await this.#until(`a look at ${patterns} patterns`, entries => {
      const found = new Set(entries.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern])))
      return found.size >= patterns
    })
  }

  /** Whole entries of the journal. */
  async #entries(): Promise<readonly NotedEntry[]> {
    const text = await readFile(join(this.stateDir, 'journal'), 'utf8').catch(() => '')
    const lines = text.split('\n').slice(0, -1)
    return lines.map(line => JSON.parse(line.slice(17)) as NotedEntry)
  }

  /** Resolves when a stream of the path has been delivered up to this byte. */
  async delivered(path: string, bytes: number): Promise<void> {
    await this.#until(`${bytes} bytes of ${path}`, entries => {
      const streams = new Map(entries.flatMap(({ stream }) => (stream === undefined ? [] : [[stream.id, stream]])))
      const isDelivered = (one: NotedStream): boolean =>
        one.path === path && one.offset === bytes && one.pin === null && one.endedAtMs === null
      return [...streams.values()].some(isDelivered)
    })
  }

  async #until(what: string, isDone: (entries: readonly NotedEntry[]) => boolean): Promise<void> {
    const startedAt = performance.now()
    while (!isDone(await this.#entries())) {
      if (performance.now() - startedAt > GIVE_UP_MS)
        throw new Error(`the journal does not have ${what}: ${this.log.slice(-2_000)}`)
      await sleep(LOOK_MS)
    }
  }
}
