// Names as OpenTelemetry's Prometheus compatibility page gives them ("OTLP Metric points to Prometheus"), so that
// dashboards written for the Collector's or Prometheus's own translation find the same series here.

const INVALID_IN_NAME = /[^a-zA-Z0-9_:]+/g
const INVALID_IN_LABEL = /[^a-zA-Z0-9_]+/g
const UNDERSCORES = /_{2,}/g
const EDGE_UNDERSCORES = /^_+|_+$/g
const ANNOTATION = /\{[^}]*\}/g

/** UCUM units and the words that Prometheus uses for them. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['d', 'days'],
  ['h', 'hours'],
  ['min', 'minutes'],
  ['s', 'seconds'],
  ['ms', 'milliseconds'],
  ['us', 'microseconds'],
  ['ns', 'nanoseconds'],
  ['By', 'bytes'],
  ['KiBy', 'kibibytes'],
  ['MiBy', 'mebibytes'],
  ['GiBy', 'gibibytes'],
  ['TiBy', 'tebibytes'],
  ['KBy', 'kilobytes'],
  ['MBy', 'megabytes'],
  ['GBy', 'gigabytes'],
  ['TBy', 'terabytes'],
  ['m', 'meters'],
  ['V', 'volts'],
  ['A', 'amperes'],
  ['J', 'joules'],
  ['W', 'watts'],
  ['g', 'grams'],
  ['Cel', 'celsius'],
  ['Hz', 'hertz'],
  ['%', 'percent']
])

/** The units after the slash of a rate. */
const PER_UNITS: ReadonlyMap<string, string> = new Map([
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['wk', 'week'],
  ['mo', 'month'],
  ['y', 'year']
])

/** What the name states about a metric. */
export interface NameParts {
  readonly name: string
  /** UCUM. */
  readonly unit: string
  readonly isCounter: boolean
  readonly isGauge: boolean
}

function clean(text: string): string {
  return text.replaceAll(INVALID_IN_NAME, '_').replaceAll(UNDERSCORES, '_')
}

function unitWords({ unit, isGauge }: NameParts): readonly string[] {
  const plain = unit.replaceAll(ANNOTATION, '').trim()
  if (plain === '1') return isGauge ? ['ratio'] : []
  const [of = '', per] = plain.split('/', 2)
  const main = clean(UNITS.get(of) ?? of).replaceAll(EDGE_UNDERSCORES, '')
  const rate = per === undefined ? '' : clean(PER_UNITS.get(per) ?? per).replaceAll(EDGE_UNDERSCORES, '')
  return [...(main === '' ? [] : [main]), ...(rate === '' ? [] : [`per_${rate}`])]
}

/** `http.server.request.duration` in `s` gives `http_server_request_duration_seconds`; a counter ends in `_total`. */
export function metricName(parts: NameParts): string {
  const words = clean(parts.name).split('_')
  const isTotal = words.at(-1) === 'total'
  const base = parts.isCounter && isTotal ? words.slice(0, -1).join('_') : words.join('_')
  const suffixes = unitWords(parts).filter(word => !`_${base}_`.includes(`_${word}_`))
  const named = [base, ...suffixes, ...(parts.isCounter ? ['total'] : [])].join('_')
  return /^[0-9]/.test(named) ? `_${named}` : named
}

/** `http.route` gives `http_route`; a name that would begin with a digit gets `key_` before it. */
export function labelName(attribute: string): string {
  const name = attribute.replaceAll(INVALID_IN_LABEL, '_')
  if (/^[0-9]/.test(name)) return `key_${name}`
  // A single leading underscore means something private in Prometheus; two are its own.
  return name.startsWith('_') && !name.startsWith('__') ? `key${name}` : name
}

/** A unit in the terms of Prometheus: `seconds` for `s`; empty for a dimensionless one (`1`, `{requests}`). */
export function unitName(unit: string): string {
  return unitWords({ name: '', unit, isCounter: false, isGauge: false }).join('_')
}
