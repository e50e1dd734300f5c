import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { LIMITS } from '../limits.js'
import { type Line, LineSplitter } from './line-splitter.js'
import { OpenFile, sha256 } from './open-file.js'
import type { Pin, StreamRecord } from './stream-record.js'

/** Sum of lines: equal for the same bytes, however they were read. */
export function sumOf(lines: readonly Line[]): string {
  const hash = createHash('sha256')
  for (const { bytes, text } of lines) hash.update(`${bytes} ${text}\n`)
  return hash.digest('hex')
}

/** The lines of a pinned part, read again; null when the file does not have them any more. */
export async function readPinned(file: OpenFile, pin: Pin): Promise<readonly Line[] | null> {
  const lines: Line[] = []
  const splitter = new LineSplitter()
  for (let at = pin.from; at < pin.to;) {
    const chunk = await file.read(at, Math.min(LIMITS.readBytes, pin.to - at))
    if (chunk.length === 0) return null
    splitter.push(chunk, lines)
    at += chunk.length
  }
  const last = splitter.flush()
  if (last !== null) lines.push(last)
  return lines.length === pin.lines && sumOf(lines) === pin.sum ? lines : null
}

/** Whether a file has what is known of a stream: its first bytes, those before its offset, and the part that was being sent. */
export async function isFileOf(file: OpenFile, record: StreamRecord): Promise<boolean> {
  const { head, anchor, offset, pin } = record
  const { size } = await file.state()
  if (size < (pin?.to ?? offset) || (offset === 0 && head.bytes === 0)) return false
  // Where bytes were lost, nobody knows what was before the offset.
  if (offset > 0 && anchor.bytes === 0) return false
  if (sha256(await file.read(0, head.bytes)) !== head.sum) return false
  if (sha256(await file.read(offset - anchor.bytes, anchor.bytes)) !== anchor.sum) return false
  return pin === null || (await readPinned(file, pin)) !== null
}

/** Whether a file is the beginning of another one, or all of it. */
async function isBeginningOf(file: OpenFile, whole: OpenFile): Promise<boolean> {
  const { size } = await file.state()
  const from = Math.max(0, size - LIMITS.anchorBytes)
  const end = await file.read(from, size - from)
  return end.equals(await whole.read(from, end.length))
}

/**
 * Whether a file is a copy of the one that a stream reads, which is open as `own`, or has what was cut off from it. A file
 * that only begins with the same bytes is none: as long as `own` has what was read of it, a copy has nothing else than `own`.
 */
export async function isCopyOf(file: OpenFile, seen: StreamRecord, own: OpenFile | null): Promise<boolean> {
  if (seen.offset === 0 || !(await isFileOf(file, seen))) return false
  return own === null || !(await isFileOf(own, seen)) || isBeginningOf(file, own)
}

/** Files next to one that a rotation may have made of it: `name.1`, `name-20260101`, `name.1.gz`; oldest first. */
export async function siblingsOf(path: string): Promise<readonly string[]> {
  const [folder, name] = [dirname(path), basename(path)]
  const stem = name.replace(/\.[^.]*$/, '')
  const isSibling = (other: string): boolean =>
    other !== name && (other.startsWith(`${name}.`) || other.startsWith(`${name}-`) || other.startsWith(`${stem}-`))
  const names = await readdir(folder).catch((): string[] => [])
  const found: { path: string; mtimeMs: number }[] = []
  for (const other of names.filter(isSibling)) {
    const stats = await stat(join(folder, other)).catch(() => null)
    if (stats?.isFile()) found.push({ path: join(folder, other), mtimeMs: stats.mtimeMs })
  }
  return found.toSorted((a, b) => a.mtimeMs - b.mtimeMs).map(one => one.path)
}

export function isCompressed(path: string): boolean {
  return path.endsWith('.gz')
}

/** Unpacks a compressed file into `to`. False when it is not whole yet. */
async function unpack(path: string, to: string): Promise<boolean> {
  return pipeline(createReadStream(path), createGunzip(), createWriteStream(to, { mode: 0o600 })).then(
    () => true,
    () => false
  )
}

/** Opens a file, a compressed one by its content in `folder`; null when it cannot be read now. */
export async function openContent(path: string, folder: string): Promise<OpenFile | null> {
  if (!isCompressed(path)) return OpenFile.open(path).catch(() => null)
  const unpacked = join(folder, `unpacked-${sha256(path).slice(0, 16)}`)
  try {
    // Its name may go at once: the open file keeps the content.
    return (await unpack(path, unpacked)) ? await OpenFile.open(unpacked) : null
  } finally {
    await rm(unpacked, { force: true })
  }
}
