import type { LogStream, StreamGap, StreamRun } from '../../domain/log-stream.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { StreamAccount } from '../../ports/stream-ledger.js'

/** Whether lines of a stream are missing. */
export interface StreamProof {
  /** No gap concerns the window, and the stream has lines in it. */
  readonly complete: boolean
  /** Runs are counted whole; null without any. */
  readonly firstLine: number | null
  readonly lastLine: number | null
  /** Lines of the runs and of the gaps; null when the size of a gap is not known. */
  readonly expected: number | null
  readonly lines: number
  readonly stored: number
  /** Records that the log store has; null when they were not counted. */
  readonly recounted: number | null
  /** Bytes of the runs. */
  readonly bytes: number
  /** Range of the event times of the runs, Unix milliseconds; null without any. */
  readonly coveredMs: { readonly min: number; readonly max: number } | null
  /** Gaps that concern the window. */
  readonly gapsInWindow: readonly StreamGap[]
  readonly sentence: string
}

const RUNS_AT_ONCE = 1_000
const NS_PER_MS = 1_000_000n

interface Interval {
  readonly min: number
  readonly max: number
}

function overlaps({ min, max }: Interval, range: TimeRange | null): boolean {
  if (range === null) return true
  return (
    BigInt(Math.ceil(Math.min(max, Number.MAX_SAFE_INTEGER))) * NS_PER_MS >= range.startNs &&
    BigInt(Math.floor(min)) * NS_PER_MS < range.endNs
  )
}

function timesOf(run: StreamRun): Interval {
  return { min: run.minMs ?? run.atMs, max: run.maxMs ?? run.atMs }
}

async function allRuns(
  runsFrom: (range: { readonly from: number; readonly limit: number }) => Promise<readonly StreamRun[]>
): Promise<readonly StreamRun[]> {
  const all: StreamRun[] = []
  for (let from = 0; ;) {
    const runs = await runsFrom({ from, limit: RUNS_AT_ONCE })
    all.push(...runs)
    if (runs.length < RUNS_AT_ONCE) return all
    from = runs.at(-1)!.from + 1
  }
}

function coveredBy(runs: readonly StreamRun[]): Interval | null {
  const [first, ...others] = runs.map(timesOf)
  if (first === undefined) return null
  return others.reduce((all, { min, max }) => ({ min: Math.min(all.min, min), max: Math.max(all.max, max) }), first)
}

/** How many of the runs, which are in the order of their place, begin before an offset. */
function countBefore(runs: readonly StreamRun[], offset: number): number {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (runs[middle]!.from < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** When the lines of a gap can have been written: between what is stored before it and after it. */
function timesOfGap(gap: StreamGap, runs: readonly StreamRun[], last: number): Interval {
  const before = runs[countBefore(runs, Math.max(gap.to, gap.from + 1)) - 1]
  const next = countBefore(runs, gap.from + 1)
  const within = runs[next - 1]
  const after = within !== undefined && within.to > gap.from ? within : runs[next]
  return { min: before === undefined ? 0 : timesOf(before).min, max: after === undefined ? last : timesOf(after).max }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()
const countOf = (count: number): string => count.toLocaleString('en-US')

/** Lines that are missing, by reason. */
export function causesOf(gaps: readonly StreamGap[]): string {
  const byReason = new Map<string, { lines: number | null; places: number }>()
  for (const { reason, lines, merged } of gaps) {
    const sum = byReason.get(reason) ?? { lines: 0, places: 0 }
    byReason.set(reason, { lines: sum.lines === null || lines === null ? null : sum.lines + lines, places: sum.places + merged })
  }
  const parts = [...byReason].map(([reason, { lines, places }]) => {
    const size =
      lines === null ? `an unknown number of lines in ${places} ${places === 1 ? 'place' : 'places'}` : `${countOf(lines)} lines`
    return `${size} (${reason})`
  })
  return parts.join(', ')
}

/** How sentences name a stream. */
export function streamName({ path, host, id }: Pick<LogStream, 'path' | 'host' | 'id'>): string {
  return `${path ?? id}${host === null ? '' : ` on ${host}`}`
}

function sentenceOf(stream: LogStream, proof: Omit<StreamProof, 'sentence' | 'recounted'>): string {
  const name = streamName(stream)
  const { coveredMs, lines, bytes, gapsInWindow } = proof
  if (coveredMs === null && gapsInWindow.length === 0) return `No line of ${name} arrived in this time.`
  const time = coveredMs === null ? '' : ` between ${timeOf(coveredMs.min)} and ${timeOf(coveredMs.max)}`
  const arrived = `${countOf(lines)} lines, ${countOf(bytes)} bytes`
  if (gapsInWindow.length === 0) return `No line of ${name} is missing${time}: ${arrived}.`
  return `Of ${name}${time} are missing: ${causesOf(gapsInWindow)}. Arrived: ${arrived}.`
}

/** What the ledger proves of a stream, in a range of event times or as a whole. */
export async function proofOf(
  { stream, gaps }: StreamAccount,
  range: TimeRange | null,
  runsFrom: (range: { readonly from: number; readonly limit: number }) => Promise<readonly StreamRun[]>
): Promise<StreamProof> {
  const runs = await allRuns(runsFrom)
  const inside = runs.filter(run => overlaps(timesOf(run), range))
  const gapsInWindow = gaps.filter(gap => overlaps(timesOfGap(gap, runs, Math.max(stream.lastAtMs, gap.atMs)), range))
  const sum = (of: (run: StreamRun) => number): number => inside.reduce((total, run) => total + of(run), 0)
  // Records that were rejected, or dropped by a rule, are in the lines of a run already.
  const lost = gapsInWindow.filter(({ code, reason }) => code === null && reason !== 'dropped')
  const unknown = lost.some(gap => gap.lines === null)
  const lines = sum(run => run.lines)
  const [first, last] = [inside[0], inside.at(-1)]
  const proof = {
    complete: gapsInWindow.length === 0 && inside.length > 0,
    firstLine: first?.firstLine ?? null,
    lastLine: last === undefined ? null : last.firstLine + last.lines - 1,
    expected: unknown ? null : lines + lost.reduce((total, gap) => total + gap.lines!, 0),
    lines,
    stored: sum(run => run.stored),
    bytes: sum(run => run.to - run.from),
    coveredMs: coveredBy(inside),
    gapsInWindow
  }
  return { ...proof, recounted: null, sentence: sentenceOf(stream, proof) }
}
