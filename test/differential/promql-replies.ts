/** A response of Prometheus's API, or part of it. */
export interface PromqlReply {
  readonly status: string
  readonly errorType?: string
  readonly error?: string
  readonly data?: unknown
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
  readonly tree?: unknown
}

interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly values?: readonly (readonly [number, string])[]
  readonly value?: readonly [number, string]
}

const RELATIVE = 1e-9
const MAX_CHARS = 300

function isAlmost(a: string, b: string): boolean {
  if (a === b) return true
  const [left, right] = [Number(a.replace('Inf', 'Infinity')), Number(b.replace('Inf', 'Infinity'))]
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.isNaN(left) && Number.isNaN(right)
  return (
    left === right ||
    Math.abs(left - right) <= RELATIVE * Math.max(Math.abs(left), Math.abs(right)) ||
    Math.abs(left - right) < 1e-9
  )
}

function keyOf({ metric }: Series): string {
  return JSON.stringify(Object.entries(metric).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function cut(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, MAX_CHARS)
}

function pointsOf({ values, value }: Series): readonly (readonly [number, string])[] {
  return values ?? (value === undefined ? [] : [value])
}

function seriesDifference(theirs: readonly Series[], own: readonly Series[]): string | null {
  const known = new Map(own.map(one => [keyOf(one), one]))
  for (const one of theirs) {
    const found = known.get(keyOf(one))
    if (found === undefined) return `${keyOf(one)} is missing`
    known.delete(keyOf(one))
    const [expected, given] = [pointsOf(one), pointsOf(found)]
    const isSame =
      expected.length === given.length && expected.every(([s, value], i) => s === given[i]![0] && isAlmost(value, given[i]![1]))
    const at = expected.findIndex(([s, value], i) => s !== given[i]?.[0] || !isAlmost(value, given[i][1]))
    if (!isSame) return `${keyOf(one)}: ${expected.length} and ${given.length} values, ${cut(expected[at])} and ${cut(given[at])}`
  }
  return known.size === 0 ? null : `${[...known.keys()][0]} was not expected`
}

function sortedNotes(notes: readonly string[] = []): string {
  return JSON.stringify(notes.map(note => (note.includes(SUSPICION) ? note.replace(PLACE, '') : note)).sort())
}

/** Prometheus also names the series, and suspects what is named unlike a counter. */
const DUPLICATES = /(?<=found duplicate series for the match group).*(?=on the (?:left|right))|(?<=of the operation)[^;]*/g
/** For a subquery, Prometheus reports it with the position of the whole query. */
const SUSPICION = 'metric might not be a counter'
const PLACE = / \(\d+:\d+\)$/
/** Its lexer does not see a duration that is a function. */
const BLIND = 'unexpected colon before duration in duration expression'

/** In what two replies differ; null where they are the same. */
export function differenceOf(theirs: PromqlReply, own: PromqlReply): string | null {
  if (theirs.error?.includes(BLIND)) return null
  if (theirs.status !== own.status) return `${cut(theirs.error ?? theirs.data)}, here ${cut(own.error ?? own.data)}`
  if (theirs.status === 'error') {
    const wordsOf = ({ error = '' }: PromqlReply): string => error.replace(DUPLICATES, '')
    const isSame = theirs.errorType === own.errorType && wordsOf(theirs) === wordsOf(own)
    return isSame ? null : `${theirs.errorType}: ${theirs.error}, here ${own.errorType}: ${own.error}`
  }
  if ('tree' in theirs)
    return sorted(theirs.tree) === sorted(own.tree) ? null : `tree ${sorted(theirs.tree)}, here ${sorted(own.tree)}`
  const [a, b] = [theirs.data, own.data] as { resultType: string; result: unknown }[]
  if (a!.resultType !== b!.resultType) return `a ${a!.resultType}, here a ${b!.resultType}`
  const isSeries = a!.resultType === 'vector' || a!.resultType === 'matrix'
  if (!isSeries)
    return isAlmost((a!.result as string[])[1]!, (b!.result as string[])[1]!) ? null : `${cut(a!.result)}, here ${cut(b!.result)}`
  const found = seriesDifference(a!.result as readonly Series[], b!.result as readonly Series[])
  if (found !== null) return found
  for (const kind of ['warnings', 'infos'] as const) {
    if (sortedNotes(theirs[kind]) !== sortedNotes(own[kind])) return `${kind} ${cut(theirs[kind])}, here ${cut(own[kind])}`
  }
  return null
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
