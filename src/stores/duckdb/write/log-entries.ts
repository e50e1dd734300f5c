import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'

// DuckDB's write-ahead log, version 2: a header, then entries of `[u64 length][u64 checksum][body]`, little endian. A body
// begins with the number of its sort as a serialized field; a transaction ends with an entry of its own.
const HEADER = Buffer.from('640062650002ffff', 'hex')
const WORD_BYTES = 8
const HEAD_BYTES = 2 * WORD_BYTES
const SORT_AT = 2
const USE_TABLE = 0x19
const INSERT = 0x1a
const COMMIT = Buffer.from('640064ffff', 'hex')
const WINDOW_BYTES = 4 * 1024 * 1024

/** One entry: its place, where it ends, and whether it ends a transaction or only adds rows. */
interface Entry {
  readonly at: number
  readonly end: number
  readonly isCommit: boolean
  readonly isInsert: boolean
}

/** The entry at a place; null when it does not fit into the content. */
function entryAt(content: Buffer, at: number): Entry | null {
  if (at + HEAD_BYTES > content.length) return null
  const length = content.readBigUInt64LE(at)
  if (length <= SORT_AT || length > BigInt(content.length - at - HEAD_BYTES)) return null
  const body = at + HEAD_BYTES
  const sort = content[body + SORT_AT]!
  // A damaged commit is known by its length: no other entry is so short.
  const isCommit = Number(length) === COMMIT.length
  return { at, end: body + Number(length), isCommit, isInsert: sort === USE_TABLE || sort === INSERT }
}

/** Whether these are the first bytes of a log as this version of DuckDB writes it. */
export function isKnownLog(content: Buffer): boolean {
  return content.subarray(0, HEADER.length).equals(HEADER)
}

/** Where the entry begins whose body begins here, as DuckDB names places. */
export function entryBefore(position: number): number {
  return position - HEAD_BYTES
}

/** Where entries of a log stop making sense by their lengths; null when they do to its end, and for logs of other versions. */
export async function findBreak(walFile: string): Promise<number | null> {
  const handle = await open(walFile, 'r')
  try {
    return await breakOf(handle)
  } finally {
    await handle.close()
  }
}

async function breakOf(handle: FileHandle): Promise<number | null> {
  const { size } = await handle.stat()
  const window = Buffer.alloc(Math.min(size, WINDOW_BYTES))
  let [from, length] = [0, (await handle.read(window, 0, window.length, 0)).bytesRead]
  if (!isKnownLog(window)) return null
  for (let at = HEADER.length; at < size;) {
    if (at + HEAD_BYTES > size) return at
    if (at + WORD_BYTES > from + length) [from, length] = [at, (await handle.read(window, 0, window.length, at)).bytesRead]
    const body = window.readBigUInt64LE(at - from)
    if (body === 0n || body > BigInt(size - at - HEAD_BYTES)) return at
    at += HEAD_BYTES + Number(body)
  }
  return null
}

/**
 * Whether a transaction was committed within what is behind a damage, other than one that ends with the log: that one may
 * have been written while the power went, and was not acknowledged then.
 */
export function hasCommits(rest: Buffer): boolean {
  const at = rest.indexOf(COMMIT)
  return at >= 0 && at + COMMIT.length < rest.length
}

/** The parts of a log that can be used: up to the damaged transaction, and those behind it that only add rows. */
export interface UsableLog {
  readonly before: Buffer
  readonly behind: Buffer
}

/**
 * Splits a log at a damaged entry. The content of that entry is never searched: only its length gives the position of
 * the next entry. After it, rows may only be added: places of rows, which deletions name, have moved.
 */
export function aroundDamage(content: Buffer, damagedAt: number): UsableLog {
  let start = HEADER.length
  for (let entry = entryAt(content, start); entry !== null && entry.end <= damagedAt; entry = entryAt(content, entry.end))
    if (entry.isCommit) start = entry.end
  const from = endOfTransaction(content, damagedAt)
  let end = from
  for (let at = from, entry = entryAt(content, at); entry !== null; at = entry.end, entry = entryAt(content, at)) {
    if (!entry.isCommit && !entry.isInsert) break
    if (entry.isCommit) end = entry.end
  }
  return { before: content.subarray(0, start), behind: content.subarray(from, end) }
}

function endOfTransaction(content: Buffer, damagedAt: number): number {
  for (let entry = entryAt(content, damagedAt); entry !== null; entry = entryAt(content, entry.end))
    if (entry.isCommit) return entry.end
  return content.length
}
