import { type FileHandle, copyFile, open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../bench/generate/random.js'
import type { BurstCount } from './burst-count.js'

const compress = promisify(gzip)
/** The same in every file, and longer than the head by which a file could be taken for another one. */
export const BANNER_WORDS = 'banner of every file'
const BANNER = Array.from({ length: 32 }, (_, i) => `# ${BANNER_WORDS}, line ${i} ${'='.repeat(40)}\n`).join('')
const LONG_LINE = 100_000

/** How a file makes room for the next one. */
export type Rotation = 'rename' | 'copy' | 'compress-now' | 'compress-later' | 'remake'

/** What a writer needs to know of the agent. */
export interface Reader {
  /** Resolves when the agent has delivered so many bytes of the file at this path. */
  delivered(path: string, bytes: number): Promise<void>
}

export interface WriterOptions {
  readonly path: string
  readonly name: string
  readonly random: Random
  readonly reader: Reader
  /** Between two bursts, in the mean. */
  readonly pauseMs: number
  readonly bursts: BurstCount
}

/** Writes numbered lines into one file and rotates it in all the ways that rotators have. */
export class RotationWriter {
  readonly path: string
  readonly #name: string
  readonly #random: Random
  readonly #reader: Reader
  readonly #pauseMs: number
  readonly #bursts: BurstCount
  readonly #late: Promise<void>[] = []
  #file: FileHandle | null = null
  #generation = 0
  #next = 0
  #rotated = 0
  /** All lines that were written, in the order of their file. */
  readonly lines: string[] = []
  readonly rotations = new Map<Rotation, number>()
  /** Sizes of the files that were removed when they were delivered. */
  readonly removedBytes = new Set<number>()

  constructor({ path, name, random, reader, pauseMs, bursts }: WriterOptions) {
    this.path = path
    this.#name = name
    this.#random = random
    this.#reader = reader
    this.#pauseMs = pauseMs
    this.#bursts = bursts
  }

  /** Writes until there are so many lines. */
  async run(lines: number): Promise<void> {
    await this.#begin()
    while (this.lines.length < lines) {
      await this.#burst(this.#file!, this.#generation, 1 + this.#random.below(120))
      this.#bursts.count()
      if (this.#random.next() < 0.12) await this.#rotate()
      await sleep(this.#random.below(2 * this.#pauseMs))
    }
    await Promise.all(this.#late)
    await this.#file!.close()
  }

  async #begin(): Promise<void> {
    this.#generation++
    this.#next = 0
    this.#file = await open(this.path, 'a')
    await this.#file.write(BANNER)
  }

  #line(generation: number): string {
    const rest = this.#random.next() < 0.002 ? 'x'.repeat(LONG_LINE) : this.#random.hex(8 + this.#random.below(120))
    const text = `${this.#name} g${generation} n${this.#next++} ${rest}`
    this.lines.push(text)
    return this.#random.next() < 0.1 ? `${text}\r\n` : `${text}\n`
  }

  async #burst(file: FileHandle, generation: number, count: number): Promise<void> {
    const text = Array.from({ length: count }, () => this.#line(generation)).join('')
    const half = this.#random.next() < 0.3 ? this.#random.below(text.length) : text.length
    await file.write(text.slice(0, half))
    if (half === text.length) return
    await sleep(this.#random.below(60))
    await file.write(text.slice(half))
  }

  async #rotate(): Promise<void> {
    const how = this.#random.pick<Rotation>(['rename', 'rename', 'copy', 'copy', 'compress-now', 'compress-later', 'remake'])
    this.rotations.set(how, (this.rotations.get(how) ?? 0) + 1)
    const to = `${this.path}.${++this.#rotated}`
    if (how === 'copy') return this.#copy(to)
    if (how === 'remake') return this.#remake()
    await rename(this.path, to)
    const [file, generation] = [this.#file!, this.#generation]
    if (how === 'compress-now') {
      await file.close()
      await this.#compress(to, 0)
    } else if (how === 'compress-later') {
      await file.close()
      this.#late.push(this.#compress(to, 200 + this.#random.below(2_000)))
    } else await this.#writeLate(file, generation)
    await this.#begin()
  }

  /** Lines of a writer that has the renamed file open still. */
  async #writeLate(file: FileHandle, generation: number): Promise<void> {
    await sleep(this.#random.below(200))
    await this.#burst(file, generation, 1 + this.#random.below(30))
    await file.close()
  }

  async #copy(to: string): Promise<void> {
    await copyFile(this.path, to)
    await truncate(this.path, 0)
    await this.#file!.close()
    await this.#begin()
  }

  async #compress(path: string, afterMs: number): Promise<void> {
    await sleep(afterMs)
    await writeFile(`${path}.gz`, await compress(await readFile(path)))
    await rm(path)
  }

  /** Removed when it was delivered, since no process could read it after that, and made again under the same name. */
  async #remake(): Promise<void> {
    await this.#file!.close()
    const { size } = await stat(this.path)
    await this.#bursts.blocked(this.#reader.delivered(this.path, size))
    this.removedBytes.add(size)
    await rm(this.path)
    await this.#begin()
  }
}
