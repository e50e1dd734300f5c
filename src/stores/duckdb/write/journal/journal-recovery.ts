import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { GatewayError } from '../../../../domain/errors.js'
import type { TableLayout } from '../../table-layout.js'
import type { AppendRequest } from '../../wire/calls.js'
import { JournalFile, journalNumber } from './journal-file.js'
import {
  decodeJournalEntry,
  encodeJournalEntry,
  isJournalMagic,
  JOURNAL_MAGIC,
  type JournalEntry,
  scanJournal
} from './journal-frames.js'
import type { SetAside } from '../../../disk/set-aside.js'

const ENTRIES_AT_ONCE = 4_000

/** An entry of an earlier start. */
export interface FoundEntry {
  readonly request: AppendRequest
  readonly entry: JournalEntry
  readonly file: JournalFile
}

/** What recovery works with. */
export interface JournalRecoveryDeps {
  readonly layout: TableLayout
  readonly folder: string
  readonly setAside: SetAside
  /** Takes the entries of one file, in order; resolves when they are applied, or kept to be applied later. */
  readonly replay: (entries: readonly FoundEntry[]) => Promise<void>
}

/** What was found. */
export interface Recovered {
  readonly files: readonly JournalFile[]
  /** What had to be repaired; empty when all was well. */
  readonly repairs: readonly string[]
}

/** Names of the files of a journal, in the order in which they were written. */
export async function journalFiles(folder: string): Promise<readonly string[]> {
  return inOrder(await readdir(folder))
}

/** Those of the names that journal files have, in the order of their numbers. */
export function inOrder(names: readonly string[]): readonly string[] {
  const own = names.filter(name => journalNumber(name) !== null)
  return own.sort((a, b) => journalNumber(a)! - journalNumber(b)!)
}

/** Replays all journal files in the order in which they were written. */
export async function recoverJournal(parts: JournalRecoveryDeps): Promise<Recovered> {
  const names = await journalFiles(parts.folder)
  const files: JournalFile[] = []
  const repairs: string[] = []
  for (const name of names) {
    const content = await readFile(path.join(parts.folder, name))
    requireKnownFormat(name, content)
    const file = JournalFile.found(path.join(parts.folder, name), content.length)
    files.push(file)
    await replayFile(parts, { name, content, file }, repairs)
  }
  return { files, repairs }
}

function requireKnownFormat(name: string, content: Buffer): void {
  const family = JOURNAL_MAGIC.length - 1
  const isOfFamily = content.length >= JOURNAL_MAGIC.length && JOURNAL_MAGIC.compare(content, 0, family, 0, family) === 0
  if (!isOfFamily || isJournalMagic(content.subarray(0, JOURNAL_MAGIC.length))) return
  throw new GatewayError('conflict', `the journal file ${name} has a format that this version does not read`)
}

interface FileContent {
  readonly name: string
  readonly content: Buffer
  readonly file: JournalFile
}

async function replayFile(parts: JournalRecoveryDeps, { name, content, file }: FileContent, repairs: string[]): Promise<void> {
  // A start that ended before the first frame.
  if (content.length <= JOURNAL_MAGIC.length && JOURNAL_MAGIC.subarray(0, content.length).equals(content)) return
  const { entries, damages } = scanJournal(content)
  const keep = (label: string, pieces: readonly Buffer[]): Promise<string> => keepAside(parts.setAside, file, label, pieces)
  for (const { from, to } of damages) {
    const where = await keep(`${name}.${from}`, [content.subarray(from, to)])
    const what = to === content.length ? 'was truncated' : 'was damaged'
    repairs.push(`the journal ${what} at byte ${from} of ${name}; ${to - from} bytes were ${where}`)
  }
  // In parts: a file may contain a hundred thousand requests.
  for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE) {
    const found: FoundEntry[] = []
    for (const entry of entries.slice(at, at + ENTRIES_AT_ONCE)) {
      const request = decode(entry, parts.layout)
      if (request) found.push({ request, entry, file })
      else
        repairs.push(
          `an entry of ${name} cannot be read; it was ${await keep(`${name}.entry-${entries.indexOf(entry)}`, encodeJournalEntry(entry))}`
        )
    }
    await parts.replay(found)
  }
}

/** Null for an entry that makes no sense; throws for one of a later version, which does. */
function decode(entry: JournalEntry, layout: TableLayout): AppendRequest | null {
  try {
    return decodeJournalEntry(entry, layout)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    // The caller sets it aside and reports it.
    return null
  }
}

async function keepAside(setAside: SetAside, file: JournalFile, name: string, pieces: readonly Buffer[]): Promise<string> {
  try {
    return `set aside as ${await setAside.keep(name, pieces)}`
  } catch {
    // No room for the copy: the file itself stays where it is.
    file.open++
    return 'left in it'
  }
}
