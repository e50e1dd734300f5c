import { RE2JS, RE2JSException } from 're2js'
import { fold } from '../../domain/case-folding.js'
import { GatewayError } from '../../domain/errors.js'
import { plainAlternatives, regexSize } from '../../domain/regex.js'
import type { Label } from '../../domain/metric-point.js'
import type { LabelMatcher, LabelsRequest, LabelStrings } from '../../ports/metric-store.js'
import { Pace } from '../../threads/pace.js'

/** The label for the name of the metric. */
export const NAME_LABEL = '__name__'

/** What makes a series one. */
export interface SeriesIdentity {
  readonly name: string
  /** Sorted by name. */
  readonly labels: readonly Label[]
}

type ValueTest = (value: string) => boolean

/** A matcher and its cost since its last result, in steps of a regex. */
interface Matching {
  readonly test: (series: SeriesIdentity) => boolean
  readonly takeCost: () => number
}

/** Steps after which a search lets other work have its turn: some milliseconds. */
const STEPS_AT_ONCE = 200_000
/** What a test costs that is not a regex. */
const STEPS_PER_TEST = 4

function compiled(pattern: string): ValueTest {
  try {
    const regex = RE2JS.compile(pattern, RE2JS.DOTALL)
    return value => regex.matches(value)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new GatewayError('invalid_query', `not a regular expression: ${error.message}`, { cause: error })
  }
}

/** What dashboards send most needs no regex: everything, anything, and lists of values. */
function plainTest(pattern: string): ValueTest | null {
  if (pattern === '.*') return () => true
  if (pattern === '.+') return value => value !== ''
  const values = plainAlternatives(pattern)
  if (values === null) return null
  const requested = new Set(values)
  return value => requested.has(value)
}

/** Whether a regex matches the whole value; each value is tried once. */
function regexTest(pattern: string, spend: (steps: number) => void): ValueTest {
  const plain = plainTest(pattern)
  if (plain !== null) return plain
  const matches = compiled(pattern)
  const size = regexSize(pattern)
  const known = new Map<string, boolean>()
  return value => {
    const found = known.get(value)
    if (found !== undefined) return found
    spend(size * (value.length + 1))
    const isMatch = matches(value)
    known.set(value, isMatch)
    return isMatch
  }
}

function valueTest({ op, value }: LabelMatcher, spend: (steps: number) => void): ValueTest {
  if (op === 'eq') return given => given === value
  if (op === 'neq') return given => given !== value
  const matches = regexTest(value, spend)
  return op === 'regex' ? matches : given => !matches(given)
}

function labelValue(labels: readonly Label[], name: string): string {
  return labels.find(label => label.name === name)?.value ?? ''
}

function matching(matchers: readonly LabelMatcher[]): Matching {
  let cost = 0
  const spend = (steps: number): void => void (cost += steps)
  const tests = matchers.map(matcher => ({ name: matcher.name, test: valueTest(matcher, spend) }))
  return {
    test: series => tests.every(({ name, test }) => test(name === NAME_LABEL ? series.name : labelValue(series.labels, name))),
    takeCost: () => {
      const taken = cost
      cost = 0
      return taken
    }
  }
}

/** A test of whether a series satisfies all matchers; an absent label is the empty text. */
export function seriesTest(matchers: readonly LabelMatcher[]): (series: SeriesIdentity) => boolean {
  return matching(matchers).test
}

/**
 * Visits the series that satisfy all matchers. Many series and slow regexes do not delay other work: the search yields
 * every few milliseconds, and the signal ends the search.
 */
async function visitSeries<Series extends SeriesIdentity>(
  candidates: Iterable<Series>,
  matchers: readonly LabelMatcher[],
  visit: (series: Series) => void,
  signal?: AbortSignal
): Promise<void> {
  signal?.throwIfAborted()
  const { test, takeCost } = matching(matchers)
  const pace = new Pace(STEPS_AT_ONCE, signal)
  for (const series of candidates) {
    if (test(series)) visit(series)
    if (pace.isDue(takeCost() + (matchers.length + 1) * STEPS_PER_TEST)) await pace.rest()
  }
}

/** The series that satisfy all matchers, in order. */
export async function findSeries<Series extends SeriesIdentity>(
  candidates: Iterable<Series>,
  matchers: readonly LabelMatcher[],
  signal?: AbortSignal
): Promise<Series[]> {
  const found: Series[] = []
  await visitSeries(candidates, matchers, series => found.push(series), signal)
  return found.sort(compareSeries)
}

/** Names of labels or values of one, of the series that satisfy all matchers; see `MetricStore.labels`. */
export async function findLabels(
  candidates: Iterable<SeriesIdentity & { readonly lastSeenNs: bigint }>,
  { label, matchers, limit, contains = '', lastSeen }: Omit<LabelsRequest, 'range'>,
  signal: AbortSignal
): Promise<LabelStrings> {
  const found = new Map<string, bigint>()
  const see = (text: string, lastSeenNs: bigint): void => {
    const known = found.get(text)
    if (known === undefined || known < lastSeenNs) found.set(text, lastSeenNs)
  }
  const add = ({ name, labels, lastSeenNs }: SeriesIdentity & { readonly lastSeenNs: bigint }): void => {
    if (label === NAME_LABEL) return see(name, lastSeenNs)
    if (label !== undefined) return see(labelValue(labels, label), lastSeenNs)
    see(NAME_LABEL, lastSeenNs)
    for (const each of labels) see(each.name, lastSeenNs)
  }
  await visitSeries(candidates, matchers, add, signal)
  const needle = fold(contains)
  const listed = needle === '' ? found.keys() : [...found.keys()].filter(text => fold(text).includes(needle))
  const strings = sortedStrings(new Set(listed), limit)
  return lastSeen === true ? { ...strings, lastSeenNs: strings.values.map(value => found.get(value)!) } : strings
}

/** Characters of one list of names or values. */
const MAX_LISTED_CHARS = 8 * 1024 * 1024

/** Strings that are not empty, in order, up to a limit, and to what one result may contain. */
export function sortedStrings(found: ReadonlySet<string>, limit: number, maxChars = MAX_LISTED_CHARS): LabelStrings {
  const values = [...found].filter(text => text !== '').sort()
  let chars = 0
  const end = values.findIndex((text, i) => i >= limit || (chars += text.length) > maxChars)
  return end < 0 ? { values, hasMore: false } : { values: values.slice(0, end), hasMore: true }
}

/** The only metric name that can match, if the matchers determine it. */
export function exactName(matchers: readonly LabelMatcher[]): string | undefined {
  return matchers.find(({ name, op }) => name === NAME_LABEL && op === 'eq')?.value
}

function compareStrings(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Orders series by name, then by their labels one after the other. */
export function compareSeries(a: SeriesIdentity, b: SeriesIdentity): number {
  const byName = compareStrings(a.name, b.name)
  if (byName !== 0) return byName
  for (let i = 0; i < Math.min(a.labels.length, b.labels.length); i++) {
    const left = a.labels[i]!
    const right = b.labels[i]!
    const order = compareStrings(left.name, right.name) || compareStrings(left.value, right.value)
    if (order !== 0) return order
  }
  return a.labels.length - b.labels.length
}
