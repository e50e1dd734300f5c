import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { AppendResult } from '../../../ports/append.js'
import type { DuckDbLimits } from '../limits.js'
import type { FailPoints } from '../process/fail-points.js'
import type { TableLayout } from '../table-layout.js'
import type { TableKind } from '../tables.js'
import type { AppendRequest, StoredAppend } from '../wire/calls.js'
import { toWireError } from '../wire/errors.js'
import { isNamed } from '../wire/packed-append.js'
import { storedBytes } from '../wire/stored-bytes.js'
import { type Accepted, outcomeOf, payloadInFull } from './accepted.js'
import { Applier } from './applier.js'
import type { AppendTransaction } from './append-transaction.js'
import type { HotDatabase } from './hot-database.js'
import type { HotTables } from './hot-tables.js'
import type { DiskRoom } from '../../disk/disk-room.js'
import { repeatOf } from '../../shared/repeat-of.js'
import { Journal } from './journal/journal.js'
import { encodeJournalEntry } from './journal/journal-frames.js'
import { type FoundEntry, recoverJournal } from './journal/journal-recovery.js'
import { openJournalManifest } from './journal/open-journal-manifest.js'
import { gapOfLost, type LostFile, lostSentence } from './journal/lost-files.js'
import type { Gap } from '../gaps.js'
import type { SetAside } from '../../disk/set-aside.js'
import { batchKey, type KnownBatches } from './known-batches.js'
import { type Admission, type SeriesRegistry, unpin } from './series-registry.js'

/** What writing works with. */
export interface WritePathDeps {
  readonly layout: TableLayout
  readonly database: HotDatabase
  readonly transaction: AppendTransaction
  readonly tables: HotTables
  readonly batches: KnownBatches
  readonly series: SeriesRegistry
  readonly setAside: SetAside
  readonly failPoints: FailPoints
  readonly limits: DuckDbLimits
  /** Of the disk; counts `COPIES`. */
  readonly room: DiskRoom
  /** Of the wall clock. */
  readonly nowMs: () => number
  /** Whether the namespace's rows of the kind are deleted for good. */
  readonly isDropped: (kind: TableKind, ns: NamespaceId) => boolean
  /** Rows of this kind came into the hot tables; must not throw. */
  readonly onStored: (kind: TableKind) => void
  /** Writing fails (an error) or works again (null). */
  readonly onState: (failure: unknown) => void
  readonly onTrouble: (message: string, error: unknown) => void
}

/** How often a row comes to be on the disk: what is in the journal is written once more when it is applied. */
export const COPIES = 2
const NOTHING_HELD: Admission = { refused: [], held: [], pinned: [] }

function deleted(): GatewayError {
  return new GatewayError('namespace_deleted', 'the namespace has been deleted')
}

/** A request's way: decided in memory, on the disk in the journal, acknowledged, and then applied to the hot tables. */
export class WritePath {
  readonly #parts: WritePathDeps
  readonly #applier: Applier
  /** Results of requests that are not applied yet, by `batchKey`. */
  readonly #open = new Map<string, Promise<AppendResult>>()
  #journal: Journal | null = null
  #lost: readonly LostFile[] = []

