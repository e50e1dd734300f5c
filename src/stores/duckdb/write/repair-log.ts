import { copyFile, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { syncFile, syncFolder } from '../../disk/durable-files.js'
import { SetAside } from '../../disk/set-aside.js'
import { whenMissing } from '../../disk/when-missing.js'
import { aroundDamage, entryBefore, findBreak, holdsCommits, isKnownLog } from './log-entries.js'

const TORN = /wal.*byte position (\d+)/is
/** An entry that is whole and makes no sense to the hot file: the log belongs to another state of it. */
const FOREIGN = /^(?!IO Error|Out of Memory)[\w ]+ Error: Failure while replaying WAL/i
/** Logs are folded into the hot file long before: a larger one is cut off without a look at what is behind. */
const MAX_READ_BYTES = 1024 ** 3

/** Repairs the log of a hot file that is being attached; a copy of what was damaged is kept. */
export class LogRepair {
  readonly #walFile: string
  readonly #nowMs: number
  readonly #sentences: string[] = []
  #isLost = false
  /** Bytes in front of rows that were kept from behind a damage: all that is left when those do not fit. */
  #sureBytes: number | null = null

  constructor(walFile: string, nowMs: number) {
    this.#walFile = walFile
    this.#nowMs = nowMs
  }

  /** What was done; empty when all was well. */
  get sentences(): readonly string[] {
    return this.#sentences
  }

  /** Whether transactions that were committed are lost, unless the journal has them. */
  get isLost(): boolean {
    return this.#isLost
  }

  /**
   * Looks for a damage that DuckDB takes for the log's end, and cuts off there, though transactions follow. Changes nothing:
   * another process may still have the folder, whose log has none.
   */
  async findSilent(): Promise<void> {
    const at = await findBreak(this.#walFile).catch(whenMissing(null))
    if (at === null || (await stat(this.#walFile)).size > MAX_READ_BYTES) return
    const content = await readFile(this.#walFile)
    if (!holdsCommits(content.subarray(at))) return
    this.#isLost = true
    this.#sentences.push(cutSentence(at, await this.#copy()))
  }

  /** Repairs what attaching complained of; false when it is nothing of the log's. */
  async repair(message: string): Promise<boolean> {
    const position = TORN.exec(message)?.[1]
    const isForeign = FOREIGN.test(message)
    if (position === undefined && !isForeign) return false
    if (this.#sureBytes !== null) await this.#keepSure(this.#sureBytes)
    else if (position === undefined) await this.#remove(message)
    else await this.#leaveOut(Number(position))
    return true
  }

  async #leaveOut(position: number): Promise<void> {
    const { size } = await stat(this.#walFile)
    const content = size > MAX_READ_BYTES ? null : await readFile(this.#walFile)
    if (content === null || !isKnownLog(content)) return this.#cut(position)
    const damagedAt = entryBefore(position)
    this.#isLost ||= holdsCommits(content.subarray(damagedAt))
    const { before, behind } = aroundDamage(content, damagedAt)
    if (behind.length === 0) return this.#cut(before.length)
    const name = await this.#copy()
    await this.#write([before, behind])
    this.#sureBytes = before.length
    const out = content.length - before.length - behind.length
    this.#sentences.push(
      `the write-ahead log was damaged at byte ${damagedAt}; ${out} bytes were left out, ${behind.length} bytes behind them were kept, and a copy of all was set aside in ${name}`
    )
  }

  async #cut(at: number): Promise<void> {
    const name = await this.#copy()
    await truncate(this.#walFile, at)
    this.#sentences.push(cutSentence(at, name))
  }

  async #keepSure(bytes: number): Promise<void> {
    this.#sureBytes = null
    await truncate(this.#walFile, bytes)
    this.#sentences.push(`what was behind the damage does not fit the hot file: the log was cut off at byte ${bytes}`)
  }

  async #remove(message: string): Promise<void> {
    const name = await (await SetAside.open(path.dirname(this.#walFile))).move(this.#walFile)
    this.#isLost = true
    const why = message.split('\n', 1)[0]!
    this.#sentences.push(`the write-ahead log does not fit hot.duckdb (${why}): it was set aside as ${name}`)
  }

  async #copy(): Promise<string> {
    const aside = `${this.#walFile}.damaged-${this.#nowMs}`
    await copyFile(this.#walFile, aside)
    await syncFile(aside)
    await syncFolder(path.dirname(aside))
    return path.basename(aside)
  }

  async #write(pieces: readonly Buffer[]): Promise<void> {
    const fresh = `${this.#walFile}.repaired`
    await writeFile(fresh, Buffer.concat(pieces))
    await syncFile(fresh)
    await rename(fresh, this.#walFile)
    await syncFolder(path.dirname(this.#walFile))
  }
}

function cutSentence(at: number, name: string): string {
  return `the write-ahead log was damaged at byte ${at}; what followed was set aside in ${name}`
}
