import type { NamespaceId } from '../../domain/ids.js'
import type { LogStream, RecoveredRecords, StreamGap, StreamOrigin, StreamRun } from '../../domain/log-stream.js'
import type { StreamAccount, StreamChange } from '../../ports/stream-ledger.js'
import type { StreamBatch } from './stream-batch.js'
import { mergeGaps } from './stream-gaps.js'
import type { StreamLimits } from './stream-limits.js'

/** What became of the records of a batch. */
export interface BatchOutcome {
  readonly batch: StreamBatch
  /** Records in the log store. */
  readonly stored: number
  /** Records that the service rejected, by error code. */
  readonly rejected: ReadonlyMap<string, number>
  /** Records that rules of the namespace dropped. */
  readonly dropped: number
  /** Records that follow the batch and are stored already. */
  readonly recovered: RecoveredRecords | null
  /** Range of the event times of the stored records, Unix milliseconds; null without any. */
  readonly times: { readonly minMs: number; readonly maxMs: number } | null
  /** Arrival, Unix milliseconds. */
  readonly atMs: number
}

/** Whether a batch is stored. */
export type Judgement =
  | { readonly kind: 'next' | 'repeat' }
  /** A batch that was missing, and the gap that it is in. */
  | { readonly kind: 'late'; readonly gap: StreamGap }
  | { readonly kind: 'conflict'; readonly detail: string }

/** Where the bytes begin that a batch states something about. */
function startOf({ from, gap }: StreamBatch): number {
  return gap === null ? from : gap.from
}

function conflict(detail: string): Judgement {
  return { kind: 'conflict', detail }
}

/** What is to be done with a batch, given what the ledger knows of its stream. */
export function judgeBatch(account: StreamAccount | null, batch: StreamBatch, limits: StreamLimits): Judgement {
  if (account === null) return { kind: 'next' }
  const { stream, gaps } = account
  const start = startOf(batch)
  if (batch.seq < stream.nextSeq) {
    const gap = gaps.find(({ missing }) => missing !== null && missing.first <= batch.seq && batch.seq < missing.end)
    if (gap === undefined) return { kind: 'repeat' }
    if (start >= gap.from && batch.to <= gap.to) return { kind: 'late', gap }
    return conflict(`batch ${batch.seq} is missing within bytes ${gap.from} to ${gap.to}; it has bytes ${start} to ${batch.to}`)
  }
  if (start < stream.bytesTo)
    return conflict(`the stream is stored up to byte ${stream.bytesTo}; batch ${batch.seq} begins at byte ${start}`)
  const opens = batch.seq > stream.nextSeq && start > stream.bytesTo
  if (opens && mergeGaps(gaps, limits.gaps - 1).length >= limits.gaps)
    return conflict(`batches of ${limits.gaps} parts of the stream are missing; send these before batch ${batch.seq}`)
  return { kind: 'next' }
}

/** Lines from number `first` to before `end`; null when one is not known or they contradict each other. */
function linesBetween(first: number | null, end: number | null): number | null {
  if (first === null || end === null) return null
  return end >= first ? end - first : null
}

/** The number of the first line that a batch states something about; null when the size of its gap is not known. */
function firstLineOf({ firstLine, gap }: StreamBatch): number | null {
  if (gap === null) return firstLine
  return gap.lines === null || gap.lines >= firstLine ? null : firstLine - gap.lines
}

type NewGap = Omit<StreamGap, 'no'>

function declared({ batch, atMs }: BatchOutcome): readonly NewGap[] {
  if (batch.gap === null) return []
  const { from, to, lines, reason } = batch.gap
  return [{ from, to, firstLine: firstLineOf(batch), lines, reason, code: null, missing: null, merged: 1, atMs }]
}

function rejections({ batch, rejected, dropped, atMs }: BatchOutcome): readonly NewGap[] {
  const { from, to, firstLine } = batch
  const place = { from, to, firstLine, missing: null, merged: 1, atMs }
  const byCode = [...rejected].map(([code, lines]) => {
    const reason = code === 'timestamp_too_old' ? ('too_old' as const) : ('rejected' as const)
    return { ...place, lines, code, reason }
  })
  return dropped === 0 ? byCode : [...byCode, { ...place, lines: dropped, code: null, reason: 'dropped' }]
}

/** What is missing between the end of the stream and the batch. */
function skipped(stream: LogStream, { batch, atMs }: BatchOutcome, reason: 'skipped' | 'unknown'): readonly NewGap[] {
  const to = startOf(batch)
  if (to <= stream.bytesTo) return []
  const firstLine = stream.lineTo + 1
  const lines = reason === 'unknown' ? null : linesBetween(firstLine, firstLineOf(batch))
  const missing = batch.seq > stream.nextSeq ? { first: stream.nextSeq, end: batch.seq } : null
  return [{ from: stream.bytesTo, to, firstLine, lines, reason, code: null, missing, merged: 1, atMs }]
}

