import { stat } from 'node:fs/promises'
import type { SetAside } from '../../../disk/set-aside.js'
import type { HotDatabase } from '../hot-database.js'
import type { JournalFile } from './journal-file.js'
import { JOURNAL_MANIFEST, JournalManifest, type JournalState, type ListedFile, readJournalManifest } from './journal-manifest.js'
import { type LostFile, lostFiles } from './lost-files.js'

/** What opening works with. */
export interface ManifestDeps {
  readonly database: HotDatabase
  readonly setAside: SetAside
  readonly nowMs: () => number
  readonly onTrouble: (message: string, error: unknown) => void
}

/** The manifest of this start, and what it found missing. */
export interface OpenedManifest {
  readonly manifest: JournalManifest
  readonly lost: readonly LostFile[]
  readonly repairs: readonly string[]
}

/** Compares the list of journal files with those that were found, and starts it again. */
export async function openJournalManifest(parts: ManifestDeps, files: readonly JournalFile[]): Promise<OpenedManifest> {
  const { database, setAside, nowMs, onTrouble } = parts
  const { state, damage } = await readJournalManifest(database.dataDir)
  const numbers = files.map(({ number }) => number)
  const lost = lostFiles(state, numbers, nowMs())
  const next: JournalState = {
    epoch: String(database.epoch),
    last: Math.max(0, state.last, ...numbers),
    files: [
      ...lost.map(({ number, createdMs, missedMs }) => ({ number, createdMs, missedMs })),
      ...(await listFound(state, files))
    ]
  }
  const manifest = new JournalManifest(database.dataDir, next)
  const repairs: string[] = []
  if (damage) {
    // Without room for a copy the start goes on: the list is rewritten from the files that are there.
    const kept = await setAside.keep(JOURNAL_MANIFEST, [damage.content]).then(
      name => `set aside as ${name}`,
      () => 'not copied, because that failed'
    )
    repairs.push(`${JOURNAL_MANIFEST} was damaged at byte ${damage.at}; its content was ${kept}`)
  }
  // A full disk must not keep the service from starting: the first new file writes it, or is refused.
  await manifest.rewrite().catch((error: unknown) => onTrouble('the journal manifest could not be written', error))
  return { manifest, lost, repairs }
}

function listFound(state: JournalState, files: readonly JournalFile[]): Promise<readonly ListedFile[]> {
  const known = new Map(state.files.map(file => [file.number, file.createdMs]))
  return Promise.all(
    files.map(async ({ number, path }) => {
      return { number, createdMs: known.get(number) ?? (await stat(path)).mtimeMs, missedMs: null }
    })
  )
}
