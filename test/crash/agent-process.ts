import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url))
const LOOK_MS = 20

/** A stream as the journal of the agent has it. */
export interface NotedStream {
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
  readonly #stateDir: string
  #child: ChildProcess | null = null
  /** What it wrote to its log. */
  log = ''

  constructor(config: string, stateDir: string) {
    this.#config = config
    this.#stateDir = stateDir
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

  /** Streams of the journal, the newest entry of each. */
  async streams(): Promise<readonly NotedStream[]> {
    const streams = new Map<string, NotedStream>()
    for (const { stream } of await this.#entries()) if (stream) streams.set(stream.id, stream)
    return [...streams.values()]
  }

  /** Resolves when the agent has looked for so many patterns: what is rotated before is none of its concern. */
  async looked(patterns: number): Promise<void> {
    for (;;) {
      const found = new Set((await this.#entries()).flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern])))
      if (found.size >= patterns) return
      await sleep(LOOK_MS)
    }
  }

  /** Whole entries of the journal. */
  async #entries(): Promise<readonly NotedEntry[]> {
    const text = await readFile(join(this.#stateDir, 'journal'), 'utf8').catch(() => '')
    const lines = text.split('\n').slice(0, -1)
    return lines.map(line => JSON.parse(line.slice(17)) as NotedEntry)
  }

  /** Resolves when a stream of the path has been delivered up to this byte. */
  async delivered(path: string, bytes: number): Promise<void> {
    for (;;) {
      const streams = await this.streams()
      if (streams.some(one => one.path === path && one.offset === bytes && one.pin === null && one.endedAtMs === null)) return
      await sleep(LOOK_MS)
    }
  }
}
