import type { Dirent } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import path from 'node:path'
import { Findings } from '../../shared/finding.js'
import { queryRows } from '../process/sql.js'
import { segmentOfIndex } from '../segment-indexes.js'
import { checkWhole } from '../segments/check-segment.js'
import { crcOfFile } from '../segments/crc-of-file.js'
import { type ManifestRow, readManifest, readSums } from '../segments/manifest.js'
import { writtenSince } from '../segments/older-hot-file.js'
import { firstLine, unlistedFiles } from '../segments/unlisted-segments.js'
import { LAYOUT } from '../table-layout.js'
import { newestSegment, readMeta } from '../write/hot-file-state.js'
import type { LostFile } from '../write/journal/lost-files.js'
import { openHot, type ReadOnlyHot } from './open-read-only.js'
import { verifyJournal } from './verify-journal.js'
import { whenMissing } from '../../disk/when-missing.js'

const STORE = 'embedded store'
const HOT_FILE = 'hot.duckdb'
/** Findings of one sort that are named one by one. */
const MOST_NAMED = 20

/** A listed segment that does not read. */
export interface BadSegment {
  readonly row: ManifestRow
  readonly reason: string
}

/** What was found in a folder of the embedded engine. */
export interface VerifiedTelemetry {
  readonly findings: Findings['list']
  readonly bad: readonly BadSegment[]
  /** Journal files that are missing. */
  readonly lost: readonly LostFile[]
}

/** Reads every byte of a folder that no process has open, and changes nothing. */
export async function verifyTelemetry(folder: string, nowMs: number): Promise<VerifiedTelemetry> {
  const findings = new Findings(STORE)
  const onDisk = await filesBelow(path.join(folder, 'segments'))
  const bad = await verifyHot(folder, onDisk, findings)
  const lost = await verifyJournal(folder, nowMs, findings)
  const aside = await readdir(path.join(folder, 'set-aside')).catch(whenMissing<string[]>([]))
  if (aside.length > 0) findings.notice('set-aside', `${aside.length} pieces of data are in set-aside`, 'see docs/operations.md')
  return { findings: findings.list, bad, lost }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(() => true, whenMissing(false))
}

async function filesBelow(segments: string): Promise<readonly string[]> {
  const folders = await readdir(segments, { withFileTypes: true }).catch(whenMissing<Dirent[]>([]))
  const files: string[] = []
  for (const entry of folders) {
    if (!entry.isDirectory()) files.push(entry.name)
    else for (const name of await readdir(path.join(segments, entry.name))) files.push(`${entry.name}/${name}`)
  }
  return files
}

async function verifyHot(folder: string, onDisk: readonly string[], findings: Findings): Promise<readonly BadSegment[]> {
  let hot: ReadOnlyHot | null
  try {
    hot = await openHot(path.join(folder, HOT_FILE), 'read')
  } catch (error) {
    const remedy = `restore a backup; or move ${HOT_FILE} and its .wal away: the next start lists the segments again`
    findings.bad('hot file', `${HOT_FILE} cannot be opened: ${firstLine(error)}`, remedy)
    return []
  }
  // Missing, or of no bytes.
  if (hot === null) {
    if (onDisk.length === 0) return []
    findings.bad(
      'hot file',
      `${HOT_FILE} is ${(await isThere(path.join(folder, HOT_FILE))) ? 'empty' : 'missing'} but there are ${onDisk.length} segment files`,
      'the next start lists them again'
    )
    return []
  }
  try {
    const format = Number(await readMeta(hot.connection, 'format'))
    if (format > LAYOUT.format) {
      const found = `the data has format ${format} of a newer version of Alidade; this version reads formats up to ${LAYOUT.format}`
      findings.bad('format', found, 'verify it with the newer version')
      return []
    }
    return await verifySegments(folder, hot, onDisk, findings)
  } finally {
    hot.close()
  }
}

async function verifySegments(
  folder: string,
  hot: ReadOnlyHot,
  onDisk: readonly string[],
  findings: Findings
): Promise<readonly BadSegment[]> {
  const { connection } = hot
  const pathOf = (file: string): string => path.join(folder, 'segments', file)
  const rows = await readManifest(connection)
  const sums = (await hot.has('sums')) ? await readSums(connection) : new Map<string, never>()
  const bad: BadSegment[] = []
  for (const row of rows) {
    const reason = await checkWhole(connection, pathOf(row.file), row, sums.get(row.file))
    if (reason !== null) bad.push({ row, reason })
  }
  for (const { row, reason } of bad.slice(0, MOST_NAMED))
    findings.bad(
      'segment',
      `segments/${row.file} ${reason}: ${row.rows} rows`,
      'restore it from a backup, or run verify --repair'
    )
  if (bad.length > MOST_NAMED) findings.bad('segment', `${bad.length - MOST_NAMED} more segments are unreadable`, 'as above')
  if (bad.length === 0) findings.good('segments', `${rows.length} segments with ${sumOf(rows)} rows verified`)
  const summed = rows.filter(({ file }) => sums.has(file)).length
  if (summed < rows.length)
    findings.good(
      'checksums',
      `${rows.length - summed} segments of an earlier version have no checksums; their rows were counted`
    )
  await verifyIndexes({ onDisk, sums, pathOf }, findings)
  const garbage = await queryRows<{ name: string }>(connection, "SELECT name FROM hot.main.garbage WHERE what <> 'table'")
  const known = new Set([...rows.map(({ file }) => file), ...garbage.map(({ name }) => name)])
  const unlisted = unlistedFiles(onDisk, known)
  if (unlisted.length > 0)
    findings.notice(
      'manifest',
      `${unlisted.length} files are not listed, ${unlisted[0]!} for one`,
      'the next start lists them, or sets them aside'
    )
  const newer = writtenSince(unlisted, await newestSegment(connection))
  if (newer.length > 0)
    findings.bad(
      'hot file',
      `${HOT_FILE} is older than ${newer.length} segments, ${newer[0]!} for one: it is a copy from before they were written`,
      'restore the current one; or start: the segments are listed again, and rows that were not sealed are lost'
    )
  return bad
}

function sumOf(rows: readonly ManifestRow[]): number {
  return rows.reduce((sum, row) => sum + row.rows, 0)
}

async function verifyIndexes(
  parts: {
    readonly onDisk: readonly string[]
    readonly sums: Awaited<ReturnType<typeof readSums>>
    readonly pathOf: (file: string) => string
  },
  findings: Findings
): Promise<void> {
  const present = new Set(parts.onDisk)
  for (const [file, sum] of parts.sums) {
    if (segmentOfIndex(file) === null) continue
    const found = present.has(file) ? await crcOfFile(parts.pathOf(file)) : null
    if (found === null) findings.notice('index', `segments/${file} is missing: its segment is read whole`)
    else if (found.crc !== sum.crc || found.bytes !== sum.bytes)
      findings.bad('index', `segments/${file} does not match its checksum`, 'remove it; its segment is then read in full')
  }
}
