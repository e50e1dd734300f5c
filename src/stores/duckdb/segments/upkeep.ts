import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import type { DuckDbLimits } from '../limits.js'
import type { FailPoints } from '../process/fail-points.js'
import type { TableKind } from '../tables.js'
import type { HotDatabase } from '../write/hot-database.js'
import type { HotTables } from '../write/hot-tables.js'
import type { KnownBatches } from '../write/known-batches.js'
import { TABLE_KINDS } from '../write/schema.js'
import type { SeriesRegistry } from '../write/series-registry.js'
import type { WritePath } from '../write/write-path.js'
import type { SetAside } from '../../disk/set-aside.js'
import type { DamagedSegments } from './damaged-segments.js'
import type { Deletions } from './deletions.js'
import { DroppedNamespaces } from './dropped-namespaces.js'
import type { Garbage } from './garbage.js'
import { bytesOfFile, HotShrinker } from './hot-shrinker.js'
import type { KnownManifest } from './known-manifest.js'
import { readManifest, retireSegments } from './manifest.js'
import type { Merger } from './merger.js'
import type { PatternAssignment } from './pattern-assignment.js'
import type { Sealer, SealScope } from './sealer.js'
import type { SegmentFileOptions } from './segment-files.js'
import type { SeriesDictionary } from './series-dictionary.js'

/** What upkeep works with. */
export interface UpkeepDeps {
  readonly connection: DuckDBConnection
  readonly writes: WritePath
  readonly database: HotDatabase
  readonly tables: HotTables
  readonly batches: KnownBatches
  readonly series: SeriesRegistry
  readonly sealer: Sealer
  readonly merger: Merger
  readonly assignment: PatternAssignment
  readonly garbage: Garbage
  readonly dictionary: SeriesDictionary
  readonly damaged: DamagedSegments
  readonly deletions: Deletions
  readonly manifest: KnownManifest
  readonly setAside: SetAside
  readonly failPoints: FailPoints
  readonly limits: DuckDbLimits
  readonly inRoom: SegmentFileOptions['inRoom']
  readonly nowMs: () => number
  /** A job failed and is tried again, or ended well (null). */
  readonly onJob: (job: string, error: unknown) => void
  /** Before tables that appends go to are changed. */
  readonly releaseAppenders: () => void
}

const EXPIRY_INTERVAL_MS = 600_000

/** All work on stored data that no caller waits for, one piece at a time. */
export class Upkeep {
  readonly #parts: UpkeepDeps
  readonly #drops: DroppedNamespaces
  readonly #shrinker: HotShrinker
  #last: Promise<unknown> = Promise.resolve()
  #isScheduled = false
  #hasNewMarks = true
  /** Kinds whose last seal failed: the next round tries again, though the rows are young. */
  readonly #unsealed = new Set<TableKind>()
  #isStopped = false
  #nextExpiryMs = 0

