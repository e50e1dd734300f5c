import type { FailPoints } from '../../process/fail-points.js'
import { removeFile, syncFolder } from '../../../disk/durable-files.js'
import { type DiskRoom, storageFull } from '../../../disk/disk-room.js'
import { JournalFile } from './journal-file.js'
import type { JournalManifest } from './journal-manifest.js'
import { encodeJournalEntry, type JournalEntry } from './journal-frames.js'

/** The limit of one write, so that no append waits for a very long one. */
const MAX_WRITE_BYTES = 8 * 1024 * 1024
/** A full disk is worth making the journal shorter when that gives back this much. */
const MIN_RECLAIM_BYTES = 1024 * 1024

interface QueuedEntry {
  readonly pieces: readonly Buffer[]
  readonly bytes: number
  /** What it takes once it is applied. */
  readonly storedBytes: number
  resolve(file: JournalFile): void
  reject(error: unknown): void
}

/** What the journal works with. */
export interface JournalDeps {
  readonly folder: string
  readonly manifest: JournalManifest
  readonly nowMs: () => number
  readonly firstNumber: number
  /** Files of an earlier start whose entries are not all applied. */
  readonly found: readonly JournalFile[]
  readonly fileBytes: number
  readonly room: DiskRoom
  readonly failPoints: FailPoints
  readonly pendingBytes: () => number
  /** Applies what is pending, so that files become free. */
  readonly reclaim: () => Promise<void>
  /** Forces the name of the database's own log to the disk, before what it replaces goes away. */
  readonly syncLogName: () => Promise<void>
  readonly onTrouble: (message: string, error: unknown) => void
}

/**
 * What is acknowledged and perhaps not in the database yet: files that only grow. Everything that gathered while the last
 * write and its sync ran goes out with one write and one sync.
 */
export class Journal {
  readonly #parts: JournalDeps
  readonly #queue: QueuedEntry[] = []
  readonly #rotations: (() => void)[] = []
  readonly #old: JournalFile[]
  #current: JournalFile | null = null
  #nextNumber: number
  #isPumping = false
  #idle: Promise<void> = Promise.resolve()
  #removing: Promise<void> = Promise.resolve()
  #commits = 0

  constructor(parts: JournalDeps) {
    this.#parts = parts
    this.#nextNumber = parts.firstNumber
    this.#old = [...parts.found]
  }

