import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { AttackOrder } from './attacker.js'

/** Runs at the lowest priority, as if on another machine: processing the responses costs the service nothing. */
const NICENESS = 19

/**
 * Hostile queries from a separate process: reading responses of many megabytes must not delay the clock of the measured ones.
 */
export class AttackProcess {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** As many queries at once as there are keys. */
  static start(url: string, keys: readonly string[]): AttackProcess {
    const child = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)))
    setPriority(child.pid!, NICENESS)
    child.send({ kind: 'start', url, keys } satisfies AttackOrder)
    return new AttackProcess(child)
  }

  /** Resolves when the last ones have ended, with how each did, as sentences. */
  async stop(): Promise<readonly string[]> {
    this.#child.send({ kind: 'stop' } satisfies AttackOrder)
    const exited = once(this.#child, 'exit').then(() => {
      throw new Error('the attacking process ended before it reported how')
    })
    const [notes] = (await Promise.race([once(this.#child, 'message'), exited])) as [readonly string[]]
    return notes
  }
}
