import type { Journal } from '../journal/journal.js'
import { seeFile } from './file-state.js'
import { FileView } from './file-view.js'
import type { FileStream } from './file-stream.js'
import type { FollowedStreams } from './followed-streams.js'
import { isCompressed, openContent } from './open-content.js'
import { isSamePlace, type OpenFile } from './open-file.js'
import { isCopyOf, isFileOf, isUnread, readTo, replaces } from './recognize.js'
import { type FolderNames, originalsOf, siblingsOf } from './siblings.js'
import { isOfRotation, type RotatedStream, type SourcePlace } from './rotation.js'
import type { Source } from './source.js'
import type { Rest } from './stream-deps.js'
import type { SeenStream, StreamRecord } from './stream-record.js'

/** The stream that knows the content of a file. */
export type Known =
  /** It is read now, or its rest is looked for; what becomes of the file is known later. */
  | { readonly kind: 'reading'; readonly stream: FileStream }
  /** It has all of the file. */
  | { readonly kind: 'whole'; readonly record: StreamRecord }
  /** It has the beginning of the file and ended. */
  | { readonly kind: 'beginning'; readonly record: StreamRecord }

function ofRotation({ seen, phase }: FileStream): RotatedStream {
  return { record: seen.record, isLive: phase === 'live' }
}

/** Finds the streams of files, and the files of streams. */
export class Recognizer {
  readonly #streams: FollowedStreams
  readonly #journal: Journal
  readonly #folder: string
  /** Files of streams that have read nothing, as of this look. */
  #unread = new Map<OpenFile, FileView>()

  /** @param folder for the content of compressed files. */
  constructor(streams: FollowedStreams, journal: Journal, folder: string) {
    this.#streams = streams
    this.#journal = journal
    this.#folder = folder
  }

  /** A look begins: files may have changed since the one before. */
  beginLook(): void {
    this.#streams.refresh()
    this.#unread = new Map()
  }

