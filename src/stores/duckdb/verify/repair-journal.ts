import path from 'node:path'
import { inTransaction } from '../process/sql.js'
import { noteLost } from '../segments/lost-rows.js'
import { JournalManifest, readJournalManifest } from '../write/journal/journal-manifest.js'
import { gapOfLost, type LostFile } from '../write/journal/lost-files.js'
import { ADDED_TABLES } from '../write/schema.js'
import { openHot } from './open-read-only.js'

/**
 * Takes missing files off the manifest of the journal and notes what they may have held as lost; false without a hot file to
 * note it in. No process may have the folder open.
 */
export async function repairJournal(folder: string, lost: readonly LostFile[]): Promise<boolean> {
  const hot = await openHot(path.join(folder, 'hot.duckdb'), 'repair')
  if (hot === null) return false
  const { connection } = hot
  try {
    for (const statement of ADDED_TABLES) await connection.run(statement)
    await inTransaction(connection, async () => {
      for (const file of lost) await noteLost(connection, gapOfLost(file, false))
    })
    await connection.run('CHECKPOINT hot')
  } finally {
    hot.close()
  }
  const { state } = await readJournalManifest(folder)
  const gone = new Set(lost.map(({ number }) => number))
  const manifest = new JournalManifest(folder, { ...state, files: state.files.filter(({ number }) => !gone.has(number)) })
  await manifest.rewrite()
  await manifest.close()
  return true
}