  constructor(parts: UpkeepDeps) {
    this.#parts = parts
    this.#shrinker = new HotShrinker(parts)
    this.#drops = new DroppedNamespaces(parts, {
      purge: kind => this.#seal(kind, 'purge'),
      checkpoint: () => this.#checkpointHot()
    })
  }

  /** Runs `work` when no other piece of upkeep is running. */
  serial<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    // The caller has the failure; the next piece only waits for the end.
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Does everything that is due, soon; a second call while one is waiting does nothing. */
  async tick(): Promise<void> {
    if (this.#isScheduled || this.#isStopped) return
    this.#isScheduled = true
    await this.serial(async () => {
      this.#isScheduled = false
      if (!this.#isStopped) await this.#round()
    })
  }

  /** Waits for the piece that is running and starts no other. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#last
  }

  /** Whether the hot table of a kind is large, old or idle enough to be sealed. */
  isFull(kind: TableKind): boolean {
    const { tables, limits, nowMs } = this.#parts
    const { rows, bytes, createdMs, lastMs } = tables.current(kind)
    if (rows === 0) return false
    const isIdle = rows >= limits.minSegmentRows && nowMs() - lastMs >= limits.sealIdleMs
    return isIdle || rows >= limits.sealRows || bytes >= limits.sealBytes || nowMs() - createdMs >= limits.sealAgeMs
  }

  /** Seals everything of a kind now. */
  sealAll(kind: TableKind): Promise<void> {
    return this.serial(async () => {
      await this.#parts.writes.applier.flush()
      await this.#seal(kind, 'all')
    })
  }

  /** Deletes from the hot tier and the disk what `deletions` marks as deleted, as far as whole files go. */
  noteMarks(): void {
    this.#hasNewMarks = true
  }

  /**
   * Takes what is before the namespace's mark out of tables and files, and then the mark away: a longer retention lets
   * records come that are older than what was deleted.
   */
  liftMark(kind: TableKind, ns: NamespaceId): Promise<void> {
    return this.serial(async () => {
      const { connection, deletions, writes, merger, garbage } = this.#parts
      const markNs = deletions.markOf(kind, ns)
      if (markNs === undefined) return
      await writes.applier.flush()
      await this.#seal(kind, 'all')
      const older = (await readManifest(connection, kind)).filter(row => row.ns === ns && row.minNs < markNs)
      for (const segment of older) await merger.rewrite(segment)
      await deletions.lift(kind, ns, markNs)
      await garbage.sweep()
    })
  }

  /** As `PatternAssignment.segments`, of everything that was acknowledged so far. */
  unassignedSegments(ns: NamespaceId): ReturnType<PatternAssignment['segments']> {
    return this.serial(async () => {
      await this.#parts.writes.applier.flush()
      await this.#seal('logs', 'all')
      return this.#parts.assignment.segments(ns)
    })
  }

  /** As `PatternAssignment.page`. */
  unassignedPage(...page: Parameters<PatternAssignment['page']>): ReturnType<PatternAssignment['page']> {
    return this.serial(() => this.#parts.assignment.page(...page))
  }

  /** As `PatternAssignment.assign`. */
  assignPatterns(...rewrite: Parameters<PatternAssignment['assign']>): ReturnType<PatternAssignment['assign']> {
    return this.serial(async () => {
      const outcome = await this.#parts.assignment.assign(...rewrite)
      await this.#parts.garbage.sweep()
      return outcome
    })
  }

  /** Removes what is left of dropped namespaces; also what an earlier start did not get to. */
  finishDrops(): Promise<void> {
    return this.serial(() => this.#drops.finish())
  }

  /** Merges the write-ahead log into the hot file. */
  async checkpoint(): Promise<void> {
    const { writes, failPoints } = this.#parts
    await this.#checkpointHot()
    // What the checkpoint covers need not be read again by the next start.
    await writes.retireJournal()
    failPoints.reach('checkpoint.done')
  }

  async #checkpointHot(): Promise<void> {
    const { connection, writes, database } = this.#parts
    await writes.applier.exclusive(() => database.checkpoint(connection))
  }

  async #round(): Promise<void> {
    const { merger, garbage, dictionary, damaged } = this.#parts
    const failures: unknown[] = []
    const job = (name: string, work: () => Promise<void>): Promise<void> => this.#job(name, work, failures)
    await job('segment_seal', () => this.#sealDue())
    await job('segment_deletion', async () => {
      await this.#drops.finish()
      await this.#applyMarks()
    })
    // An earlier version sealed points without it.
    await job('series_dictionary', async () => (dictionary.isWritten ? undefined : dictionary.write()))
    await job('segment_review', () => damaged.review())
    await job('garbage_sweep', () => garbage.sweep())
    await job('hot_checkpoint', () => this.#checkpointIfDue())
    await job('segment_merge', async () => {
      while (!TABLE_KINDS.some(kind => this.isFull(kind)) && !this.#isStopped && (await merger.mergeNext())) await garbage.sweep()
    })
    await job('batch_expiry', () => this.#expireBatches())
    if (failures.length > 0) throw failures[0]
  }

  /** One job of a round: its failure is reported and keeps no other from running (a deletion frees a full disk). */
  async #job(name: string, work: () => Promise<void>, failures: unknown[]): Promise<void> {
    try {
      await work()
      this.#parts.onJob(name, null)
    } catch (error) {
      failures.push(error)
      this.#parts.onJob(name, error)
    }
  }

  async #sealDue(): Promise<void> {
    const { limits, sealer, nowMs } = this.#parts
    for (const kind of TABLE_KINDS) {
      const waitingMs = await sealer.oldestWaitMs(kind)
      const hasWaited = waitingMs !== null && nowMs() - waitingMs >= limits.sealAgeMs
      if (this.isFull(kind) || hasWaited || this.#unsealed.has(kind)) await this.#seal(kind, 'due')
    }
  }

  async #expireBatches(): Promise<void> {
    const { nowMs, writes, batches, releaseAppenders } = this.#parts
    if (nowMs() < this.#nextExpiryMs) return
    // The journal must not outlive the ids by which the next start knows what of it was applied.
    await writes.retireJournal()
    await writes.applier.afterAll(async () => {
      releaseAppenders()
      await batches.expire(nowMs())
    })
    this.#nextExpiryMs = nowMs() + EXPIRY_INTERVAL_MS
  }

  async #seal(kind: TableKind, scope: SealScope): Promise<void> {
    const { writes, tables, sealer, dictionary, nowMs, failPoints, releaseAppenders } = this.#parts
    if (tables.current(kind).rows > 0) {
      await writes.applier.exclusive(() => {
        releaseAppenders()
        return tables.rotate(kind, nowMs())
      })
      failPoints.reach('seal.rotated')
    }
    this.#unsealed.add(kind)
    // No point is sealed under a number whose name is in the hot file alone.
    if (kind === 'points') await dictionary.write()
    await sealer.seal(kind, scope)
    this.#unsealed.delete(kind)
    this.#shrinker.noteSeal()
  }

  async #applyMarks(): Promise<void> {
    if (!this.#hasNewMarks) return
    this.#hasNewMarks = false
    try {
      await this.#retireBeforeMarks()
    } catch (error) {
      this.#hasNewMarks = true
      throw error
    }
  }

  async #retireBeforeMarks(): Promise<void> {
    const { connection, deletions, failPoints, manifest } = this.#parts
    const rows = await readManifest(connection)
    const dead = rows.filter(({ kind, ns, maxNs }) => maxNs < (deletions.markOf(kind, ns) ?? 0n))
    if (dead.length === 0) return
    await manifest.change(connection, () =>
      retireSegments(
        connection,
        dead.map(({ file }) => file)
      )
    )
    failPoints.reach('retention.committed')
  }

  async #checkpointIfDue(): Promise<void> {
    const { database, limits, inRoom } = this.#parts
    const sizeBytes = await bytesOfFile(database.walFile)
    const room = { sizeBytes, writtenBytes: () => 0 }
    const checkpoint = (): Promise<void> => this.checkpoint()
    if (await this.#shrinker.isDue()) await inRoom(room, () => this.#shrinker.run(checkpoint))
    else if (sizeBytes >= limits.checkpointBytes) await inRoom(room, checkpoint)
  }
}
