import {
  type CounterResetHint,
  CUSTOM_SCHEMA,
  type HistogramBuckets,
  type NativeHistogram,
  NO_BOUNDS
} from '../../src/domain/native-histogram/native-histogram.js'
import { toBuckets } from './to-buckets.js'
import { HistogramSum } from '../../src/query/promql/histograms/histogram-sum.js'

// Prometheus's notation of test scripts (promqltest): `load`, `clear` and `eval`, line by line.

/** A sample of a script; null: none. */
export type ScriptValue = number | 'stale' | NativeHistogram | null

/** A series of a script: values from time 0 on, one a step. */
export interface ScriptSeries {
  readonly labels: Readonly<Record<string, string>>
  readonly values: readonly ScriptValue[]
  /** Whether histograms state what to expect of their hints. */
  readonly hasHints: boolean
}

/** What an evaluation is expected to report besides its values. */
export interface Expectation {
  readonly type: string
  readonly text: string
}

export interface ScriptLoad {
  readonly k: 'load'
  readonly stepMs: number
  readonly series: readonly ScriptSeries[]
  /** Whether it has what is not read here: start times, and classic histograms to be turned into native ones. */
  readonly isPartial: boolean
}

export interface ScriptEvaluation {
  readonly k: 'eval'
  readonly line: number
  readonly expr: string
  readonly modifier: string | undefined
  readonly range: { readonly startMs: number; readonly endMs: number; readonly stepMs: number } | null
  readonly atMs: number
  readonly expect: readonly Expectation[]
  readonly string?: string
  readonly scalar?: number
  /** Times of the samples of a range that an instant query gives. */
  readonly samples?: { readonly startMs: number; readonly stepMs: number }
  readonly series: readonly ScriptSeries[]
}

export type ScriptCommand = ScriptLoad | ScriptEvaluation | { readonly k: 'clear' }

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5, y: 31536e6 }
const HINTS: readonly CounterResetHint[] = ['unknown', 'reset', 'not_reset', 'gauge']

/** `1h30m`, or seconds as a plain number. */
function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|[smhdwy])/g)]
  if (parts.length === 0) return Number(text) * 1000
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit!]!, 0)
}

function numberOf(text: string): number {
  const lower = text.toLowerCase().replaceAll('_', '')
  if (/^\+?inf$/.test(lower)) return Infinity
  if (lower === '-inf') return -Infinity
  if (lower === 'nan') return Number.NaN
  const sign = lower.startsWith('-') ? -1 : 1
  const value = lower.includes('0x') ? sign * Number(lower.replace(/^[+-]/, '')) : Number(lower)
  if (Number.isNaN(value)) throw new Error(`no number: ${text}`)
  return value
}

function bucketsFrom(offset: number, counts: readonly number[]): HistogramBuckets {
  return toBuckets(counts.map((count, i) => [offset + i, count] as const))
}

/** `schema:1 sum:15 count:10 buckets:[3 2 5]`, without its braces. */
function parseHistogram(text: string): NativeHistogram {
  const fields = new Map([...text.matchAll(/(\w+):(\[[^\]]*\]|\S+)/g)].map(([, name, value]) => [name!, value!] as const))
  const number = (name: string): number => numberOf(fields.get(name) ?? '0')
  const list = (name: string): readonly number[] =>
    (fields.get(name) ?? '')
      .replace(/[[\]]/g, '')
      .split(/\s+/)
      .filter(item => item !== '')
      .map(numberOf)
  const hint = fields.get('counter_reset_hint') as CounterResetHint | undefined
  const schema = number('schema')
  return {
    schema,
    count: number('count'),
    sum: number('sum'),
    zeroThreshold: number('z_bucket_w'),
    zeroCount: number('z_bucket'),
    positive: bucketsFrom(number('offset'), list('buckets')),
    negative: bucketsFrom(number('n_offset'), list('n_buckets')),
    bounds: schema === CUSTOM_SCHEMA ? Float64Array.from(list('custom_values')) : NO_BOUNDS,
    hint: hint !== undefined && HINTS.includes(hint) ? hint : 'unknown'
  }
}

const HISTOGRAM = /^\{\{(.*?)\}\}(?:([+-])\{\{(.*?)\}\})?(?:x(\d+))?/
const REPEATED = /^(_|stale)(?:x(\d+))?$/
const STEPPED = /^([-+]?(?:[\d._]+(?:e[-+]?\d+)?|inf|nan))([-+](?:[\d._]+(?:e[-+]?\d+)?|inf|nan))?x(\d+)$/i

/** Values of a line behind its labels. */
function parseValues(text: string): readonly ScriptValue[] {
  const values: ScriptValue[] = []
  for (let rest = text.trim(); rest !== ''; rest = rest.trimStart()) {
    const histogram = HISTOGRAM.exec(rest)
    const token = histogram?.[0] ?? /^\S+/.exec(rest)![0]
    rest = rest.slice(token.length)
    values.push(...(histogram === null ? plainValues(token) : histogramValues(histogram)))
  }
  return values
}

function histogramValues([, first = '', sign, step, times]: RegExpExecArray): readonly NativeHistogram[] {
  const values = [parseHistogram(first)]
  for (let i = 0; i < Number(times ?? 0); i++) {
    const sum = new HistogramSum(values.at(-1)!)
    if (step !== undefined) sum.add(parseHistogram(step), sign === '-' ? -1 : 1)
    values.push(sum.value)
  }
  return values
}

