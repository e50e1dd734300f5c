import { dirname } from 'node:path'
import type { FileSource } from '../config/config.js'
import { LIMITS } from '../limits.js'
import { FileStream } from './file-stream.js'
import { type SeenFile, seeFile, stateOf } from './file-state.js'
import { FollowedStreams } from './followed-streams.js'
import { newRecord } from './new-record.js'
import { isCompressed, openContent, UnreadableFormatError } from './open-content.js'
import { isSamePlace, type OpenFile } from './open-file.js'
import { readTo } from './recognize.js'
import { type Known, Recognizer } from './recognizer.js'
import { SettledFiles } from './settled-files.js'
import { CLOCK_SLACK_MS, type Outcome, SiblingFinder } from './sibling-finder.js'
import { FirstLook } from './first-look.js'
import { Glob } from './glob.js'
import { KnownUntil } from './known-until.js'
import { FolderNames, siblingsOf } from './siblings.js'
import { Source } from './source.js'
import type { StreamDeps } from './stream-deps.js'
import type { StreamRecord } from './stream-record.js'

const LOOK_NOTED_MS = 5_000
const UPKEEP_EVERY_MS = 600_000

/** Finds the files of all sources, makes streams of them, and notices what becomes of each. */
export class Follower {
  readonly #deps: StreamDeps
  readonly #sources: readonly Source[]
  readonly #folder: string
  readonly #streams = new FollowedStreams()
  readonly #recognizer: Recognizer
  readonly #settled = new SettledFiles()
  readonly #siblings: SiblingFinder
  #firstLook: FirstLook
  readonly #known: KnownUntil
  #notedMs = Number.NEGATIVE_INFINITY
  #upkeepMs: number
  #firstStream = 0