  constructor(parts: WritePathDeps) {
    this.#parts = parts
    this.#applier = new Applier({
      limits: parts.limits,
      commit: group => this.#commit(group),
      setAside: (accepted, error) => this.#setAside(accepted, error),
      isDropped: parts.isDropped,
      onDone: (group, isStored) => this.#done(group, isStored),
      onState: parts.onState,
      nowMs: () => performance.now()
    })
  }

  get applier(): Applier {
    return this.#applier
  }

  get gauges(): Readonly<Record<string, number>> {
    return { ...this.#journal?.gauges, ...this.#applier.gauges, set_aside: this.#parts.setAside.count }
  }

  /** Journal files that are missing, as a sentence for health; empty when none is. */
  get damage(): string {
    return lostSentence(this.#lost)
  }

  /** The possible gaps of results because of such files. */
  get gaps(): readonly Gap[] {
    return this.#lost.map(file => gapOfLost(file, true))
  }

  /** Replays what an earlier start acknowledged and did not apply; returns what had to be repaired. */
  async recover(): Promise<readonly string[]> {
    const { database, layout, limits, failPoints, room, setAside, nowMs, onTrouble } = this.#parts
    const folder = database.journalDir
    const recovered = await recoverJournal({ folder, layout, setAside, replay: entries => this.#replay(entries) })
    const { manifest, lost, repairs } = await openJournalManifest({ database, setAside, nowMs, onTrouble }, recovered.files)
    this.#lost = lost
    this.#journal = new Journal({
      folder,
      manifest,
      nowMs,
      firstNumber: manifest.state.last + 1,
      found: recovered.files,
      fileBytes: limits.journalFileBytes,
      room,
      failPoints,
      pendingBytes: () => this.#applier.pendingBytes,
      reclaim: () => this.#applier.flush(),
      syncLogName: () => database.syncLogName(),
      onTrouble
    })
    await this.#journal.sweep()
    return [...recovered.repairs, ...repairs]
  }

  /** Stores a request that came as `payload`; resolves once it is crash-safe. */
  async submit(request: AppendRequest, payload: Buffer): Promise<StoredAppend> {
    const { kind, ns, ingestId } = request
    const key = batchKey(kind, ns, ingestId)
    const running = this.#open.get(key)
    // The first of two equal requests decides for both.
    if (running)
      return running.then(({ accepted, deduplicated, failures }) => repeatOf({ accepted: accepted + deduplicated, failures }))
    const stored = this.#store(key, request, payload)
    this.#open.set(key, stored)
    return stored
  }

  /** Begins a new journal file; see `Journal.retire`. Not to be called inside of exclusive work. */
  retireJournal(): Promise<boolean> {
    return this.#journal!.retire()
  }

  /** Waits until everything that was submitted has its result and is applied, and runs `last` after it. */
  async close(last: (failure: unknown) => Promise<void>): Promise<void> {
    await this.#journal!.drain()
    await this.#applier.stop(last)
    await this.#journal!.close()
  }

  async #store(key: string, request: AppendRequest, payload: Buffer): Promise<StoredAppend> {
    try {
      const { kind, ns, ingestId } = request
      const known = await this.#parts.batches.find(kind, ns, ingestId)
      if (!known) return await this.#accept(request, payload)
      this.#open.delete(key)
      return repeatOf(known)
    } catch (error) {
      this.#open.delete(key)
      throw error
    }
  }

  async #accept(request: AppendRequest, payload: Buffer): Promise<StoredAppend> {
    const { series, transaction, isDropped } = this.#parts
    transaction.check(request)
    await this.#applier.room()
    const { kind, ns } = request
    // Its bytes must not come into a journal file that the removal of the namespace has looked at.
    if (isDropped(kind, ns)) throw deleted()
    const admission = request.kind === 'points' ? series.admit(ns, request.seriesList) : NOTHING_HELD
    const { refused, pinned } = admission
    const bytes = storedBytes(request, payload.length)
    const file = await this.#journal!.append({ refused, payload }, bytes).catch((error: unknown) => {
      unpin(pinned)
      series.release(ns, admission)
      throw error
    })
    const outcome = outcomeOf(request, refused, series.limitReason)
    this.#applier.add({ request, payload, bytes, refused, pinned, outcome, file })
    if (!isDropped(kind, ns)) return { ...outcome, deduplicated: 0, ...this.#idsOf(request) }
    // Dropped while it was being written: applying leaves it out.
    series.release(ns, admission)
    throw deleted()
  }

  /** What the sender may name the series by the next time. */
  #idsOf(request: AppendRequest): Pick<StoredAppend, 'seriesIds'> {
    if (request.kind !== 'points') return {}
    const ids = BigInt64Array.from(request.seriesList.filter(isNamed), each => this.#parts.series.idOf(request.ns, each))
    return ids.some(id => id !== 0n) ? { seriesIds: ids } : {}
  }

  async #commit(group: readonly Accepted[]): Promise<void> {
    const { transaction, series, database, failPoints } = this.#parts
    await transaction.commit(group)
    failPoints.reach('apply.committed')
    if (!series.hasUnnumbered) return
    // The database's own log may be a new one. Until its name is on the disk, requests name their series in full.
    await database.syncLogName().then(
      () => series.number(),
      () => undefined
    )
  }

  #done(group: readonly Accepted[], isStored: boolean): void {
    for (const accepted of group) {
      accepted.file.open--
      this.#forget(accepted, isStored)
    }
    void this.#journal?.sweep()
    for (const kind of new Set(group.map(({ request }) => request.kind))) this.#parts.onStored(kind)
  }

  #forget({ request, bytes, pinned, outcome }: Accepted, isStored: boolean): void {
    unpin(pinned)
    const { kind, ns, ingestId } = request
    const { tables, batches, isDropped, nowMs } = this.#parts
    if (isStored && !isDropped(kind, ns)) {
      const added = { rows: outcome.accepted, bytes, nowMs: nowMs() }
      tables.grow(kind, ns, added)
      if (request.kind === 'points' && request.histogram) tables.grow('histograms', ns, added)
      batches.remember(kind, ns, ingestId, outcome)
    }
    this.#open.delete(batchKey(kind, ns, ingestId))
  }

  async #setAside(accepted: Accepted, error: unknown): Promise<void> {
    const { refused } = accepted
    const payload = payloadInFull(accepted, this.#parts.layout.format)
    const { kind, ns, ingestId } = accepted.request
    await this.#parts.setAside.keep(`${kind}-${ns}-${ingestId}.frame`, encodeJournalEntry({ refused, payload }))
    const { message } = toWireError(error)
    this.#parts.onTrouble(
      'an acknowledged request was set aside because the database rejects it',
      new Error(`${ingestId}: ${message}`)
    )
  }

  async #replay(entries: readonly FoundEntry[]): Promise<void> {
    const { batches, series } = this.#parts
    const stored = await batches.findStored(entries.map(({ request }) => request.ingestId))
    for (const { request, entry, file } of entries) {
      const key = batchKey(request.kind, request.ns, request.ingestId)
      // A request may be there twice: its first write was refused after all, and its sender repeated it.
      if (stored.has(key) || this.#open.has(key)) continue
      const outcome = outcomeOf(request, entry.refused, series.limitReason)
      file.open++
      this.#open.set(key, Promise.resolve({ ...outcome, deduplicated: 0 }))
      const bytes = storedBytes(request, entry.payload.length)
      const pinned = request.kind === 'points' ? series.recall(request.ns, request.seriesList) : []
      this.#applier.add({ request, ...entry, bytes, pinned, outcome, file })
    }
    // What cannot be applied now, e.g. on a full disk, stays pending and is tried again.
    await this.#applier.flush().catch((error: unknown) => this.#parts.onTrouble('the journal cannot be applied yet', error))
  }
}