  get gauges(): Readonly<Record<string, number>> {
    const files = this.#current ? [...this.#old, this.#current] : this.#old
    return {
      commits: this.#commits,
      queued_requests: this.#queue.length,
      journal_files: files.length,
      journal_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  }

  /**
   * Resolves once the entry is on the disk, with the file that holds it; `storage_full` without room for it and
   * for the `storedBytes` that applying it will write.
   */
  append(entry: JournalEntry, storedBytes = 0): Promise<JournalFile> {
    const pieces = encodeJournalEntry(entry)
    return new Promise((resolve, reject) => {
      const bytes = pieces[0].length + pieces[1].length
      this.#queue.push({ pieces, bytes, storedBytes: Math.max(bytes, storedBytes), resolve, reject })
      this.#wake()
    })
  }

  /** Removes the files whose entries are all in the database for good, oldest first; one that is held delays no other. */
  async sweep(): Promise<void> {
    if (this.#old.some(({ open }) => open === 0)) await this.#removeFree()
  }

  /** Begins a new file with the next entry; resolves when what can be removed is: true when no earlier file is left. */
  async retire(): Promise<boolean> {
    await new Promise<void>(resolve => {
      this.#rotations.push(resolve)
      this.#wake()
    })
    const earlier = new Set(this.#old)
    await this.#removeFree()
    return !this.#old.some(file => earlier.has(file))
  }

  /** Waits until everything is written. */
  async drain(): Promise<void> {
    await this.#idle
  }

  /** Removes what is applied and lets go of the rest. */
  async close(): Promise<void> {
    await this.retire()
    for (const file of this.#old) await file.close()
    await this.#parts.manifest.close()
  }

  #wake(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    this.#idle = this.#pump()
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0 || this.#rotations.length > 0) {
      const requested = this.#rotations.splice(0)
      if (requested.length > 0) await this.#rotate()
      for (const resolve of requested) resolve()
      if (this.#queue.length > 0) await this.#write(this.#take())
    }
    this.#isPumping = false
  }

  #take(): QueuedEntry[] {
    let bytes = 0
    let count = 0
    for (const waiting of this.#queue) {
      bytes += waiting.bytes
      if (count > 0 && bytes > MAX_WRITE_BYTES) break
      count++
    }
    return this.#queue.splice(0, count)
  }

  async #write(group: readonly QueuedEntry[]): Promise<void> {
    const sizeBytes = group.reduce((sum, { bytes }) => sum + bytes, 0)
    try {
      if (!(await this.#hasRoom(group.reduce((sum, { storedBytes }) => sum + storedBytes, 0)))) throw storageFull()
      const file = await this.#file()
      await file.write(
        group.flatMap(({ pieces }) => pieces),
        sizeBytes
      )
      this.#parts.failPoints.reach('journal.synced')
      this.#commits++
      file.open += group.length
      for (const waiting of group) waiting.resolve(file)
    } catch (error) {
      for (const waiting of group) waiting.reject(error)
    }
  }

  async #hasRoom(sizeBytes: number): Promise<boolean> {
    const { room, pendingBytes, reclaim } = this.#parts
    if (room.has(sizeBytes, pendingBytes())) return true
    if ((this.#current?.bytes ?? 0) < MIN_RECLAIM_BYTES) return false
    // Applying the journal reports its own failure; here it only means that no room was made.
    await reclaim().catch(() => undefined)
    await this.#rotate()
    await this.#removeFree()
    room.refresh()
    return room.has(sizeBytes, pendingBytes())
  }

  async #file(): Promise<JournalFile> {
    const current = this.#current
    if (current && !current.isBroken && current.bytes < this.#parts.fileBytes) return current
    await this.#rotate()
    // A number that is taken, e.g. by a file that could be neither made nor removed, must not block forever.
    const file = await JournalFile.create(this.#parts.folder, this.#nextNumber++)
    try {
      await this.#parts.manifest.add(file.number, this.#parts.nowMs())
    } catch (error) {
      await file.close().catch((failure: unknown) => this.#parts.onTrouble('a journal file could not be closed', failure))
      this.#old.push(file)
      void this.#removeFree()
      throw error
    }
    this.#current = file
    return file
  }

  async #rotate(): Promise<void> {
    const current = this.#current
    if (!current) return
    this.#current = null
    this.#old.push(current)
    await current.close().catch((error: unknown) => this.#parts.onTrouble('a journal file could not be closed', error))
    if (current.open === 0) void this.#removeFree()
  }

  #removeFree(): Promise<void> {
    this.#removing = this.#removing
      .then(() => this.#remove())
      .catch((error: unknown) => this.#parts.onTrouble('an old journal file could not be removed', error))
    return this.#removing
  }

  async #remove(): Promise<void> {
    const { folder, manifest, failPoints, room, syncLogName, onTrouble } = this.#parts
    const free = this.#old.filter(({ open }) => open === 0)
    if (free.length === 0) return
    await syncLogName()
    // On a full disk the removal makes the room for the list, which is written again then.
    const isListed = await manifest.remove(free.map(({ number }) => number)).then(
      () => true,
      () => false
    )
    for (const file of free) if (await removeFile(file.path)) this.#old.splice(this.#old.indexOf(file), 1)
    if (!isListed) {
      await manifest.rewrite().catch((error: unknown) => onTrouble('the journal manifest could not be written', error))
    }
    await syncFolder(folder)
    room.refresh()
    failPoints.reach('journal.removed')
  }
}
