/** A way to attack that the measurement knows. */
export type AttackKind = 'arrays' | 'bombs' | 'readers' | 'rum' | 'slow'

/** Floods of sign-ins: from one address, or from one address for each connection. */
export type FloodKind = 'one-address' | 'many-addresses'

/** Starts a flood of wrong passwords on 100 connections. */
export interface FloodOrder {
  readonly kind: 'flood'
  readonly from: FloodKind
  readonly url: string
  /** The account that every second attempt is for; the others invent theirs. */
  readonly email: string
}

/** Whom to attack and with what. */
export interface AttackOrder {
  readonly kind: 'start'
  readonly attack: AttackKind
  readonly url: string
  readonly ingestKey: string
  readonly queryKey: string
  readonly rumKey: string
  readonly traceId: string
}

/** An attack that goes on until it is stopped. */
export interface Attack {
  /** Resolves to how the requests ended, as a sentence. */
  stop(): Promise<string>
}

/** How requests ended, counted. */
export class Outcomes {
  readonly #counts = new Map<string, number>()

  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
  }

  get sentence(): string {
    const parts = [...this.#counts].map(([outcome, count]) => `${outcome}: ${count}`)
    return parts.length === 0 ? 'nothing ended' : parts.join(', ')
  }
}