  /** The stream that read a file, or reads a copy of it; null for a file that is new. */
  async known(opened: OpenFile, place: SourcePlace): Promise<Known | null> {
    const file = new FileView(opened)
    for (const stream of this.#streams.all) {
      const { phase, seen, file: own } = stream
      if (phase === 'ended' || !(await file.beginsWith(seen.record.head)) || !isOfRotation(place, ofRotation(stream))) continue
      // Nothing of it is known yet: of a thousand new files not each is to be compared with each.
      if (own !== null && isUnread(seen) && !(await file.agreesWith(this.#unreadView(own)))) continue
      if (await isCopyOf(file, seen, own === null ? null : new FileView(own))) return { kind: 'reading', stream }
      // When it has ended, it goes on in the file, which may have been rotated already.
      const hasItsName = originalsOf(place.path).includes(seen.record.path)
      if (own !== null && hasItsName && (await replaces(file, seen, own))) return { kind: 'reading', stream }
    }
    return this.#ended(file, place)
  }

  #unreadView(file: OpenFile): FileView {
    const view = this.#unread.get(file) ?? new FileView(file)
    this.#unread.set(file, view)
    return view
  }

  async #ended(file: FileView, place: SourcePlace): Promise<Exclude<Known, { kind: 'reading' }> | null> {
    const size = await file.size
    let beginning: StreamRecord | null = null
    for (const record of this.#journal.streams.values()) {
      if (record.endedAtMs === null || record.offset > size || !(await file.beginsWith(record.head))) continue
      if (
        !isOfRotation(place, { record, isLive: false }) ||
        !(await isFileOf(file, { record: { ...record, pin: null }, marks: [] }))
      )
        continue
      if (record.offset === size) return { kind: 'whole', record }
      // Of several the one that has most of the file.
      if (!this.#isFollowed(record) && record.offset > (beginning?.offset ?? -1)) beginning = record
    }
    return beginning === null ? null : { kind: 'beginning', record: beginning }
  }

  /** Whether an ended stream of the journal was opened again. */
  #isFollowed({ id }: StreamRecord): boolean {
    return this.#streams.all.some(({ record, phase }) => record.id === id && phase !== 'ended')
  }

  /** The file that a stream of the journal read, where it is the same on disk and no other stream's; null when it is not found. */
  async findAgain(record: StreamRecord, source: Source, folders: FolderNames): Promise<{ file: OpenFile; path: string } | null> {
    for (const path of await this.#candidates(record, source, folders)) {
      const seen = await seeFile(path)
      if (seen === null || !isSamePlace(seen, record) || this.#streams.isFollowed(seen)) continue
      const file = await this.#openIf(path, view => isFileOf(view, { record, marks: [] }))
      if (file !== null) return { file, path }
    }
    return null
  }

  /** A file that has what a stream read of its own, and that no other stream follows, has read, or has more of. */
  async findRest(seen: SeenStream, source: Source): Promise<Rest | null> {
    this.#streams.refresh()
    for (const path of await this.#candidates(seen.record, source)) {
      const state = await seeFile(path)
      if (state === null || this.#streams.isFollowed(state)) continue
      const file = await this.#openIf(path, view => this.#isRest(view, { path, source, file: state }, seen))
      if (file !== null) return { file, isAtPath: path === seen.record.path && !isCompressed(path) }
    }
    return null
  }

  /** The file that has the path of a stream whose own is removed, and all of that. */
  async findReplacement(seen: SeenStream, source: Source, own: OpenFile): Promise<Rest | null> {
    const { path } = seen.record
    this.#streams.refresh()
    const state = await seeFile(path)
    if (state === null || this.#streams.isFollowed(state)) return null
    const place = { path, source, file: state }
    const file = await this.#openIf(
      path,
      async view => (await replaces(view, seen, own)) && (await this.#isRest(view, place, seen))
    )
    return file && { file, isAtPath: true }
  }

  /** The file at a path, when it can be read and is the one that is looked for. */
  async #openIf(path: string, accepts: (view: FileView) => Promise<boolean>): Promise<OpenFile | null> {
    // A file that cannot be read now is looked at again.
    const file = await openContent(path, this.#folder).catch(() => null)
    if (file === null) return null
    let isKept = false
    try {
      isKept = await accepts(new FileView(file))
      return isKept ? file : null
    } finally {
      if (!isKept) await file.close()
    }
  }

  async #isRest(file: FileView, place: SourcePlace, seen: SeenStream): Promise<boolean> {
    if (!(await isFileOf(file, seen))) return false
    const isClaimed = async (one: FileStream): Promise<boolean> =>
      one.record.id !== seen.record.id &&
      isOfRotation(place, ofRotation(one)) &&
      (await this.#isClaimedBy(one, file, readTo(seen)))
    for (const stream of this.#streams.all) if (await isClaimed(stream)) return false
    const known = await this.#ended(file, place)
    if (known === null || known.record.id === seen.record.id) return true
    return known.kind === 'beginning' && known.record.offset <= readTo(seen)
  }

  /** Whether a stream reads the file, which is open under another name, or has more of it than `bytes`. */
  async #isClaimedBy({ phase, seen, file: own }: FileStream, file: FileView, bytes: number): Promise<boolean> {
    if (phase === 'ended' || !(await file.beginsWith(seen.record.head))) return false
    if (own === null && readTo(seen) <= bytes) return false
    return isCopyOf(file, seen, own === null ? null : new FileView(own))
  }

  /** Where the file of a stream may be: copies first, its path last. */
  async #candidates(record: StreamRecord, source: Source, folders?: FolderNames): Promise<readonly string[]> {
    const siblings = await siblingsOf(record.path, folders)
    const others = source.glob.isPath ? [] : await source.paths()
    const paths = new Set([...siblings.paths, ...others])
    paths.delete(record.path)
    return [...paths, record.path]
  }
}
