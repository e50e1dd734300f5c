import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { SecretSource } from './secrets.js'

const PURGE_DUE = 'purge_due'
const NOT_DUE = ''

/** Takes bytes that must not stay out of the control database's files; what is due outlives a crash. */
export class Purge {
  readonly #store: ControlStore
  readonly #secrets: SecretSource

  constructor(store: ControlStore, secrets: SecretSource) {
    this.#store = store
    this.#secrets = secrets
  }

  /** To be called in the transaction that deletes or overwrites. */
  async mark(ports: ControlPorts): Promise<void> {
    await ports.settings.set(PURGE_DUE, this.#secrets.id())
  }

  /** Does what is due, if anything. */
  async run(): Promise<void> {
    const due = await this.#store.settings.get(PURGE_DUE)
    if (due === null || due === NOT_DUE) return
    await this.#store.purge()
    await this.#store.transaction(async ports => {
      // Marked again meanwhile: the next run sees to it.
      if ((await ports.settings.get(PURGE_DUE)) === due) await ports.settings.set(PURGE_DUE, NOT_DUE)
    })
  }
}
