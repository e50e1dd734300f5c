import { LIMITS } from '../limits.js'
import { FileView } from './file-view.js'
import { type OpenFile, sha256 } from './open-file.js'
import { readPinned } from './pinned-lines.js'
import type { Mark, SeenStream } from './stream-record.js'

async function hasMark(file: FileView, { offset, anchor }: Mark): Promise<boolean> {
  // Where bytes were lost, it is not known what was before the offset.
  if (offset > 0 && anchor.bytes === 0) return false
  return sha256(await file.read(offset - anchor.bytes, anchor.bytes)) === anchor.sum
}

/** Up to where a stream read its file, the part included that was being sent. */
export function readTo({ record: { offset, pin }, marks }: SeenStream): number {
  return marks.reduce((to, mark) => Math.max(to, mark.offset), pin?.to ?? offset)
}

/** Whether a stream has read nothing of its file yet: no bytes of it are known. */
export function isUnread(seen: SeenStream): boolean {
  return readTo(seen) === 0 && seen.record.head.bytes === 0
}

/**
 * Whether a file has what is known of a stream: its first bytes, those before the places up to which it was read, and the
 * part that was being sent.
 */
export async function isFileOf(file: FileView, seen: SeenStream): Promise<boolean> {
  const { record, marks } = seen
  const { head, pin } = record
  const to = readTo(seen)
  if (isUnread(seen)) return false
  if ((await file.size) < to || !(await file.beginsWith(head))) return false
  for (const mark of [record, ...marks]) if (!(await hasMark(file, mark))) return false
  return pin === null || (await readPinned(file, pin)) !== null
}

/** Whether a file is the beginning of another one, or all of it; of an empty one that is not known. */
async function isBeginningOf(file: FileView, whole: FileView): Promise<boolean> {
  const size = await file.size
  if (size === 0 || (await whole.size) < size) return false
  const from = Math.max(0, size - LIMITS.anchorBytes)
  const end = await file.read(from, size - from)
  return end.equals(await whole.read(from, end.length))
}

/**
 * Whether a file is a copy of the one that a stream reads, which is open as `own`, or has what was cut off from it. A file
 * that only begins with the same bytes is not: while `own` has what was read of it, a copy has nothing else than `own`.
 */
export async function isCopyOf(file: FileView, seen: SeenStream, own: FileView | null): Promise<boolean> {
  if (isUnread(seen)) return own !== null && isBeginningOf(file, own)
  if (!(await isFileOf(file, seen))) return false
  return own === null || !(await isFileOf(own, seen)) || isBeginningOf(file, own)
}

/**
 * Whether a file has all of the one that a stream reads, which is removed: editors and `rsync` write another file and give it
 * the name of the old one.
 */
export async function replaces(file: FileView, seen: SeenStream, own: OpenFile): Promise<boolean> {
  if (isUnread(seen) || !(await own.state()).isDeleted) return false
  return (await isFileOf(file, seen)) && isBeginningOf(new FileView(own), file)
}