function plainValues(token: string): readonly ScriptValue[] {
  const repeated = REPEATED.exec(token)
  if (repeated !== null) {
    const [, kind, times] = repeated
    // `_x5` is five gaps, `stalex5` six marks.
    const count = times === undefined ? 1 : Number(times) + (kind === '_' ? 0 : 1)
    return Array.from({ length: count }, () => (kind === '_' ? null : 'stale'))
  }
  const stepped = STEPPED.exec(token)
  if (stepped === null) return [numberOf(token)]
  const [start, step] = [numberOf(stepped[1]!), stepped[2] === undefined ? 0 : numberOf(stepped[2])]
  const values = [start]
  for (let i = 0; i < Number(stepped[3]); i++) values.push(values.at(-1)! + step)
  return values
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** The text of a quoted string. */
function unquote(text: string): string {
  if (text.startsWith('`')) return text.slice(1, -1)
  return text
    .slice(1, -1)
    .replaceAll(/\\u([0-9a-fA-F]{4})|\\(.)/g, (_, hex: string | undefined, char: string) =>
      hex === undefined ? (ESCAPES[char] ?? char) : String.fromCodePoint(Number.parseInt(hex, 16))
    )
}

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`[^`]*`'
const PAIR = new RegExp(`\\s*(${QUOTED}|[a-zA-Z_][a-zA-Z0-9_]*)\\s*(?:=\\s*(${QUOTED}))?\\s*,?`, 'y')

/** `metric{a="b"} 1 2+3x2 _ stale`. */
function parseSeries(line: string): ScriptSeries {
  const labels: Record<string, string> = {}
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*(?=[{\s]|$)/.exec(line)?.[0] ?? ''
  if (name !== '') labels['__name__'] = name
  let at = name.length
  if (line[at] === '{' && line[at + 1] !== '{') {
    PAIR.lastIndex = at + 1
    for (let found = PAIR.exec(line); found !== null; found = PAIR.exec(line)) {
      at = PAIR.lastIndex
      const key = /^["'`]/.test(found[1]!) ? unquote(found[1]!) : found[1]!
      if (found[2] === undefined) labels['__name__'] = key
      else if (unquote(found[2]) !== '') labels[key] = unquote(found[2])
      PAIR.lastIndex = at
    }
    at = line.indexOf('}', Math.max(at, name.length)) + 1
  }
  return { labels, values: parseValues(line.slice(at)), hasHints: line.includes('counter_reset_hint:') }
}

/** One script, from its first line on. */
class ScriptReader {
  readonly #lines: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#lines = text.split('\n').map(line => (line.trim().startsWith('#') ? '' : line.trim()))
  }

  *commands(): Generator<ScriptCommand> {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!
      if (line === 'clear') yield { k: 'clear' }
      else if (line.startsWith('load')) yield this.#load(line)
      else if (line.startsWith('eval')) yield this.#evaluation(line)
      else if (line !== '') throw new Error(`line ${this.#at + 1}: ${line}`)
    }
  }

  #block(): readonly string[] {
    const block: string[] = []
    for (let line = this.#lines[this.#at + 1]; line; line = this.#lines[this.#at + 1]) {
      block.push(line)
      this.#at++
    }
    return block
  }

  #load(line: string): ScriptLoad {
    const [command, step = '0'] = line.split(/\s+/)
    const block = this.#block()
    const kept = block.filter(each => !/^\S+@st\s/.test(each))
    const isPartial = command !== 'load' || kept.length < block.length
    // Of duplicate series the later line counts.
    const series = new Map(kept.map(each => parseSeries(each)).map(one => [JSON.stringify(one.labels), one] as const))
    return { k: 'load', stepMs: durationMs(step), series: [...series.values()], isPartial }
  }

  #evaluation(line: string): ScriptEvaluation {
    const number = this.#at + 1
    const ranged = /^eval(?:_(\w+))? range from (\S+) to (\S+) step (\S+)\s+(.*)$/.exec(line)
    const instant = /^eval(?:_(\w+))? instant (?:at (\S+)\s+)?(.*)$/.exec(line)
    const [, modifier] = ranged ?? instant!
    const [, , from = '', to = '', step = ''] = ranged ?? []
    const head = {
      k: 'eval' as const,
      line: number,
      modifier,
      expr: ranged?.[5] ?? instant![3]!,
      range: ranged === null ? null : { startMs: durationMs(from), endMs: durationMs(to), stepMs: durationMs(step) },
      atMs: durationMs(instant?.[2] ?? '0')
    }
    return { ...head, ...this.#expected() }
  }

  #expected(): Pick<ScriptEvaluation, 'expect' | 'string' | 'scalar' | 'samples' | 'series'> {
    const expect: Expectation[] = []
    const series: ScriptSeries[] = []
    let more: Pick<ScriptEvaluation, 'string' | 'scalar' | 'samples'> = {}
    for (const line of this.#block()) {
      const [first = '', second = '', third = ''] = line.split(/\s+/)
      const samples = /^expect range vector from (\S+) to \S+ step (\S+)/.exec(line)
      if (first.startsWith('expected_fail')) expect.push({ type: 'fail', text: line.slice(first.length).trim() })
      else if (samples !== null)
        more = { ...more, samples: { startMs: durationMs(samples[1]!), stepMs: durationMs(samples[2]!) } }
      else if (first === 'expect' && second === 'string') more = { ...more, string: unquote(line.slice(line.indexOf(third))) }
      else if (first === 'expect')
        expect.push({ type: second, text: third === 'msg:' ? line.slice(line.indexOf('msg:') + 4).trim() : '' })
      else if (/^[-+]?(?:[\d.]|inf\b|nan\b)/i.test(line) && !line.includes('{')) more = { ...more, scalar: numberOf(first) }
      else series.push(parseSeries(line))
    }
    return { expect, series, ...more }
  }
}

/** Reads a script. */
export function parseScript(text: string): Iterable<ScriptCommand> {
  return new ScriptReader(text).commands()
}
