import { END_MS } from '../oracle/world.js'

// Random PromQL over the series of test/oracle, mostly of what is newest: extended ranges, filling, computed durations.

/** A query to Prometheus's API; times are in seconds. */
export type PromqlRequest = { readonly query: string } & (
  | { readonly time: number }
  | { readonly start: number; readonly end: number; readonly step: number }
)

/** Numbers in [0, 1) that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const END_S = END_MS / 1_000
const SELECTORS = [
  ...['requests_total', 'requests_total{code="500"}', 'requests_total{host="h1"}', 'heat', 'heat{side=""}', 'heat{side!=""}'],
  ...['odd', 'odd{host="h2"}', 'flicker', 'gap', 'gap{host="h0"}', 'build', 'latency_bucket{le="1"}', 'nothing']
]
const ANCHORED = ['rate', 'increase', 'delta', 'changes', 'resets']
const OVER_TIME = ['avg_over_time', 'max_over_time', 'sum_over_time', 'count_over_time', 'last_over_time', 'irate', 'deriv']
const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '>', '<', '>= bool', '== bool']
const KEYS = ['', ' on (host)', ' on (host, side)', ' on (zone)', ' ignoring (side)', ' ignoring (code)', ' on ()']
const NUMBERS = ['0', '1', '-2', '0.5', '1e3', 'NaN', 'Inf', '-Inf', '30', '+7', '1m', '-5s']
const LENGTHS = ['15s', '1m', '90s', '2m', '5m', '7', '300', '13m', '1m30s', '0.5', '1h']

/** Makes queries out of random numbers. */
class Writer {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  chance(share: number): boolean {
    return this.#random() < share
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)]!
  }

  whole(below: number): number {
    return Math.floor(this.#random() * below)
  }

  duration(depth: number): string {
    if (depth <= 0 || this.chance(0.25)) return this.pick(LENGTHS)
    const two = (): readonly [string, string] => [this.duration(depth - 1), this.duration(depth - 1)]
    switch (this.whole(9)) {
      case 0:
        return this.chance(0.9) ? 'step()' : 'STEP()'
      case 1:
        return 'range()'
      case 2:
        return `${this.pick(['max_of', 'min_of'])}(${two().join(', ')})`
      case 3:
      case 4:
        return `(${this.duration(depth - 1)})`
      case 5:
        return `${this.pick(['-', '+', '- '])}${this.duration(depth - 1)}`
      case 6:
        return two().join(this.pick([' + ', ' - ', '+']))
      case 7:
        return `${this.duration(depth - 1)}${this.pick([' * ', ' / ', '%', ' ^ '])}${this.pick(['2', '3', '0', '0.5', '1m', '(2 - 1)', 'step()'])}`
      default:
        return two().join(this.pick([' + ', ' - ', ' * ', ' / ', ' % ']))
    }
  }

  #shift(): string {
    const at = this.chance(0.1) ? ` @ ${this.pick(['start()', 'end()', String(END_S - 600), String(END_S - 777.5)])}` : ''
    const offset = this.chance(0.2)
      ? ` offset ${this.chance(0.5) ? this.pick(['1m', '-1m', '90s', '-2']) : this.duration(2)}`
      : ''
    return this.chance(0.5) ? at + offset : offset + at
  }

  #extension(): string {
    return this.chance(0.6) ? this.pick([' anchored', ' smoothed', ' anchored', ' smoothed', ' SMOOTHED']) : ''
  }

  #brackets(): string {
    return this.chance(0.5) ? this.pick(LENGTHS) : this.duration(3)
  }

  #range(depth: number): string {
    if (depth > 0 && this.chance(0.2)) {
      const step = this.chance(0.3) ? '' : this.chance(0.5) ? this.pick(['15s', '37s', '1m']) : this.duration(2)
      return `${this.vector(depth - 1)}[${this.chance(0.5) ? this.pick(['2m', '5m']) : this.duration(2)}:${step}]${this.#shift()}`
    }
    const selector = this.pick(SELECTORS)
    if (this.chance(0.1)) return `${selector}${this.#extension()}[${this.#brackets()}]${this.#shift()}`
    return this.chance(0.8)
      ? `${selector}[${this.#brackets()}]${this.#extension()}${this.#shift()}`
      : `${selector}[${this.#brackets()}]${this.#shift()}${this.#extension()}`
  }

  #fill(): string {
    const value = (): string => `${this.pick([' (', '('])}${this.pick(NUMBERS)})`
    switch (this.whole(6)) {
      case 0:
        return ''
      case 1:
        return ` fill_left${value()}`
      case 2:
        return ` fill_right${value()}`
      case 3:
        return ` fill_left${value()} fill_right${value()}`
      case 4:
        return ` fill_right${value()} fill_left${value()}`
      default:
        return ` fill${value()}`
    }
  }

  #binary(depth: number): string {
    const keys = this.pick(KEYS)
    const group =
      keys !== '' && this.chance(0.4)
        ? this.pick([' group_left', ' group_right', ' group_left (zone)', ' group_right (side)'])
        : ''
    if (this.chance(0.1)) {
      return `${this.vector(depth - 1)} ${this.pick(['and', 'or', 'unless'])}${keys}${this.chance(0.2) ? this.#fill() : ''} ${this.vector(depth - 1)}`
    }
    return `${this.vector(depth - 1)} ${this.pick(OPERATORS)}${keys}${group}${this.#fill()} ${this.vector(depth - 1)}`
  }

  scalar(depth: number): string {
    if (depth <= 0) return this.pick([...NUMBERS, 'step()', 'range()', 'start()', 'end()', 'time()'])
    switch (this.whole(4)) {
      case 0:
        return `${this.pick(['max_of', 'min_of'])}(${this.scalar(depth - 1)}, ${this.scalar(depth - 1)})`
      case 1:
        return `(${this.scalar(depth - 1)} ${this.pick(['+', '-', '*', '/', '%', '> bool'])} ${this.scalar(depth - 1)})`
      case 2:
        return `scalar(${this.vector(depth - 1)})`
      default:
        return this.scalar(0)
    }
  }

  vector(depth: number): string {
    if (depth <= 0) return `${this.pick(SELECTORS)}${this.chance(0.4) ? this.#extension() : ''}${this.#shift()}`
    switch (this.whole(8)) {
      case 0:
      case 1:
      case 2:
        return `${this.pick(this.chance(0.8) ? ANCHORED : OVER_TIME)}(${this.#range(depth)})`
      case 3:
      case 4:
        return this.#binary(depth)
      case 5:
        return `${this.pick(['sum', 'max', 'count', 'avg'])} ${this.pick(['', 'by (host) ', 'without (side, code) '])}(${this.vector(depth - 1)})`
      case 6:
        return this.pick([
          () => `vector(${this.scalar(depth - 1)})`,
          () => `clamp_min(${this.vector(depth - 1)}, ${this.scalar(depth - 1)})`,
          () => `(${this.vector(depth - 1)} ${this.pick(['+', '>', '*'])} ${this.scalar(depth - 1)})`,
          () => `${this.pick(['abs', 'timestamp', 'absent', 'start_timestamp', 'sort'])}(${this.vector(depth - 1)})`,
          () => `-${this.vector(depth - 1)}`
        ])()
      default:
        return `(${this.vector(depth - 1)})`
    }
  }

  /** A query that lost, doubled or exchanged some of its parts. */
  broken(query: string): string {
    const parts = query.match(/[a-z_0-9.]+|\s+|[^\sa-z_0-9.]/gi) ?? []
    for (let changes = 1 + this.whole(2); changes > 0; changes--) {
      const at = this.whole(parts.length)
      const other = this.pick([
        'step()',
        ')',
        '(',
        '[',
        ']',
        ':',
        '5m',
        'foo',
        'smoothed',
        'offset',
        '+',
        ',',
        'fill',
        parts[this.whole(parts.length)]!
      ])
      if (this.chance(0.4)) parts.splice(at, 1)
      else if (this.chance(0.5)) parts.splice(at, 0, other)
      else parts[at] = other
    }
    return parts.join('')
  }
}

/** A random query; broken ones are refused, by and large, for what they lack. */
export function promqlQuery(random: () => number): PromqlRequest {
  const writer = new Writer(random)
  const ofRange = (): string => `requests_total[${writer.duration(2)}] ${writer.pick(['smoothed', 'anchored'])}`
  const whole = writer.chance(0.1) ? writer.scalar(2) : writer.chance(0.05) ? ofRange() : writer.vector(1 + writer.whole(3))
  const query = writer.chance(0.15) ? writer.broken(whole) : whole
  if (writer.chance(0.35)) {
    return { query, time: END_S - writer.whole(3_600) + writer.pick([0, 0.137, 0.5]) }
  }
  const start = END_S - writer.pick([600, 1_500, 3_000])
  const end = writer.chance(0.1) ? start : start + writer.pick([300, 301, 500, 900])
  return { query, start, end, step: writer.pick([15, 20, 37, 60, 160]) }
}
