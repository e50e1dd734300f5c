import { readdir, readFile, truncate } from 'node:fs/promises'
import path from 'node:path'
import { GatewayError } from '../../domain/errors.js'
import { AppendFile } from '../disk/append-file.js'
import { type Damage, FRAME_HEADER_BYTES, type FoundFrame, scanFrames } from '../disk/checked-frames.js'
import { removeFile, syncFile } from '../disk/durable-files.js'
import type { SetAside } from '../disk/set-aside.js'
import { decodeMarks, MARK_BYTES } from './done-marks.js'
import { markedSegment, marksFile, SpoolSegment, segmentNumber } from './segment.js'
import { type FrameFacts, frameFacts, isSpoolFrame, SPOOL_MAGIC } from './spool-frames.js'
import { whenMissing } from '../disk/when-missing.js'
import type { WaitingFrame } from './spool-queue.js'

/** A frame of an earlier start that waits. */
export interface RecoveredFrame {
  readonly facts: FrameFacts
  readonly frame: WaitingFrame
}

/** What was found. */
export interface RecoveredSpool {
  readonly segments: readonly SpoolSegment[]
  /** In the order of their numbers. */
  readonly frames: readonly RecoveredFrame[]
  /** What had to be repaired, as sentences; empty when all was well. */
  readonly repairs: readonly string[]
}

interface Reading {
  readonly folder: string
  readonly setAside: SetAside
  readonly repairs: string[]
}

/** Reads all files of the spool. `conflict` when one has a format that this version does not know. */
export async function recoverSpool(folder: string, setAside: SetAside): Promise<RecoveredSpool> {
  const names = await readdir(folder)
  const files = names.filter(name => segmentNumber(name) !== null).sort()
  const reading: Reading = { folder, setAside, repairs: [] }
  const segments: SpoolSegment[] = []
  const frames: RecoveredFrame[] = []
  for (const name of files) {
    const found = await readSegment(reading, name)
    segments.push(found.segment)
    frames.push(...found.frames)
  }
  await removeOrphans(folder, names)
  return { segments, frames: await inOrder(frames), repairs: reading.repairs }
}

/** By number; of a frame that was being moved when the process ended, and is there twice, one copy is marked. */
async function inOrder(frames: readonly RecoveredFrame[]): Promise<RecoveredFrame[]> {
  const sorted = frames.toSorted((a, b) => a.facts.number - b.facts.number)
  const isCopy = (i: number): boolean => sorted[i]!.facts.number === sorted[i - 1]?.facts.number
  for (const [i, { frame }] of sorted.entries()) if (isCopy(i)) await frame.segment.mark([frame])
  return sorted.filter((_, i) => !isCopy(i))
}

/** Marks whose file of frames is gone. */
async function removeOrphans(folder: string, names: readonly string[]): Promise<void> {
  const present = new Set(names)
  for (const name of names) {
    const marked = markedSegment(name)
    if (marked !== null && !present.has(marked)) await removeFile(path.join(folder, name))
  }
}

async function readSegment(
  reading: Reading,
  name: string
): Promise<{ readonly segment: SpoolSegment; readonly frames: readonly RecoveredFrame[] }> {
  const file = path.join(reading.folder, name)
  const content = await readFile(file)
  requireKnownFormat(name, content)
  const segment = new SpoolSegment(AppendFile.found(file, content.length))
  const start = Math.min(SPOOL_MAGIC.length, content.length)
  const { frames, damages } = scanFrames(content, start, isSpoolFrame)
  const at = { name, file, content, segment }
  for (const damage of damages) await keepDamage(reading, at, damage)
  const marks = await readMarks(file)
  const waiting: RecoveredFrame[] = []
  for (const frame of frames) {
    const facts = frameFacts(frame.body)
    if (!facts) await keepDamage(reading, at, { from: frame.at, to: frame.at + FRAME_HEADER_BYTES + frame.body.length })
    else if (marks.get(frame.at) !== facts.number) waiting.push(waitingFrame(segment, frame, facts))
  }
  return { segment, frames: waiting }
}

function requireKnownFormat(name: string, content: Buffer): void {
  const family = SPOOL_MAGIC.length - 1
  const isOfFamily = content.length >= SPOOL_MAGIC.length && SPOOL_MAGIC.compare(content, 0, family, 0, family) === 0
  if (!isOfFamily || content[family] === SPOOL_MAGIC[family]) return
  throw new GatewayError('conflict', `the file ${name} of the spool has a format that this version does not read`)
}

interface SegmentContent {
  readonly name: string
  readonly file: string
  readonly content: Buffer
  readonly segment: SpoolSegment
}

/** What is not a frame is set aside; at the end of a file, where a write was broken off, it is also cut off. */
async function keepDamage({ setAside, repairs }: Reading, found: SegmentContent, { from, to }: Damage): Promise<void> {
  const { name, file, content, segment } = found
  const isTail = to === content.length
  const what = `the spool ${isTail ? 'was truncated' : 'was damaged'} at byte ${from} of ${name}; ${to - from} bytes were`
  try {
    repairs.push(`${what} set aside as ${await setAside.keep(`${name}.${from}`, [content.subarray(from, to)])}`)
    if (!isTail) return
    await truncate(file, from)
    await syncFile(file)
  } catch {
    // No room for the copy: the file itself stays where it is.
    segment.isHeld = true
    repairs.push(`${what} left in it`)
  }
}

/** The marks of a file. A torn one is cut off, so that later ones are aligned. */
async function readMarks(file: string): Promise<Map<number, number>> {
  const name = marksFile(file)
  const bytes = await readFile(name).catch(whenMissing(null))
  if (bytes === null) return new Map()
  const torn = bytes.length % MARK_BYTES
  if (torn > 0) await truncate(name, bytes.length - torn)
  return decodeMarks(bytes)
}

function waitingFrame(segment: SpoolSegment, { at, body }: FoundFrame, facts: FrameFacts): RecoveredFrame {
  const { number, atMs, records } = facts
  const bytes = FRAME_HEADER_BYTES + body.length
  return { facts, frame: { number, atMs, records, bytes, segment, at, isGone: false } }
}
