import { Attack } from './attack.js'

// Entry of the process that attacks.

/** What the process is told: whom to attack, and when to stop. */
export type AttackOrder =
  | { readonly kind: 'start'; readonly url: string; readonly keys: readonly string[] }
  | { readonly kind: 'stop' }

let attack: Attack | null = null

process.on('message', (order: AttackOrder) => {
  if (order.kind === 'start') {
    attack = new Attack(order.url, order.keys)
    attack.start()
    return
  }
  void attack!.stop().then(notes => {
    process.send!(notes)
    process.disconnect()
  })
})