  /** @param folder for the content of compressed files. */
  constructor(
    deps: Omit<StreamDeps, 'findRest' | 'findReplacement' | 'rotated'>,
    folder: string,
    files: readonly FileSource[],
    firstLook = new FirstLook()
  ) {
    this.#firstLook = firstLook
    this.#recognizer = new Recognizer(this.#streams, deps.journal, folder)
    this.#deps = {
      ...deps,
      findRest: (seen, source) => this.#recognizer.findRest(seen, source),
      findReplacement: (seen, source, own) => this.#recognizer.findReplacement(seen, source, own),
      rotated: (path, source) => this.#lookAtSiblings(path, source)
    }
    this.#sources = files.map(file => new Source(file))
    this.#folder = folder
    this.#upkeepMs = deps.clock.elapsedMs()
    this.#known = new KnownUntil({ clock: deps.clock, journal: deps.journal, streams: this.#streams, settled: this.#settled })
    this.#siblings = new SiblingFinder({
      sources: this.#sources,
      clock: deps.clock,
      rotateWaitMs: deps.config.logs.rotateWaitMs,
      streams: this.#streams,
      settled: this.#settled,
      undecidedSinceMs: source => this.#known.undecidedSinceMs(source),
      begin: (path, source, seen) => this.#begin(path, source, seen, 'beginning')
    })
  }

  get streams(): readonly FileStream[] {
    return this.#streams.all
  }

  /** Whether all streams wait for their files to grow. */
  get isQuiet(): boolean {
    return this.#streams.all.every(({ isQuiet }) => isQuiet)
  }

  get bytesRead(): number {
    return this.#streams.all.reduce((sum, stream) => sum + stream.bytesRead, 0)
  }

  /** Folders of the streams, and of the paths that files may come to. */
  get folders(): readonly string[] {
    const ofSources = this.#sources.map(({ glob }) => dirname(glob.pattern)).filter(folder => new Glob(folder).isPath)
    const ofStreams = this.#streams.all.map(({ record }) => dirname(record.path))
    return [...new Set([...ofSources, ...ofStreams])]
  }

  /** Goes on with the streams of the journal. */
  async resume(): Promise<void> {
    const folders = new FolderNames()
    // Where several streams could go on in a file, the one that knows most of it does, else the latest.
    const records = [...this.#deps.journal.streams.values()]
      .toReversed()
      .toSorted((a, b) => readTo({ record: b, marks: [] }) - readTo({ record: a, marks: [] }))
    for (const record of records) {
      // The configuration may have another pattern for the path now.
      const source = this.#sources.find(({ glob }) => glob.pattern === record.pattern) ?? this.#sourceOf(record.path)
      if (source === undefined) continue
      if (record.endedAtMs === null) await this.#resume({ ...record, pattern: source.glob.pattern }, source, folders)
      const lookedAtMs = this.#known.ofJournalMs(source, record.pattern)
      if (lookedAtMs !== null) this.#lookAtSiblings(record.path, source, lookedAtMs - CLOCK_SLACK_MS)
    }
    for (const source of this.#sources)
      if (this.#deps.journal.patterns.has(source.glob.pattern))
        for (const path of await source.formerPaths(folders)) this.#lookAtSiblings(path, source)
  }

  /** One look at all sources. */
  async look(): Promise<void> {
    const { clock } = this.#deps
    const [nowMs, elapsedMs] = [clock.nowMs(), clock.elapsedMs()]
    this.#recognizer.beginLook()
    const folders = new FolderNames()
    for (const source of this.#sources) await this.#lookAt(source, nowMs, elapsedMs)
    await this.#takeRotated(folders)
    this.#firstLook = new FirstLook()
    await this.#siblings.take(nowMs, elapsedMs, folders)
    await this.#noteLooks(nowMs, elapsedMs)
    if (elapsedMs - this.#upkeepMs >= UPKEEP_EVERY_MS) {
      this.#upkeepMs = elapsedMs
      await this.#forgetOld(nowMs)
    }
  }

  /** Lets all streams read and send what is due. Returns whether one of them may go on at once. */
  async step(): Promise<boolean> {
    let isMore = false
    const { all } = this.#streams
    // Each begins once, so that one with a backlog does not keep others from their share of memory.
    this.#firstStream = all.length === 0 ? 0 : (this.#firstStream + 1) % all.length
    for (let i = 0; i < all.length; i++) isMore = (await all[(this.#firstStream + i) % all.length]!.step()) || isMore
    return isMore
  }

  /** Resolves when no batch is in flight. */
  async idle(): Promise<void> {
    await Promise.all(this.#streams.all.map(stream => stream.idle()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#streams.all.map(stream => stream.close()))
  }

  #sourceOf(path: string): Source | undefined {
    return this.#sources.find(source => source.matches(path))
  }

  async #resume(record: StreamRecord, source: Source, folders: FolderNames): Promise<void> {
    const found = await this.#recognizer.findAgain(record, source, folders)
    const isLive = found?.path === record.path && source.isLive(record.path)
    const phase = isLive ? 'live' : 'leaving'
    this.#streams.add(new FileStream(this.#deps, source, record, found?.file ?? null, found === null ? 'cut' : phase))
  }

  async #lookAt(source: Source, nowMs: number, elapsedMs: number): Promise<void> {
    const { journal, faults } = this.#deps
    const isFirst = !journal.patterns.has(source.glob.pattern)
    const there = new Set<string>()
    for (const path of await source.paths((path, err) => faults.report('path not readable', path, { path, err }))) {
      const seen = await seeFile(path)
      if (seen === null) continue
      there.add(path)
      await this.#found(path, source, seen, this.#firstLook.startAt(source, seen, isFirst), nowMs)
    }
    for (const stream of this.#streams.all) {
      const { phase, record } = stream
      if (phase !== 'live' || stream.source !== source || there.has(record.path)) continue
      if ((await seeFile(record.path)) === null) this.#depart(stream)
    }
    this.#known.looked(source, nowMs, elapsedMs)
  }

  async #found(path: string, source: Source, seen: SeenFile, startAt: 'end' | 'beginning', nowMs: number): Promise<void> {
    for (const owner of this.#streams.liveAt(path)) {
      if (owner.file !== null && isSamePlace(owner.file.place, seen)) {
        if (seen.size === 0) this.#streams.noteEmpty(owner, nowMs)
        return this.#settled.drop(path)
      }
      this.#depart(owner)
    }
    if (this.#streams.isFollowed(seen)) return this.#settled.drop(path)
    if (!this.#settled.needsLook(path, stateOf(seen), this.#deps.clock.elapsedMs())) return
    if (this.#streams.all.length >= LIMITS.files) {
      this.#deps.faults.report('too many files', source.glob.pattern, { pattern: source.glob.pattern, limit: LIMITS.files })
      return
    }
    await this.#begin(path, source, seen, startAt)
  }

  /** Decides on a file that no stream follows, as far as it can be read and recognized now. */
  async #begin(path: string, source: Source, seen: SeenFile, startAt: 'end' | 'beginning'): Promise<Outcome> {
    const { clock, config, faults } = this.#deps
    const { rotateWaitMs } = config.logs
    if (isCompressed(path) && this.#isOlderThanAgent(source, seen, startAt))
      return this.#settled.settle(path, stateOf(seen), null)
    let file: OpenFile | null = null
    try {
      file = await openContent(path, this.#folder)
      const known = await this.#recognizer.known(file, { path, source, file: file.place })
      if (known !== null && known.kind !== 'beginning') await file.close()
      if (known?.kind === 'reading') {
        // What its stream reads may turn out to be another file.
        return this.#settled.defer(path, seen, rotateWaitMs, clock.elapsedMs())
      }
      if (known?.kind !== 'whole') await this.#open(file, { path, source, seen, startAt, known })
      return this.#settled.settle(path, stateOf(seen), known?.record.id ?? null)
    } catch (error) {
      faults.report('file not readable', path, { path, err: error instanceof Error ? error.message : String(error) })
      await file?.close()
      if (error instanceof UnreadableFormatError) return this.#settled.settle(path, stateOf(seen), null)
      return this.#settled.defer(path, seen, rotateWaitMs, clock.elapsedMs())
    }
  }

  /** Whether a compressed file was there before the agent, which begins at the end of what there was. */
  #isOlderThanAgent({ glob, file }: Source, { bornMs }: SeenFile, startAt: 'end' | 'beginning'): boolean {
    const firstMs = this.#deps.journal.patterns.get(glob.pattern)?.firstMs ?? Number.POSITIVE_INFINITY
    return file.startAt === 'end' && (startAt === 'end' || (bornMs > 0 && bornMs < firstMs))
  }

  async #open(
    file: OpenFile,
    about: { path: string; source: Source; seen: SeenFile; startAt: 'end' | 'beginning'; known: Known | null }
  ): Promise<void> {
    const { path, source, seen, startAt, known } = about
    const isLive = source.isLive(path)
    const { size } = await file.state()
    const record =
      known?.kind === 'beginning'
        ? { ...known.record, endedAtMs: null, ...file.place, ...(isLive && { path }) }
        : await this.#newRecord(file, path, source, startAt === 'end' ? this.#firstLook.endOf(file.place, size) : 0)
    this.#streams.addNew(new FileStream(this.#deps, source, record, file, isLive ? 'live' : 'leaving'), seen.mtimeMs)
    // Others may have had its name since the last look.
    if (isLive && this.#deps.journal.patterns.has(source.glob.pattern)) this.#lookAtSiblings(path, source)
  }

  async #newRecord(file: OpenFile, path: string, source: Source, offset: number): Promise<StreamRecord> {
    const record = await newRecord(file, { path, pattern: source.glob.pattern, offset, nowMs: this.#deps.clock.nowMs() })
    // What comes after the end of the file belongs to the stream also if the agent stops before it comes.
    if (offset > 0) await this.#deps.journal.put(record)
    return record
  }

  /** Files that were rotated while the agent waited for its first look. */
  async #takeRotated(folders: FolderNames): Promise<void> {
    for (const source of this.#sources) {
      if (this.#deps.journal.patterns.has(source.glob.pattern)) continue
      for (const former of await source.formerPaths(folders))
        for (const path of (await siblingsOf(former, folders)).paths) await this.#takeIfThere(path, source)
    }
  }

  async #takeIfThere(path: string, source: Source): Promise<void> {
    const seen = await seeFile(path)
    if (seen === null || !this.#firstLook.wasThere(seen) || this.#streams.isFollowed(seen)) return
    await this.#begin(path, source, seen, source.file.startAt)
  }

  #depart(stream: FileStream): void {
    stream.depart()
    this.#lookAtSiblings(stream.record.path, stream.source)
  }

  /** A rotation may have left files that were never seen under the name; they are looked at when they have had time to settle. */
  #lookAtSiblings(path: string, source: Source, sinceMs = this.#known.lookedUntilMs(source)): void {
    this.#siblings.schedule({ path, source, sinceMs })
  }

  /** Notes up to when all files of each source are known: what is written later is looked at after a restart. */
  async #noteLooks(nowMs: number, elapsedMs: number): Promise<void> {
    const { journal } = this.#deps
    const isDue = elapsedMs - this.#notedMs >= LOOK_NOTED_MS
    if (isDue) this.#notedMs = elapsedMs
    for (const source of this.#sources) {
      const { pattern } = source.glob
      if (!isDue && journal.patterns.has(pattern)) continue
      const siblingsMs = this.#siblings.knownUntilMs(source) + CLOCK_SLACK_MS
      await journal.looked(pattern, this.#known.notedMs(source, siblingsMs), nowMs)
    }
  }

  /** Forgets streams that ended long ago and whose files are gone, and files that are gone. */
  async #forgetOld(nowMs: number): Promise<void> {
    const { journal } = this.#deps
    await this.#settled.prune(async path => (await seeFile(path)) !== null)
    const there = this.#settled.streamIds()
    for (const { id, path, endedAtMs, sealedAtMs, cursor } of [...journal.streams.values()]) {
      // Of the system journal.
      if (cursor !== undefined) continue
      const isOrphan = endedAtMs === null && !this.#streams.all.some(({ record }) => record.id === id)
      const quietSinceMs = isOrphan && this.#sourceOf(path) === undefined ? sealedAtMs : endedAtMs
      if (quietSinceMs !== null && quietSinceMs < nowMs - LIMITS.endedMs && !there.has(id)) await journal.forget(id)
    }
  }
}
