import type { Gap } from '../../gaps.js'
import { journalFileName } from './journal-file.js'
import type { JournalState, ListedFile } from './journal-manifest.js'

const NS_PER_MS = 1_000_000n
/** Records arrive some time after their own: an estimate, as the content of a lost file is unknown. */
export const LATE_MS = 600_000

/** A journal file that is listed and not there, and when its requests arrived. */
export interface LostFile extends ListedFile {
  /** The next file was begun then, or the file was missed. */
  readonly untilMs: number
}

/** The files that are listed and not among those found. */
export function lostFiles({ files }: JournalState, found: readonly number[], nowMs: number): readonly LostFile[] {
  const present = new Set(found)
  const sorted = files.toSorted((a, b) => a.number - b.number)
  return sorted.flatMap((file, i) => {
    if (present.has(file.number)) return []
    const missedMs = file.missedMs ?? nowMs
    return [{ ...file, missedMs, untilMs: sorted[i + 1]?.createdMs ?? missedMs }]
  })
}

/** The file's path below the data folder. */
export function lostPath({ number }: ListedFile): string {
  return `journal/${journalFileName(number)}`
}

/** Between which times the requests of a lost file arrived. */
export function arrivalSentence({ createdMs, untilMs }: LostFile): string {
  const [from, to] = [createdMs, untilMs].map(ms => new Date(ms).toISOString())
  return `requests that arrived between ${from} and ${to} may be lost`
}

/** The gap of a lost file: records of any kind and namespace. */
export function gapOfLost(file: LostFile, isOpen: boolean): Gap {
  const minNs = BigInt(Math.floor(file.createdMs) - LATE_MS) * NS_PER_MS
  const maxNs = BigInt(Math.ceil(file.untilMs)) * NS_PER_MS
  const reason = `${lostPath(file)} is missing`
  return { kind: null, ns: null, minNs, maxNs, rows: null, reason, isOpen }
}

/** One sentence for health; empty when no file is lost. */
export function lostSentence(files: readonly LostFile[]): string {
  const [first] = files
  if (!first) return ''
  const more = files.length === 1 ? '' : ` (and ${files.length - 1} more files of the journal)`
  const span = { ...first, untilMs: Math.max(...files.map(({ untilMs }) => untilMs)) }
  const remedy = 'stop the service and restore it, or run verify --repair to accept the loss'
  return `${lostPath(first)} is missing${more}: ${arrivalSentence(span)}; ${remedy}`
}
