import { stat } from 'node:fs/promises'
import type { FileSource } from '../config/config.js'
import { LIMITS } from '../limits.js'
import { FileStream, type StreamDeps } from './file-stream.js'
import { findPaths, matchesGlob } from './glob.js'
import { newStreamId } from './new-stream-id.js'
import { isSamePlace, OpenFile, sha256, type FilePlace } from './open-file.js'
import { isCompressed, isCopyOf, isFileOf, openContent, siblingsOf } from './recognize.js'
import type { StreamRecord } from './stream-record.js'

/** Clocks of file systems are a little late. */
const CLOCK_SLACK_MS = 1_000
const LOOK_NOTED_MS = 5_000
/** Rotated files grow again when their writers are late. */
const SIBLINGS_EVERY_MS = 10_000
const NONE = { bytes: 0, sum: sha256('') }

interface Seen extends FilePlace {
  readonly size: number
  readonly mtimeMs: number
}

async function look(path: string): Promise<Seen | null> {
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile()) return null
  return { dev: stats.dev, ino: stats.ino, bornMs: stats.birthtimeMs, size: stats.size, mtimeMs: stats.mtimeMs }
}

const stateOf = (seen: Seen): string => `${seen.dev} ${seen.ino} ${seen.bornMs} ${seen.size} ${seen.mtimeMs}`

/** Siblings of a path to look at, which changed after a time. */
interface SiblingLook {
  readonly source: FileSource
  readonly sinceMs: number
  readonly dueMs: number
}

/** Finds the files of all sources, makes streams of them, and notices what becomes of each. */
export class Follower {
  readonly #deps: StreamDeps
  readonly #sources: readonly FileSource[]
  readonly #folder: string
  readonly streams: FileStream[] = []
  /** Files that are no concern as long as they do not change. */
  readonly #settled = new Map<string, string>()
  readonly #siblingLooks = new Map<string, SiblingLook>()
  readonly #lookedAtMs = new Map<string, number>()
  #notedMs = 0
  #siblingsMs: number

  constructor(deps: Omit<StreamDeps, 'findRest'>, folder: string) {
    this.#deps = { ...deps, findRest: record => this.#findRest(record) }
    this.#sources = deps.config.logs.files
    this.#folder = folder
    this.#siblingsMs = deps.nowMs()
  }

  /** Goes on with the streams of the journal. */
  async resume(): Promise<void> {
    const { journal, nowMs } = this.#deps
    for (const record of journal.streams.values()) {
      const source = this.#sources.find(({ path }) => path === record.pattern)
      if (record.endedAtMs !== null || source === undefined) continue
      await this.#resume(source, record)
      this.#lookAtSiblings(record.path, source, (journal.patterns.get(record.pattern) ?? nowMs()) - CLOCK_SLACK_MS)
    }
  }

