import { access } from 'node:fs/promises'
import path from 'node:path'
import { inTransaction } from '../process/sql.js'
import { SetAside } from '../../disk/set-aside.js'
import { asideName } from '../segments/adoption.js'
import { noteLost } from '../segments/lost-rows.js'
import { unlistSegments } from '../segments/manifest.js'
import { indexFilesOf } from '../segment-indexes.js'
import { ADDED_TABLES } from '../write/schema.js'
import { openHot } from './open-read-only.js'
import type { BadSegment } from './verify-telemetry.js'
import { whenMissing } from '../../disk/when-missing.js'
import { JournalManifest, readJournalManifest } from '../write/journal/journal-manifest.js'
import { gapOfLost, type LostFile } from '../write/journal/lost-files.js'

/**
 * Takes segments that do not read off the manifest, notes their rows as lost, and moves what is left of them to set-aside.
 * No process may use the folder.
 */
export async function repairManifest(folder: string, bad: readonly BadSegment[]): Promise<void> {
  const hot = await openHot(path.join(folder, 'hot.duckdb'), 'repair')
  if (hot === null || bad.length === 0) return
  const { connection } = hot
  try {
    for (const statement of ADDED_TABLES) await connection.run(statement)
    await inTransaction(connection, async () => {
      for (const { row, reason } of bad) {
        const { kind, ns, minNs, maxNs, rows, file } = row
        await noteLost(connection, { kind, ns, minNs, maxNs, rows, reason: `segments/${file} ${reason}` })
      }
      await unlistSegments(
        connection,
        bad.map(({ row }) => row.file)
      )
    })
    await connection.run('CHECKPOINT hot')
  } finally {
    hot.close()
  }
  const setAside = await SetAside.open(folder)
  for (const { row } of bad) {
    for (const file of [...indexFilesOf(row.file), row.file]) {
      const from = path.join(folder, 'segments', file)
      const isThere = await access(from).then(() => true, whenMissing(false))
      if (isThere) await setAside.move(from, asideName(file))
    }
  }
}

/**
 * Takes missing files off the manifest of the journal and notes their possible content as lost; false without a hot file to note
 * it in. No process may use the folder.
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
