import { seededRandom } from './random.js'
import type { Random } from './random.js'
import { pickTemplate } from './templates.js'
import { rfc3339Writer } from './time.js'
import { HOSTS, REGIONS, SERVICES, VERSIONS } from './vocabulary.js'

/** Share of lines with random trace and span ids. */
const TRACED_SHARE = 0.6
/** A text that only every `NEEDLE_EVERY`-th line carries, for the search of a rare substring. */
export const NEEDLE = 'page-fault-0xdeadc0de'
export const NEEDLE_EVERY = 99_991
/** Every `KNOWN_TRACE_EVERY`-th line belongs to one of the traces that `knownTrace` names. */
export const KNOWN_TRACE_EVERY = 20_011
export const LINES_PER_KNOWN_TRACE = 5
/** The status that a tenth of the lines have, and a duration that a tenth reach or exceed, as free fields. */
export const FAILED_STATUS = 500
export const SLOW_MS = 450
/** A user whose lines are counted: one of 50,000. */
export const KNOWN_USER = 'u31337'
/** A trace id that no line has. */
export const UNKNOWN_TRACE = 'f'.repeat(32)
const STATUS = [200, 200, 200, 200, 201, 204, 302, 404, 429, FAILED_STATUS]

/** The trace id that the n-th group of five marked lines carries. */
export function knownTrace(n: number): string {
  return seededRandom(7_000_000 + n).hex(32)
}

/** Lines that conditions find. */
export interface LogTally {
  /** Those with `FAILED_STATUS`. */
  readonly failed: number
  /** Those that took at least `SLOW_MS`. */
  readonly slow: number
  /** Those of `KNOWN_USER`. */
  readonly ofUser: number
  /** The span id of the first line of a known trace, which no other line has; null before there was one. */
  readonly spanId: string | null
}

/** A deterministic stream of log records as JSON text of about 300 bytes, without line ends. */
export class LogSource {
  #random: Random
  #time = rfc3339Writer()
  #count = 0
  #failed = 0
  #slow = 0
  #ofUser = 0
  #spanId: string | null = null

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  get tally(): LogTally {
    return { failed: this.#failed, slow: this.#slow, ofUser: this.#ofUser, spanId: this.#spanId }
  }

  /** The next line, with this event time. */
  next(seconds: number, nanoseconds: number): string {
    const random = this.#random
    const index = this.#count++
    const template = pickTemplate(random)
    const message = index % NEEDLE_EVERY === NEEDLE_EVERY - 1 ? `${template.render(random)} ${NEEDLE}` : template.render(random)
    return (
      `{"timestamp":"${this.#time(seconds, nanoseconds)}","level":"${template.level}","service":"${SERVICES[template.service]!}",` +
      `"host":"${random.pick(HOSTS)}","message":"${message.replaceAll('"', "'")}"${this.#trace(index)},` +
      `"log_fields":{"region":"${random.pick(REGIONS)}","status":${this.#status()},"duration_ms":${this.#durationMs()},` +
      `"user_id":"${this.#userId()}","version":"${random.pick(VERSIONS)}"}}`
    )
  }

  #status(): number {
    const status = this.#random.pick(STATUS)
    if (status === FAILED_STATUS) this.#failed++
    return status
  }

  #durationMs(): number {
    const durationMs = this.#random.below(5000) / 10
    if (durationMs >= SLOW_MS) this.#slow++
    return durationMs
  }

  #userId(): string {
    const userId = `u${10000 + this.#random.below(50000)}`
    if (userId === KNOWN_USER) this.#ofUser++
    return userId
  }

  #trace(index: number): string {
    const random = this.#random
    const isKnown = index % KNOWN_TRACE_EVERY === KNOWN_TRACE_EVERY - 1
    if (!isKnown && random.next() >= TRACED_SHARE) return ''
    const trace = isKnown ? knownTrace(Math.floor(index / KNOWN_TRACE_EVERY / LINES_PER_KNOWN_TRACE)) : random.hex(32)
    const span = random.hex(16)
    if (isKnown) this.#spanId ??= span
    return `,"trace_id":"${trace}","span_id":"${span}"`
  }
}
