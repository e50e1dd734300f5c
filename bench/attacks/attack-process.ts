import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { AttackOrder, FloodOrder } from './attack.js'

/** The process takes what the service leaves of the cores, as if it were on another machine. */
const NICENESS = 19

/**
 * Starts an attack in a process of its own, at the lowest priority by default. The function stops it and
 * resolves to how its requests ended.
 */
export function startAttack(order: AttackOrder | FloodOrder, niceness = NICENESS): () => Promise<string> {
  const child = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)))
  setPriority(child.pid!, niceness)
  child.send(order)
  return async () => {
    const exited = once(child, 'exit')
    const reported = once(child, 'message') as Promise<[string]>
    child.send({ kind: 'stop' })
    const early = exited.then((): never => {
      throw new Error('the attacking process ended early')
    })
    const [outcome] = await Promise.race([reported, early])
    // Its end is expected from here on.
    await early.catch(() => undefined)
    return outcome
  }
}
