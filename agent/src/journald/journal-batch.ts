import type { Line } from '../files/line-splitter.js'
import { sumOf } from '../files/pinned-lines.js'
import type { Gap, GapReason, Pin } from '../files/stream-record.js'
import type { JournalEntry } from './journal-entry.js'
import type { JournalRecord } from './journal-streams.js'

/** Entries of one numbering that are sent together. */
export class JournalBatch {
  readonly record: JournalRecord
  /** Entries before the first one that are lost. */
  readonly gap: Gap | null
  readonly entries: JournalEntry[] = []
  /** Of the clock that does not jump. */
  readonly beganMs: number
  /** Of the entries as JSON. */
  bytes = 0

  constructor(record: JournalRecord, gap: Gap | null, beganMs: number) {
    this.record = record
    this.gap = gap
    this.beganMs = beganMs
  }

  add(entry: JournalEntry): void {
    this.entries.push(entry)
    this.bytes += entry.text.length
  }

  /** Number of its last entry. */
  get to(): number {
    return this.entries.at(-1)?.number ?? this.#from
  }

  get #from(): number {
    return this.gap?.to ?? this.record.offset
  }

  /** Its entries, each as long as its distance to the one before. */
  get lines(): readonly Line[] {
    let before = this.#from
    return this.entries.map(({ text, number }) => {
      const bytes = number - before
      before = number
      return { text, bytes, isPartial: false, isTruncated: false }
    })
  }

  pin(): Omit<Pin, 'sealedAtMs'> {
    const { gap, record, lines, to } = this
    const firstLine = record.nextLine + (gap?.lines ?? 0)
    return { seq: record.nextSeq, from: this.#from, to, firstLine, lines: lines.length, sum: sumOf(lines), gap, end: null }
  }
}

/** Numbers between two entries. Of a hole whose entries may have another numbering nothing is known: null. */
export function gapBetween(record: JournalRecord, entry: JournalEntry, isAlone: boolean, reason: GapReason): Gap | null {
  const lines = entry.number - 1 - record.offset
  return lines > 0 && isAlone ? { from: record.offset, to: entry.number - 1, lines, reason } : null
}

/** A batch that was noted before, of the entries that are left of it; its number stays. */
export function repeatedPin(pin: Pin, lines: readonly Line[], from: number): Pin {
  const missing = pin.lines - lines.length
  if (missing <= 0) return pin
  const lost = {
    from: pin.gap?.from ?? pin.from,
    to: from,
    lines: missing + (pin.gap?.lines ?? 0),
    reason: 'journal_vacuumed'
  } as const
  return { ...pin, from, firstLine: pin.firstLine + missing, lines: lines.length, sum: sumOf(lines), gap: lost }
}
