import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FSWatcher, watch } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url))
const GIVE_UP_MS = 600_000
/** Looks at each pattern that the agent notes, one in five seconds, after which nothing more is found. */
const QUIET_LOOKS = 2

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
  readonly forget?: string
}

/** The newest state of each stream. */
function streamsOf(entries: readonly NotedEntry[]): readonly NotedStream[] {
  const streams = new Map<string, NotedStream>()
  for (const { stream, forget } of entries) {
    if (stream !== undefined) streams.set(stream.id, stream)
    if (forget !== undefined) streams.delete(forget)
  }
  return [...streams.values()]
}

/** Null for a folder that is being removed. */
async function watchFolder(path: string): Promise<FSWatcher | null> {
  try {
    // The agent makes it, too.
    await mkdir(path, { recursive: true, mode: 0o700 })
    return watch(path)
  } catch {
    return null
  }
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
      const isDelivered = (one: NotedStream): boolean =>
        one.path === path && one.offset === bytes && one.pin === null && one.endedAtMs === null
      return streamsOf(entries).some(isDelivered)
    })
  }

  /**
   * Resolves when all was delivered and nothing was found to read for a while. @param sizes of the files that are there
   * still, by path; all others have ended.
   */
  async settled(sizes: ReadonlyMap<string, number>): Promise<void> {
    let looksBefore: number | null = null
    await this.#until('nothing left to deliver', entries => {
      const streams = streamsOf(entries)
      const isDone = ({ path, offset, pin, endedAtMs }: NotedStream): boolean =>
        pin === null && (endedAtMs !== null || sizes.get(path) === offset)
      // A file that has no more than the beginning of all files can be that of an ended stream.
      const hasAll = [...sizes.values()].every(size => streams.some(({ offset }) => offset === size))
      const looks = entries.filter(({ pattern }) => pattern !== undefined).length
      looksBefore = hasAll && streams.every(isDone) ? (looksBefore ?? looks) : null
      return looksBefore !== null && looks >= looksBefore + QUIET_LOOKS * sizes.size
    })
  }

  /** Looks at the journal whenever it changes. */
  async #until(what: string, isDone: (entries: readonly NotedEntry[]) => boolean): Promise<void> {
    const timeout = AbortSignal.timeout(GIVE_UP_MS)
    while (!timeout.aborted) {
      const watcher = await watchFolder(this.stateDir)
      if (watcher === null) continue
      try {
        const changed = once(watcher, 'change', { signal: timeout })
        changed.catch(() => undefined)
        if (isDone(await this.#entries())) return
        await changed.catch(() => undefined)
      } finally {
        watcher.close()
      }
    }
    throw new Error(`the journal does not have ${what} after ${GIVE_UP_MS / 1_000} s: ${this.log.slice(-2_000)}`)
  }
}
