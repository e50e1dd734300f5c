import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { AttackOrder } from './attacker.js'

/** It takes what the others leave of the cores, as if it were on another machine: what it does with its answers costs the service nothing. */
const NICENESS = 19

/**
 * Hostile queries out of a process of its own: whoever reads answers of many megabytes must not hold up the clock of those
 * that are measured.
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
      throw new Error('the attacking process ended before it told how')
    })
    const [notes] = (await Promise.race([once(this.#child, 'message'), exited])) as [readonly string[]]
    return notes
  }
}
