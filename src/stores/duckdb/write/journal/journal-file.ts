import path from 'node:path'
import { AppendFile } from '../../../disk/append-file.js'
import { JOURNAL_MAGIC } from './journal-frames.js'

const NUMBER_DIGITS = 8
const NAME = /^(\d{8,})\.log$/

/** The number in a journal file's name; null for any other file. */
export function journalNumber(name: string): number | null {
  const digits = NAME.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** The name of the journal file with this number. */
export function journalFileName(number: number): string {
  return `${String(number).padStart(NUMBER_DIGITS, '0')}.log`
}

/** One file of the journal. */
export class JournalFile {
  /** Entries that are not applied yet; what holds one more keeps the file from being removed. */
  open = 0
  readonly #file: AppendFile

  private constructor(file: AppendFile) {
    this.#file = file
  }

  /** Makes a new file; its name is on the disk when this resolves. */
  static async create(folder: string, number: number): Promise<JournalFile> {
    const file = path.join(folder, journalFileName(number))
    return new JournalFile(await AppendFile.create(file, JOURNAL_MAGIC))
  }

  /** A file of an earlier start: nothing more is written to it. */
  static found(file: string, bytes: number): JournalFile {
    return new JournalFile(AppendFile.found(file, bytes))
  }

  get path(): string {
    return this.#file.path
  }

  get number(): number {
    return journalNumber(path.basename(this.path))!
  }

  get bytes(): number {
    return this.#file.bytes
  }

  /** Nothing may be written behind a place that could not be cut off. */
  get isBroken(): boolean {
    return this.#file.isBroken
  }

  /** Adds frames and forces them to the disk: all of them or, as far as the file goes, none. */
  write(pieces: readonly Buffer[], sizeBytes: number): Promise<void> {
    return this.#file.write(pieces, sizeBytes)
  }

  /** Takes no more frames. */
  close(): Promise<void> {
    return this.#file.close()
  }
}
