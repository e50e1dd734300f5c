import type { FileSource } from '../config/config.js'
import type { Line } from '../files/line-splitter.js'
import { LIMITS } from '../limits.js'
import { sumOf } from '../files/pinned-lines.js'
import type { Fingerprint, Pin, StreamRecord } from '../files/stream-record.js'
import { middleOf } from '../parse/record-lines.js'
import type { Position } from './deliverer.js'
import type { DeliveryDeps } from './delivery-deps.js'

/** What the delivery of a batch needs of the agent and of its file. */
export interface BatchDeps extends Pick<DeliveryDeps, 'clock' | 'deliver' | 'journal' | 'log'> {
  /** Of the bytes of the file before a place; of none where it does not have them. */
  readonly fingerprintAt: (offset: number) => Promise<Fingerprint>
  /** The state of the stream as it is noted, before a batch or a part of one is sent. */
  readonly noted?: (record: PinnedRecord) => StreamRecord
}

/** A stream with the batch that is being sent. */
export type PinnedRecord = StreamRecord & { readonly pin: Pin }

/** A batch of a stream that is pinned in its record. */
export interface PinnedBatch {
  readonly record: PinnedRecord
  readonly lines: readonly Line[]
  readonly source: FileSource
  /** Of the bytes before its end. */
  readonly anchor: Fingerprint
}

/**
 * The stream with another pin; its sealing time is later, whatever the clock does. The time of its lines is the same, so that
 * they keep their order, unless the clock had been wrong by much.
 */
export function pinned(record: StreamRecord, pin: Omit<Pin, 'sealedAtMs' | 'readAtMs'>, nowMs: number): PinnedRecord {
  const sealedAtMs = Math.max(nowMs, record.sealedAtMs + 1)
  const isSetBack = sealedAtMs - nowMs > LIMITS.clockBackMs
  return { ...record, pin: { ...pin, sealedAtMs, ...(isSetBack && { readAtMs: nowMs }) }, sealedAtMs }
}

/** The service has the stream up to another place than the batch: its position is the truth, and what it compares there. */
async function moved(deps: BatchDeps, record: StreamRecord, position: Position): Promise<StreamRecord> {
  const { bytesTo, lineTo, nextSeq, recovered } = position
  const { recovered: _, ...stream } = record
  deps.log('position taken over from the service', { path: record.path, id: record.id, ...position })
  const anchor = await deps.fingerprintAt(bytesTo)
  const place = { offset: bytesTo, anchor, nextLine: lineTo + 1, nextSeq, pin: null }
  return { ...stream, ...(recovered !== undefined && { recovered }), ...place }
}

function bytesOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Nothing of the batch was stored: it is sent in halves, the first one under its number. A single line is a gap. */
async function deliverSmaller(deps: BatchDeps, batch: PinnedBatch): Promise<StreamRecord> {
  const { record, lines } = batch
  const { readAtMs: _, ...pin } = record.pin
  if (lines.length === 0) throw new Error('a batch without lines exceeds the limit of the service')
  if (lines.length === 1) {
    deps.log('line rejected', { path: record.path, from: pin.from, to: pin.to, err: 'exceeds the limit of the service' })
    const gap = { from: pin.from, to: pin.to, lines: 1, reason: 'rejected' } as const
    const rest = { ...pin, from: pin.to, firstLine: pin.firstLine + 1, lines: 0, sum: sumOf([]), gap }
    return deliverBatch(deps, { ...batch, record: pinned(record, rest, deps.clock.nowMs()), lines: [] })
  }
  const count = middleOf(lines, batch.source)
  const halves = [lines.slice(0, count), lines.slice(count)] as const
  const middle = pin.from + bytesOf(halves[0])
  const first = { ...pin, to: middle, lines: count, sum: sumOf(halves[0]), end: null }
  const before = await deps.fingerprintAt(middle)
  const after = await deliverBatch(deps, {
    ...batch,
    record: pinned(record, first, deps.clock.nowMs()),
    lines: halves[0],
    anchor: before
  })
  if (after.offset !== middle) return after
  const second = { ...pin, seq: after.nextSeq, from: middle, firstLine: pin.firstLine + count, gap: null }
  const rest = { ...second, lines: halves[1].length, sum: sumOf(halves[1]) }
  return deliverBatch(deps, { ...batch, record: pinned(after, rest, deps.clock.nowMs()), lines: halves[1] })
}

/**
 * Notes a batch on disk and delivers it; returns the stream behind it, or at the place of the service. Rejects when the
 * agent stops and when the journal cannot be written; the batch is pinned then.
 */
export async function deliverBatch(deps: BatchDeps, batch: PinnedBatch): Promise<StreamRecord> {
  const { record, lines, source, anchor } = batch
  const { pin, recovered: _, ...stream } = record
  await deps.journal.note(deps.noted?.(record) ?? record)
  const delivery = await deps.deliver({ record, pin, lines, source, anchor })
  if (delivery.kind === 'too_large') return deliverSmaller(deps, batch)
  if (delivery.kind === 'stored' && delivery.rejected > 0)
    deps.log('records rejected', { path: stream.path, rejected: delivery.rejected, from: pin.from, to: pin.to })
  const { position } = delivery
  if (position.nextSeq !== pin.seq + 1 || position.bytesTo !== pin.to) return moved(deps, record, position)
  const { recovered } = position
  const place = { offset: pin.to, anchor, nextLine: pin.firstLine + pin.lines, nextSeq: pin.seq + 1 }
  return {
    ...stream,
    ...(recovered !== undefined && { recovered }),
    ...place,
    pin: null,
    endedAtMs: pin.end === null ? null : deps.clock.nowMs()
  }
}
