import { access } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import type { Clock } from '../../ports/clock.js'
import { CONTROL_FOLDER, TELEMETRY_FOLDER } from '../assemble/backup.js'
import { repairJournal, repairManifest } from '../duckdb/verify/repair.js'
import { type VerifiedTelemetry, verifyTelemetry } from '../duckdb/verify/verify-telemetry.js'
import { type Finding, Findings, wordsOf } from '../shared/finding.js'
import { lockFolder } from '../disk/folder-lock.js'
import { requireControlStore } from '../assemble/lone-telemetry.js'
import { CONTROL_FILE } from '../assemble/open-control.js'
import { LOCK_FILE } from '../shared/store-choice.js'
import { whenMissing } from '../disk/when-missing.js'

/** What is verified. */
export interface Verified {
  readonly dataDir: string
  /** Whether users and keys are in the folder, and not in PostgreSQL. */
  readonly hasOwnControl: boolean
  /** Whether segments that do not read and journal files that are missing are taken off their manifests. */
  readonly isRepair: boolean
  readonly clock: Clock
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(() => true, whenMissing(false))
}

async function verifyControl(dataDir: string, findings: Findings): Promise<void> {
  try {
    await requireControlStore(dataDir)
  } catch (error) {
    return findings.bad('users and keys', wordsOf(error), 'see docs/operations.md')
  }
  const file = join(dataDir, CONTROL_FOLDER, CONTROL_FILE)
  if (!(await isThere(file))) return
  try {
    const database = new Database(file)
    try {
      const rows = database.prepare('PRAGMA integrity_check').all() as readonly { readonly integrity_check: string }[]
      const faults = rows.map(row => row.integrity_check).filter(text => text !== 'ok')
      if (faults.length === 0) findings.good('users and keys', `${CONTROL_FILE} is whole`)
      else findings.bad('users and keys', `${CONTROL_FILE} is damaged: ${faults[0]!}`, 'restore it from a backup')
    } finally {
      database.close()
    }
  } catch (error) {
    findings.bad('users and keys', `${CONTROL_FILE} cannot be read: ${wordsOf(error)}`, 'restore it from a backup')
  }
}

const REPAIRED = 'responses over their time range stay incomplete and report it'

/** False when nothing was repaired. */
async function repair(folder: string, { bad, lost }: VerifiedTelemetry, findings: Findings): Promise<boolean> {
  if (bad.length > 0) {
    await repairManifest(folder, bad)
    const text = `${bad.length} segments were removed from the manifest; their files were moved to set-aside`
    findings.notice('repair', text, REPAIRED)
  }
  const isNoted = lost.length > 0 && (await repairJournal(folder, lost))
  if (isNoted) findings.notice('repair', `${lost.length} missing files of the journal were recorded as lost`, REPAIRED)
  return bad.length > 0 || isNoted
}

/** Reads everything that is embedded in a data folder and returns what is damaged. `conflict` while a service has it open. */
export async function verifyStores({ dataDir, hasOwnControl, isRepair, clock }: Verified): Promise<readonly Finding[]> {
  const release = await lockFolder(join(dataDir, LOCK_FILE), 0, clock)
  try {
    const findings = new Findings('data folder')
    if (hasOwnControl) await verifyControl(dataDir, findings)
    const folder = join(dataDir, TELEMETRY_FOLDER)
    const found = await verifyTelemetry(folder, clock.nowMs())
    if (!isRepair || !(await repair(folder, found, findings))) return [...findings.list, ...found.findings]
    const again = await verifyTelemetry(folder, clock.nowMs())
    return [...findings.list, ...again.findings]
  } finally {
    release()
  }
}
