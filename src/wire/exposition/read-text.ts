import { BadSyntax, MalformedText, readLines } from '../text-lines/read-lines.js'
import { Families } from './families.js'
import { LineScanner } from './line-scanner.js'
import type { Exposition, TextExemplar, TextSample } from './samples.js'

const NS_PER_MS = 1_000_000n
const INT64_DIGITS = /^-?\d{1,18}$/
const SECONDS = /^(-?)(\d{1,10})(?:\.(\d*))?$/
const COMMENT = /^# ?(HELP|TYPE|UNIT)[ \t]/
const FAMILY_COMMENT = /^#[ \t]+(HELP|TYPE)[ \t]/

/** Which of the two formats: Prometheus's text format 0.0.4, or OpenMetrics 1.0. */
export type TextFormat = 'prometheus' | 'openmetrics'

/**
 * Parses a text format of metrics and yields to the event loop between steps. Malformed lines are reported and skipped.
 * Throws `MalformedText` for bodies that must not be accepted in part (no UTF-8, OpenMetrics without its `# EOF`) and
 * `TooManyLines`.
 */
export function* readExposition(body: Buffer, format: TextFormat, maxSamples: number): Generator<void, Exposition> {
  const lines = format === 'openmetrics' ? new OpenMetricsLines() : new PrometheusLines()
  const read = lines.read.bind(lines)
  const items = yield* readLines(body, { plural: 'samples', maxItems: maxSamples, read })
  lines.end()
  return { items, facts: lines.families.all() }
}

/** What a format makes of its lines. */
interface Lines {
  readonly families: Families
  /** The sample of a line; null when it holds none. Throws `BadSyntax`. */
  read(text: string, line: number): TextSample | null
  /** Throws `MalformedText` when the body must not end here. */
  end(): void
}

/** The text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
class PrometheusLines implements Lines {
  readonly families = new Families()

  read(text: string, line: number): TextSample | null {
    const scanner = new LineScanner(text).blanks()
    if (scanner.isAtEnd) return null
    if (scanner.peek() === '#') {
      const trimmed = text.trimStart()
      const comment = FAMILY_COMMENT.exec(trimmed)
      if (comment) this.families.read(comment[1] as 'HELP' | 'TYPE', trimmed.slice(comment[0].length))
      return null
    }
    const sample = readSample(scanner, this.families, line)
    const time = scanner.blanks().token()
    scanner.end()
    return { ...sample, timestampNs: time === '' ? null : milliseconds(time), exemplar: null }
  }

  end(): void {}
}

/** OpenMetrics 1.0 (prometheus.io/docs/specs/om/open_metrics_spec). */
class OpenMetricsLines implements Lines {
  readonly families = new Families()
  #hasEnded = false

  read(text: string, line: number): TextSample | null {
    if (this.#hasEnded) throw new MalformedText(`line ${line} follows # EOF`)
    if (text.startsWith('#')) {
      this.#comment(text)
      return null
    }
    const scanner = new LineScanner(text)
    const sample = readSample(scanner, this.families, line)
    const time = scanner.blanks().peek() === '#' ? '' : scanner.token()
    const exemplar = scanner.blanks().take('#') ? readExemplar(scanner) : null
    scanner.end()
    return { ...sample, timestampNs: time === '' ? null : seconds(time), exemplar }
  }

  end(): void {
    if (!this.#hasEnded) throw new MalformedText('the body does not end with # EOF: it is truncated')
  }

  #comment(text: string): void {
    if (text === '# EOF') {
      this.#hasEnded = true
      return
    }
    const comment = COMMENT.exec(text)
    if (!comment) throw new BadSyntax('expected # HELP, # TYPE, # UNIT or # EOF')
    this.families.read(comment[1] as 'HELP' | 'TYPE' | 'UNIT', text.slice(comment[0].length))
  }
}

/** Name, labels and value. */
function readSample(scanner: LineScanner, families: Families, line: number): Omit<TextSample, 'timestampNs' | 'exemplar'> {
  const before = scanner.peek() === '{' ? null : scanner.metricName()
  const { labels, name: within } = scanner.blanks().peek() === '{' ? scanner.labels() : { labels: [], name: null }
  if (before !== null && within !== null) throw new BadSyntax('the metric has two names')
  const name = before ?? within
  if (name === null) throw new BadSyntax('the metric has no name')
  return { line, name, labels, value: scanner.blanks().number(), family: families.of(name) }
}

/** What follows the `#` of a sample. */
function readExemplar(scanner: LineScanner): TextExemplar {
  const { labels, name } = scanner.blanks().labels()
  if (name !== null) throw new BadSyntax('an exemplar has labels but no value')
  const value = scanner.blanks().number()
  const time = scanner.blanks().token()
  return { labels, value, timestampNs: time === '' ? null : seconds(time) }
}

function milliseconds(text: string): bigint {
  if (!INT64_DIGITS.test(text)) throw new BadSyntax('a timestamp must be integer milliseconds')
  return BigInt(text) * NS_PER_MS
}

/** Seconds to nanoseconds by their digits: through a double they would be rounded. */
function seconds(text: string): bigint {
  const found = SECONDS.exec(text)
  if (!found) throw new BadSyntax('a timestamp must be seconds, as decimal digits')
  const [, sign, whole = '', fraction = ''] = found
  const ns = BigInt(whole + fraction.slice(0, 9).padEnd(9, '0'))
  return sign === '-' ? -ns : ns
}