  /** One look at all sources. */
  async look(): Promise<void> {
    const { journal, nowMs } = this.#deps
    const startedMs = nowMs()
    for (const source of this.#sources) {
      const isFirst = !journal.patterns.has(source.path)
      const paths = (await findPaths(source.path)).filter(path => !source.exclude.some(pattern => matchesGlob(path, pattern)))
      for (const path of paths) await this.#found(path, source, isFirst)
      await this.#departed(source)
      this.#lookedAtMs.set(source.path, startedMs)
      if (isFirst || startedMs - this.#notedMs >= LOOK_NOTED_MS) await journal.looked(source.path, startedMs)
    }
    if (startedMs - this.#notedMs >= LOOK_NOTED_MS) this.#notedMs = startedMs
    this.#lookAtAllSiblings(startedMs)
    for (const [path, sibling] of this.#siblingLooks) if (sibling.dueMs <= startedMs) await this.#takeSiblings(path, sibling)
    for (let i = this.streams.length - 1; i >= 0; i--) if (this.streams[i]!.phase === 'ended') this.streams.splice(i, 1)
    await this.#forgetOld(startedMs)
  }

  /** Lets all streams read and send what is due. Returns whether one of them may go on at once. */
  async step(): Promise<boolean> {
    let isMore = false
    for (const stream of this.streams) {
      const wasLive = stream.phase === 'live'
      isMore = (await stream.step()) || isMore
      if (wasLive && stream.isCut) this.#lookAtSiblings(stream.record.path, stream.source, this.#since(stream.source))
    }
    return isMore
  }

  /** Resolves when no batch is in flight. */
  async idle(): Promise<void> {
    await Promise.all(this.streams.map(stream => stream.idle()))
  }

  async close(): Promise<void> {
    await Promise.all(this.streams.map(stream => stream.close()))
  }

  #lookAtAllSiblings(nowMs: number): void {
    if (nowMs - this.#siblingsMs < SIBLINGS_EVERY_MS) return
    const sinceMs = this.#siblingsMs - CLOCK_SLACK_MS
    this.#siblingsMs = nowMs
    for (const { phase, record, source } of this.streams) if (phase === 'live') this.#lookAtSiblings(record.path, source, sinceMs)
  }

  #since({ path }: FileSource): number {
    return (this.#lookedAtMs.get(path) ?? this.#deps.nowMs()) - CLOCK_SLACK_MS
  }

  async #resume(source: FileSource, record: StreamRecord): Promise<void> {
    const candidates = [record.path, ...(await siblingsOf(record.path)).filter(path => !isCompressed(path))]
    for (const path of candidates) {
      const seen = await look(path)
      if (seen === null || !isSamePlace(seen, record)) continue
      const file = await OpenFile.open(path).catch(() => null)
      if (file === null) continue
      if (await isFileOf(file, record)) {
        this.streams.push(new FileStream(this.#deps, source, record, file, path === record.path ? 'live' : 'leaving'))
        return
      }
      await file.close()
    }
    this.streams.push(new FileStream(this.#deps, source, record, null, 'cut'))
  }

  async #found(path: string, source: FileSource, isFirst: boolean): Promise<void> {
    const seen = await look(path)
    if (seen === null) return
    const owner = this.streams.find(stream => stream.phase === 'live' && stream.record.path === path)
    if (owner !== undefined) {
      if (owner.file !== null && isSamePlace(owner.file.place, seen)) return
      this.#depart(owner)
    }
    const isFollowed = this.streams.some(({ file }) => file !== null && isSamePlace(file.place, seen))
    if (isFollowed || this.#settled.get(path) === stateOf(seen)) return
    if (this.streams.length >= LIMITS.files) {
      this.#deps.log('too many files', { path, limit: LIMITS.files })
      return
    }
    const startAt = isFirst ? source.startAt : 'beginning'
    await this.#begin(path, source, { seen, startAt, isLive: !isCompressed(path) })
  }

  /** A stream for a file that no stream follows, unless one did until its end. False when the file cannot be read now. */
  async #begin(
    path: string,
    source: FileSource,
    { seen, startAt, isLive }: { readonly seen: Seen; readonly startAt: 'end' | 'beginning'; readonly isLive: boolean }
  ): Promise<boolean> {
    const file = await openContent(path, this.#folder)
    if (file === null) return false
    this.#settled.set(path, stateOf(seen))
    const { size } = await file.state()
    const known = await this.#known(file)
    if (known !== null && (known.endedAtMs === null || size <= known.offset)) {
      // What its stream reads may turn out to be another file.
      if (known.endedAtMs === null && !isCompressed(path)) this.#settled.delete(path)
      await file.close()
      return true
    }
    const phase = isLive ? 'live' : 'leaving'
    if (known !== null) {
      const { dev, ino, bornMs } = file.place
      const reopened = { ...known, endedAtMs: null, dev, ino, bornMs }
      this.streams.push(new FileStream(this.#deps, source, reopened, file, phase))
      return true
    }
    if (isCompressed(path) && startAt === 'end') {
      await file.close()
      return true
    }
    const record = await this.#newRecord(file, path, source, startAt === 'end' ? size : 0)
    this.streams.push(new FileStream(this.#deps, source, record, file, phase))
    return true
  }

  async #newRecord(file: OpenFile, path: string, source: FileSource, offset: number): Promise<StreamRecord> {
    const fingerprint = async (from: number, bytes: number) => ({ bytes, sum: sha256(await file.read(from, bytes)) })
    const anchorBytes = Math.min(offset, LIMITS.anchorBytes)
    const record = {
      id: newStreamId(this.#deps.nowMs()),
      pattern: source.path,
      path,
      ...file.place,
      head: offset === 0 ? NONE : await fingerprint(0, Math.min(offset, LIMITS.headBytes)),
      offset,
      anchor: await fingerprint(offset - anchorBytes, anchorBytes),
      nextLine: 1,
      nextSeq: 1,
      sealedAtMs: 0,
      pin: null,
      endedAtMs: null
    }
    // What comes after the end of the file belongs to the stream also if the agent stops before it comes.
    if (offset > 0) await this.#deps.journal.put(record)
    return record
  }

  /** The stream that read the file, or reads a copy of it; null for a file that is new. */
  async #known(file: OpenFile): Promise<StreamRecord | null> {
    for (const { phase, seen, file: own } of this.streams)
      if (phase !== 'ended' && (await isCopyOf(file, seen, own))) return { ...seen, endedAtMs: null }
    for (const record of this.#deps.journal.streams.values())
      if (record.endedAtMs !== null && !this.#isFollowed(record) && (await isFileOf(file, { ...record, pin: null })))
        return record
    return null
  }

  /** Whether an ended stream of the journal was opened again. */
  #isFollowed({ id }: StreamRecord): boolean {
    return this.streams.some(({ record, phase }) => record.id === id && phase !== 'ended')
  }

  async #departed(source: FileSource): Promise<void> {
    for (const stream of this.streams) {
      if (stream.phase !== 'live' || stream.source !== source) continue
      if ((await look(stream.record.path)) === null) this.#depart(stream)
    }
  }

  #depart(stream: FileStream): void {
    stream.depart()
    this.#lookAtSiblings(stream.record.path, stream.source, this.#since(stream.source))
  }

  /** A rotation may have left files that nobody saw under the name; they are looked at when they have had time to settle. */
  #lookAtSiblings(path: string, source: FileSource, sinceMs: number): void {
    const dueMs = this.#deps.nowMs() + this.#deps.config.logs.rotateWaitMs
    const earlier = this.#siblingLooks.get(path)?.sinceMs ?? sinceMs
    this.#siblingLooks.set(path, { source, sinceMs: Math.min(earlier, sinceMs), dueMs })
  }

  async #takeSiblings(path: string, { source, sinceMs, dueMs }: SiblingLook): Promise<void> {
    this.#siblingLooks.delete(path)
    let isUnsettled = false
    for (const sibling of await siblingsOf(path)) {
      const seen = await look(sibling)
      if (seen === null || seen.mtimeMs < sinceMs || this.#settled.get(sibling) === stateOf(seen)) continue
      if (this.streams.some(({ file }) => file !== null && isSamePlace(file.place, seen))) continue
      if (this.#deps.nowMs() - seen.mtimeMs < this.#deps.config.logs.rotateWaitMs) isUnsettled = true
      else if (!(await this.#begin(sibling, source, { seen, startAt: 'beginning', isLive: false }))) isUnsettled = true
    }
    if (isUnsettled) this.#siblingLooks.set(path, { source, sinceMs, dueMs: dueMs + this.#deps.config.logs.rotateWaitMs })
  }

  /** A file next to that of the stream that has what the stream read of it, and that no other stream follows. */
  async #findRest(record: StreamRecord): Promise<OpenFile | null> {
    const own = isCompressed(record.path) ? [record.path] : []
    for (const path of [...own, ...(await siblingsOf(record.path))]) {
      const seen = await look(path)
      if (seen === null || this.streams.some(({ file }) => file !== null && isSamePlace(file.place, seen))) continue
      const file = await openContent(path, this.#folder)
      if (file === null) continue
      if (await isFileOf(file, record)) return file
      await file.close()
    }
    return null
  }

  async #forgetOld(nowMs: number): Promise<void> {
    for (const { id, endedAtMs } of this.#deps.journal.streams.values())
      if (endedAtMs !== null && endedAtMs < nowMs - LIMITS.endedMs) await this.#deps.journal.forget(id)
  }
}