/** What is left of a gap around a late batch. */
function remainders(gap: StreamGap, batch: StreamBatch): readonly NewGap[] {
  const { first, end } = gap.missing!
  const { seq, to } = batch
  const start = startOf(batch)
  const left = linesBetween(gap.firstLine, firstLineOf(batch))
  const next = batch.firstLine + batch.lines
  const gapEnd = gap.lines === null || gap.firstLine === null ? null : gap.firstLine + gap.lines
  return [
    { ...gap, to: start, lines: left, missing: seq > first ? { first, end: seq } : null },
    {
      ...gap,
      from: to,
      firstLine: next,
      lines: linesBetween(next, gapEnd),
      missing: seq + 1 < end ? { first: seq + 1, end } : null
    }
  ].filter(({ from, to }) => to > from)
}

function runOf({ batch, stored, times, atMs }: BatchOutcome): StreamRun | null {
  const { from, to, firstLine, lines } = batch
  if (to === from) return null
  return { from, to, firstLine, lines, stored, minMs: times?.minMs ?? null, maxMs: times?.maxMs ?? null, atMs }
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

function most(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}

/** The run, as the end of the one before it where they are neighbors in place and time. */
function joined(last: StreamRun | null, run: StreamRun, { runMs }: StreamLimits): StreamRun {
  const isNeighbor = last !== null && last.to === run.from && last.firstLine + last.lines === run.firstLine
  if (!isNeighbor || run.atMs - last.atMs >= runMs) return run
  return {
    ...last,
    to: run.to,
    lines: last.lines + run.lines,
    stored: last.stored + run.stored,
    minMs: least(last.minMs, run.minMs),
    maxMs: most(last.maxMs, run.maxMs)
  }
}

function originOf(batch: StreamOrigin, known: StreamOrigin | null): StreamOrigin {
  return {
    hostId: batch.hostId ?? known?.hostId ?? null,
    host: batch.host ?? known?.host ?? null,
    path: batch.path ?? known?.path ?? null,
    kind: batch.kind ?? known?.kind ?? null,
    service: batch.service ?? known?.service ?? null,
    head: batch.head ?? known?.head ?? null,
    anchor: batch.anchor ?? known?.anchor ?? null
  }
}

/** A stream before its first batch. If its first batch is number 1, it begins there; otherwise its beginning is unknown. */
function newStream(namespaceId: NamespaceId, { batch, atMs }: Pick<BatchOutcome, 'batch' | 'atMs'>): LogStream {
  const bytesFrom = batch.seq === 1 ? startOf(batch) : 0
  const firstLine = batch.seq === 1 ? (firstLineOf(batch) ?? batch.firstLine) : 1
  const none = { lines: 0, stored: 0, rejected: 0, gapCount: 0, sealedAtMs: null, recovered: null, end: null, pending: null }
  const place = { nextSeq: 1, bytesFrom, bytesTo: bytesFrom, firstLine, lineTo: firstLine - 1 }
  return { namespaceId, id: batch.id, ...originOf(batch, null), ...none, ...place, firstAtMs: atMs, lastAtMs: atMs }
}

/** An account, and the rows that it differs in from the one before. */
export interface AppliedBatch {
  readonly account: StreamAccount
  readonly change: StreamChange
}

/**
 * Whether a first batch is noted before it is stored. Its sender may lose its state and request the streams of its
 * host: it would begin another one. Behind a gap are other records than those of a repeat.
 */
export function isNotedFirst({ seq, hostId, gap, lines }: StreamBatch): boolean {
  return seq === 1 && hostId !== null && gap === null && lines > 0
}

/** The account of a stream before its first batch; null when it has one. */
export function beginStream(
  ns: NamespaceId,
  account: StreamAccount | null,
  begin: Pick<BatchOutcome, 'batch' | 'atMs'>
): AppliedBatch | null {
  if (account !== null) return null
  const { to, anchor } = begin.batch
  const stream = { ...newStream(ns, begin), anchor: null, pending: { to, anchor } }
  return { account: { stream, lastRun: null, gaps: [] }, change: { stream, runs: [], gaps: [], closed: [] } }
}

/** The gaps of the stream, numbered, and which rows that changes. */
function gapChanges(before: readonly StreamGap[], kept: readonly StreamGap[], added: readonly NewGap[], limits: StreamLimits) {
  let no = before.reduce((highest, gap) => Math.max(highest, gap.no), 0)
  const gaps = mergeGaps([...kept, ...added.map(gap => ({ ...gap, no: ++no }))], limits.gaps)
  return {
    gaps,
    changed: gaps.filter(gap => !before.includes(gap)),
    closed: before.filter(({ no: old }) => !gaps.some(gap => gap.no === old)).map(({ no: old }) => old)
  }
}

/**
 * The part of a stored batch that is beyond the end of the stream, as its next batch; null without one. While the batch was
 * stored, another gateway wrote an older one of the same place into the ledger. The sender did not know of that one: it had
 * lost its state. Otherwise it would send the lines beyond it again. Null if the batch may be that older one, of which a store
 * keeps one copy, or if not all of its records are stored. If some lines have no record, it has at least `stored` ones.
 */
function partBeyond({ stream }: StreamAccount, outcome: BatchOutcome): BatchOutcome | null {
  const { batch, stored, rejected, dropped } = outcome
  const known = stream.lineTo + 1 - batch.firstLine
  const isOwn = batch.sealedAtMs > (stream.sealedAtMs ?? 0)
  const isWhole = batch.gap === null && rejected.size === 0 && dropped === 0
  const isBeyond = batch.from <= stream.bytesTo && stream.bytesTo < batch.to && known >= 0 && known < batch.lines
  if (!isOwn || !isWhole || !isBeyond) return null
  const place = { seq: stream.nextSeq, from: stream.bytesTo, firstLine: stream.lineTo + 1, lines: batch.lines - known }
  return { ...outcome, batch: { ...batch, ...place }, stored: Math.max(0, stored - known) }
}

/** Adds that part. The sender goes on with the number after its own. */
function applyBeyond(ns: NamespaceId, account: StreamAccount, outcome: BatchOutcome, limits: StreamLimits): AppliedBatch | null {
  const part = partBeyond(account, outcome)
  const applied = part && applyBatch(ns, account, part, limits)
  if (!applied) return null
  const stream = { ...applied.account.stream, nextSeq: Math.max(account.stream.nextSeq, outcome.batch.seq + 1) }
  return { account: { ...applied.account, stream }, change: { ...applied.change, stream } }
}

/**
 * The account after a stored batch, and the rows to write. Null for a repeat and a conflict, which change nothing unless they
 * have lines beyond the end of the stream.
 */
export function applyBatch(
  ns: NamespaceId,
  account: StreamAccount | null,
  outcome: BatchOutcome,
  limits: StreamLimits
): AppliedBatch | null {
  const { batch, stored, rejected, recovered, atMs } = outcome
  const judgement = judgeBatch(account, batch, limits)
  if (judgement.kind === 'repeat' || judgement.kind === 'conflict') return applyBeyond(ns, account!, outcome, limits)
  const before = account?.stream ?? newStream(ns, outcome)
  const known = account?.gaps ?? []
  const isLate = judgement.kind === 'late'
  const around = isLate ? remainders(judgement.gap, batch) : skipped(before, outcome, account === null ? 'unknown' : 'skipped')
  const kept = isLate ? known.filter(gap => gap !== judgement.gap) : known
  const { gaps, changed, closed } = gapChanges(known, kept, [...around, ...declared(outcome), ...rejections(outcome)], limits)
  const run = runOf(outcome)
  const lastRun = account?.lastRun ?? null
  const written = run === null || isLate ? run : joined(lastRun, run, limits)
  const totals = {
    lines: before.lines + batch.lines,
    stored: before.stored + stored,
    rejected: before.rejected + [...rejected.values()].reduce((sum, count) => sum + count, 0),
    gapCount: gaps.length,
    lastAtMs: Math.max(before.lastAtMs, atMs)
  }
  const place = {
    ...originOf(batch, before),
    nextSeq: batch.seq + 1,
    bytesTo: batch.to,
    lineTo: batch.firstLine + batch.lines - 1,
    // Records that follow were sealed before this batch.
    sealedAtMs: recovered === null ? Math.max(before.sealedAtMs ?? 0, batch.sealedAtMs) : before.sealedAtMs,
    recovered,
    end: batch.end,
    pending: null
  }
  const stream = { ...before, ...totals, ...(isLate ? {} : place) }
  return {
    account: { stream, gaps, lastRun: isLate ? lastRun : batch.to > batch.from ? written : runAt(lastRun, batch.to) },
    change: { stream, runs: written === null ? [] : [written], gaps: changed, closed }
  }
}

/** The run, if it ends there. */
function runAt(run: StreamRun | null, to: number): StreamRun | null {
  return run?.to === to ? run : null
}
