import { queryRows, run } from '../process/sql.js'
import { journalFiles } from '../write/journal/journal-recovery.js'
import { Adoption, type AdoptionDeps, asideName } from './adoption.js'
import { type LostHotRowsDeps, noteLostHotRows } from './lost-hot-rows.js'
import { noteUnreadable } from './note-unreadable.js'
import { type ManifestRow, readManifest } from './manifest.js'
import { noteOlderHotFile } from './older-hot-file.js'
import { replacedBy } from './replaced-files.js'
import { readSegmentMark } from './segment-mark.js'
import type { SeriesDictionary } from './series-dictionary.js'
import { examineUnlisted, firstLine, type Unlisted, unlistedFiles } from './unlisted-segments.js'
import { announcedFiles } from './write-intents.js'

/** What recovery works with. */
export interface SegmentRecoveryDeps extends AdoptionDeps, LostHotRowsDeps {
  readonly dictionary: SeriesDictionary
}

/** Brings manifest and files together at a start: before the series are loaded, and after the journal is applied. */
export class SegmentRecovery {
  readonly #parts: SegmentRecoveryDeps
  #unlisted: Unlisted = { segments: [], strangers: [] }
  /** Whether rows that were in the hot file are gone with it. */
  #hasLostHotFile = false

  constructor(parts: SegmentRecoveryDeps) {
    this.#parts = parts
  }

  /** Removes what a seal or merge left that did not get as far as its commit, and finds what the manifest does not list. */
  async begin(): Promise<readonly string[]> {
    const { connection, files, database } = this.#parts
    await this.#removeUnfinished()
    const known = new Set([...(await readManifest(connection)).map(({ file }) => file), ...(await this.#garbage())])
    const onDisk = await files.all()
    await noteOlderHotFile(connection, onDisk, database.isNew)
    this.#unlisted = await examineUnlisted(connection, files, unlistedFiles(onDisk, known))
    const isUsed = onDisk.length > 0 || (await journalFiles(database.journalDir)).length > 0 || database.repairs.length > 0
    this.#hasLostHotFile = database.isNew && (isUsed || (await this.#parts.dictionary.exists()))
    return this.#restoreSeries()
  }

  /** Lists what was found; `applied` resolves when everything acknowledged is in the hot tables, and rejects when it cannot be. */
  async finish(applied: () => Promise<void>): Promise<readonly string[]> {
    const { segments, strangers } = this.#unlisted
    if (segments.length + strangers.length > 0) await applied()
    await noteUnreadable(this.#parts, this.#unlisted, this.#hasLostHotFile)
    const done = await new Adoption(this.#parts).run(this.#unlisted)
    return [...done, ...(await noteLostHotRows(this.#parts, segments, this.#hasLostHotFile))]
  }

  /**
   * Moves what damaged segments replaced to set-aside instead of removing it: in a folder that was copied in part it may be all
   * that is left of their rows.
   */
  async keepReplaced(damaged: readonly ManifestRow[]): Promise<readonly string[]> {
    const { connection, files, setAside } = this.#parts
    const present = new Set(await files.all())
    const garbage = (await this.#garbage()).filter(file => present.has(file))
    const replaced = await replacedBy(this.#parts, garbage, damaged)
    for (const file of replaced) {
      await setAside.move(files.pathOf(file), asideName(file))
      await run(connection, "DELETE FROM hot.main.garbage WHERE what = 'file' AND name = ?", [file])
    }
    return replaced.map(
      file =>
        `${file} was replaced, but a segment that may contain its rows is damaged; it was moved to set-aside as ${asideName(file)}`
    )
  }

  async #garbage(): Promise<readonly string[]> {
    const sql = "SELECT name FROM hot.main.garbage WHERE what = 'file'"
    return (await queryRows<{ name: string }>(this.#parts.connection, sql)).map(({ name }) => name)
  }

  /** What was announced is ours, and its rows are still where they came from, unless the hot file is older than the files. */
  async #removeUnfinished(): Promise<void> {
    const { connection, files } = this.#parts
    const announced = await announcedFiles(connection)
    if (announced.length === 0) return
    const onDisk = new Set(await files.all())
    const listed = (await readManifest(connection)).map(({ file }) => file).filter(file => onDisk.has(file))
    const accounted = new Set([...listed, ...(await this.#garbage())])
    const unfinished: string[] = []
    for (const file of announced) {
      // Without a mark it was not written to its end.
      const replaces = onDisk.has(file) ? await readSegmentMark(connection, files.pathOf(file)).catch(() => null) : null
      if ((replaces ?? []).every(each => accounted.has(each))) unfinished.push(file)
    }
    await files.discard(connection, unfinished)
  }

  async #restoreSeries(): Promise<readonly string[]> {
    const { dictionary, files } = this.#parts
    const sampled = this.#unlisted.segments.filter(({ kind }) => kind === 'points')
    const restored = (await dictionary.exists()) ? await this.#restored() : []
    await dictionary.widen(sampled.map(({ file }) => files.pathOf(file)))
    return restored
  }

  async #restored(): Promise<readonly string[]> {
    try {
      if (!(await this.#parts.dictionary.isAhead())) return []
      const count = await this.#parts.dictionary.restore()
      return count === 0 ? [] : [`${count} series were restored from the series dictionary`]
    } catch (error) {
      const name = await this.#parts.dictionary.setAside(this.#parts.setAside)
      return [`the series dictionary cannot be read: ${firstLine(error)}; it was set aside as ${name}`]
    }
  }
}
