import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { whenMissing } from './when-missing.js'
import path from 'node:path'
import { removeFile, syncFile, syncFolder } from './durable-files.js'

const FOLDER = 'set-aside'

/** Where bytes go that were acknowledged or might have been, and that the database cannot take: nothing is dropped. */
export class SetAside {
  readonly #dataDir: string
  readonly #names: Set<string>

  private constructor(dataDir: string, names: Set<string>) {
    this.#dataDir = dataDir
    this.#names = names
  }

  /** Reads what was set aside before. */
  static async open(dataDir: string): Promise<SetAside> {
    const names = await readdir(path.join(dataDir, FOLDER)).catch(whenMissing<string[]>([]))
    return new SetAside(dataDir, new Set(names))
  }

  get count(): number {
    return this.#names.size
  }

  /** One sentence for health; empty when nothing was ever set aside. */
  get detail(): string {
    return this.count === 0 ? '' : `${this.count} pieces of data that could not be stored are in ${FOLDER}`
  }

  /** Moves a file here, unchanged, under its own name or a similar one; returns its path once it is on the disk. */
  async move(file: string, name = path.basename(file)): Promise<string> {
    const folder = await this.#folder()
    let free = name
    for (let n = 1; this.#names.has(free); n++) free = `${name}.${n}`
    await rename(file, path.join(folder, free))
    await syncFolder(folder)
    await syncFolder(path.dirname(file))
    this.#names.add(free)
    return free
  }

  async #folder(): Promise<string> {
    const folder = path.join(this.#dataDir, FOLDER)
    if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(this.#dataDir)
    return folder
  }

  /** Keeps the bytes; they are on the disk when this resolves with the file's name: `name`, or one like it when that holds others. */
  async keep(name: string, pieces: readonly Buffer[]): Promise<string> {
    const folder = await this.#folder()
    const bytes = Buffer.concat(pieces)
    for (let n = 0; ; n++) {
      const free = n === 0 ? name : `${name}.${n}`
      const file = path.join(folder, free)
      // Numbers of journal files start again, and a start that did not come to its end repeats itself.
      const present = this.#names.has(free) ? await readFile(file) : null
      if (present && !present.equals(bytes)) continue
      if (!present) await writeFile(file, bytes)
      await syncFile(file)
      await syncFolder(folder)
      this.#names.add(free)
      return free
    }
  }

  /** Removes the files whose name has this part; they are gone from the disk when this resolves. */
  async removeNamed(part: string): Promise<void> {
    const folder = path.join(this.#dataDir, FOLDER)
    const doomed = [...this.#names].filter(name => name.includes(part))
    for (const name of doomed) if (await removeFile(path.join(folder, name))) this.#names.delete(name)
    if (doomed.length > 0) await syncFolder(folder)
  }
}
