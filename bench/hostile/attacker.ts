import { Attack } from './attack.js'

// Entry of the process that attacks.

/** The order for the process: its target, and when to stop. */
export type AttackOrder =
  | { readonly kind: 'start'; readonly url: string; readonly keys: readonly string[] }
  | { readonly kind: 'stop' }

let attack: Attack | null = null

async function stop(running: Attack): Promise<void> {
  process.send!(await running.stop())
  process.disconnect()
}

process.on('message', (order: AttackOrder) => {
  if (order.kind === 'stop') return void stop(attack!)
  attack = new Attack(order.url, order.keys)
  return attack.start()
})
