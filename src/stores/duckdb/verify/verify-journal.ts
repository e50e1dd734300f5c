import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Findings } from '../../shared/finding.js'
import { whenMissing } from '../../disk/when-missing.js'
import { journalNumber } from '../write/journal/journal-file.js'
import { scanJournal } from '../write/journal/journal-frames.js'
import { JOURNAL_MANIFEST, readJournalManifest } from '../write/journal/journal-manifest.js'
import { inOrder } from '../write/journal/journal-recovery.js'
import { arrivalSentence, type LostFile, lostFiles, lostPath } from '../write/journal/lost-files.js'

/** Reads the journal below a data folder; returns the files that are missing. */
export async function verifyJournal(folder: string, nowMs: number, findings: Findings): Promise<readonly LostFile[]> {
  const below = path.join(folder, 'journal')
  const found = await readdir(below).catch(whenMissing<string[] | null>(null))
  const names = inOrder(found ?? [])
  let entries = 0
  for (const name of names) {
    const { entries: whole, damages } = scanJournal(await readFile(path.join(below, name)))
    entries += whole.length
    for (const { from, to } of damages)
      findings.bad(
        'journal',
        `${name} is damaged from byte ${from} to ${to}`,
        'the next start sets these bytes aside and replays the rest'
      )
  }
  if (found) findings.good('journal', `${entries} requests verified`)
  const { state, damage } = await readJournalManifest(folder)
  if (damage)
    findings.notice(
      'journal',
      `${JOURNAL_MANIFEST} is damaged at byte ${damage.at}: a missing journal file may not be noticed`,
      'the next start rewrites it'
    )
  const lost = lostFiles(
    state,
    names.map(name => journalNumber(name)!),
    nowMs
  )
  for (const file of lost)
    findings.bad(
      'journal',
      `${lostPath(file)} is missing: ${arrivalSentence(file)}`,
      'restore it and start, or run verify --repair to accept the loss'
    )
  return lost
}
