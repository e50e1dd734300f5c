import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'

/** Shown once, never again. */
export interface FirstCredentials {
  readonly email: string
  /** Null when the installation gave the password (then it is not ours to show). */
  readonly password: string | null
  readonly namespace: string
  readonly namespaceId: string
  readonly ingestKey: string
}

export interface FirstStartDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly randomBytes: (n: number) => Uint8Array
  /** From `ALIDADE_ADMIN_PASSWORD_FILE`; absent: one is made up. */
  readonly password?: string
}

/** Makes operator, namespace `default` and ingest key in one transaction; null when there is a user already. */
export function firstStart(_deps: FirstStartDeps): Promise<FirstCredentials | null> {
  throw new Error('unbuilt')
}
