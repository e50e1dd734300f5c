import { copyFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { syncFile, syncFolder } from '../../disk/durable-files.js'
import { SetAside } from '../../disk/set-aside.js'
import { whenMissing } from '../../disk/when-missing.js'
import { aroundDamage, entryBefore, findBreak, hasCommits, isKnownLog } from './log-entries.js'

const TORN = /wal.*byte position (\d+)/is
/** An entry that is whole and makes no sense to the hot file: the log belongs to another state of it. */
const FOREIGN = /^(?!IO Error|Out of Memory)[\w ]+ Error: Failure while replaying WAL/i
/** Logs are merged into the hot file long before: a larger one is cut off without a look at what follows. */
const MAX_READ_BYTES = 1024 ** 3

/** Suffix of an empty file next to the log: transactions are lost, and the hot file does not know it yet. */
const LOSS_SUFFIX = '.lost'

/** Forgets a loss of transactions once the hot file has noted it. */
export async function forgetLoss(walFile: string): Promise<void> {
  await rm(walFile + LOSS_SUFFIX, { force: true })
}

/** Repairs the log of a hot file that is being attached; a copy of what was damaged is kept. */
export class LogRepair {
  readonly #walFile: string
  readonly #sentences: string[] = []
  #isLost = false
  #hasMarkedLoss = false
  /** Bytes in front of rows that were kept from behind a damage: all that is left when those do not fit. */
  #sureBytes: number | null = null

  constructor(walFile: string) {
    this.#walFile = walFile
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
    if (!hasCommits(content.subarray(at))) return
    await this.#markLoss()
    this.#sentences.push(cutSentence(at, await this.#copy()))
  }

  /** Finds a loss that an earlier start found and could not note, because it ended before. */
  async recallLoss(): Promise<void> {
    const isMarked = await stat(this.#walFile + LOSS_SUFFIX).then(() => true, whenMissing(false))
    this.#isLost ||= isMarked
  }

  /** Takes back what this repair found: the log was being written by another process. */
  async takeBack(): Promise<void> {
    if (this.#hasMarkedLoss) await forgetLoss(this.#walFile)
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
    const { before, behind } = aroundDamage(content, damagedAt)
    if (behind.length > 0 || hasCommits(content.subarray(damagedAt))) await this.#markLoss()
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
    await this.#markLoss()
    const name = await (await SetAside.open(path.dirname(this.#walFile))).move(this.#walFile)
    const why = message.split('\n', 1)[0]!
    this.#sentences.push(`the write-ahead log does not fit hot.duckdb (${why}): it was set aside as ${name}`)
  }

  /** On disk before the log changes: a start that ends early must not make the loss look like a log without one. */
  async #markLoss(): Promise<void> {
    if (this.#isLost) return
    this.#isLost = true
    this.#hasMarkedLoss = true
    const file = this.#walFile + LOSS_SUFFIX
    await writeFile(file, '')
    await syncFile(file)
    await syncFolder(path.dirname(file))
  }

  /** One copy of each state of the log, however often a start is tried. */
  async #copy(): Promise<string> {
    const { mtimeMs, size } = await stat(this.#walFile)
    const aside = `${this.#walFile}.damaged-${Math.trunc(mtimeMs)}-${size}`
    const copied = await stat(aside).then(({ size: bytes }) => bytes, whenMissing(-1))
    if (copied === size) return path.basename(aside)
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
