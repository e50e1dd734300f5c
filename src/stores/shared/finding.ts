/** What an examination of a store found in one respect. */
export interface Finding {
  /** `elasticsearch`, `influxdb`, `postgresql`, ... */
  readonly store: string
  /** `version`, `rights`, `clock`, ... */
  readonly subject: string
  /** `bad` keeps the service from working; `notice` should be looked at. */
  readonly state: 'good' | 'notice' | 'bad'
  /** What was found, in plain words. */
  readonly text: string
  /** How to mend it; null when nothing is to be done. */
  readonly remedy: string | null
}

/** Writes down findings on one store. */
export class Findings {
  readonly list: Finding[] = []
  readonly #store: string

  constructor(store: string) {
    this.#store = store
  }

  good(subject: string, text: string): void {
    this.list.push({ store: this.#store, subject, state: 'good', text, remedy: null })
  }

  notice(subject: string, text: string, remedy: string | null = null): void {
    this.list.push({ store: this.#store, subject, state: 'notice', text, remedy })
  }

  bad(subject: string, text: string, remedy: string): void {
    this.list.push({ store: this.#store, subject, state: 'bad', text, remedy })
  }
}

const SKEW_NOTICE_MS = 2_000
const SKEW_BAD_MS = 60_000

/** Judges how far a store's clock is from the gateway's; `resolutionMs` is the resolution of the store's clock. */
export function judgeClock(findings: Findings, storeMs: number, gatewayMs: number, resolutionMs = 1): void {
  const skewMs = Math.max(0, Math.abs(storeMs - gatewayMs) - resolutionMs)
  const text = `the clocks of store and gateway differ by ${Math.round(skewMs)} ms`
  const remedy = 'synchronize both clocks by NTP: retention and index selection depend on them'
  if (skewMs > SKEW_BAD_MS) findings.bad('clock', text, remedy)
  else if (skewMs > SKEW_NOTICE_MS) findings.notice('clock', text, remedy)
  else findings.good('clock', text)
}

/** The message of an error and those of its causes. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const words = error.message === '' && error instanceof AggregateError ? error.errors.map(wordsOf).join('; ') : error.message
  return error.cause === undefined ? words : `${words}: ${wordsOf(error.cause)}`
}
