import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { syncFile, syncFolder } from '../../process/durable-files.js'

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
    const names = await readdir(path.join(dataDir, FOLDER)).catch(() => [])
    return new SetAside(dataDir, new Set(names))
  }

  get count(): number {
    return this.#names.size
  }

  /** One sentence for health; empty when nothing was ever set aside. */
  get detail(): string {
    return this.count === 0 ? '' : `${this.count} pieces of data that could not be stored lie in ${FOLDER}`
  }

  /** Keeps the bytes under a name; they are on the disk when this resolves. */
  async keep(name: string, pieces: readonly Buffer[]): Promise<void> {
    const folder = path.join(this.#dataDir, FOLDER)
    if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(this.#dataDir)
    const file = path.join(folder, name)
    await writeFile(file, Buffer.concat(pieces))
    await syncFile(file)
    await syncFolder(folder)
    this.#names.add(name)
  }
}
