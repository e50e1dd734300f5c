import type { NamespaceId } from '../domain/ids.js'
import { isEmpty, type LogRules, NO_LOG_RULES } from '../domain/log-rules.js'
import type { ControlStore } from '../ports/control-store.js'
import type { Purge } from './purge.js'
import type { SecretBox } from './secret-box.js'

function contextOf(ns: NamespaceId): string {
  return `namespaces.log_rules ${ns}`
}

/** Log rules as the control store has them: their literals may be secrets, so the whole is sealed. */
export class SealedLogRules {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  /** What is stored; null for rules that change nothing. */
  seal(ns: NamespaceId, rules: LogRules): string | null {
    return isEmpty(rules) ? null : this.#box.seal(contextOf(ns), JSON.stringify(rules))
  }

  /** `conflict` when the rules were sealed by a key that is not configured. */
  open(ns: NamespaceId, stored: string | undefined): LogRules {
    if (stored === undefined) return NO_LOG_RULES
    return JSON.parse(this.#box.open(contextOf(ns), stored)) as LogRules
  }

  /** Seals the rules of all namespaces by the configured key, and marks what they were before to be purged. */
  async reseal(store: ControlStore, purge: Pick<Purge, 'mark'>): Promise<void> {
    await store.transaction(async ports => {
      let isChanged = false
      for (const { id, logRules } of await ports.namespaces.all()) {
        if (logRules === undefined || !this.#box.isStale(logRules)) continue
        await ports.namespaces.setLogRules(id, this.seal(id, this.open(id, logRules)))
        isChanged = true
      }
      if (isChanged) await purge.mark(ports)
    })
  }
}
