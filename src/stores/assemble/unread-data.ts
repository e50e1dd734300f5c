import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamespaceSize } from '../../ports/stores.js'
import { whenMissing } from '../disk/when-missing.js'
import type { StoreSignal } from '../shared/engine-descriptor.js'
import { EMBEDDED, type StoreChoice } from '../shared/store-choice.js'

/** Embedded records by kind, as the embedded engine counts them. */
export type RecordsByKind = Readonly<Record<'logs' | 'points' | 'rum' | 'errors' | 'spans', number>>

/** What embedded records are called, and of which signal they are. */
const KINDS: Readonly<Record<keyof RecordsByKind, readonly [words: string, signal: StoreSignal]>> = {
  logs: ['logs', 'logs'],
  points: ['metric points', 'metrics'],
  rum: ['page timings', 'events'],
  errors: ['errors', 'events'],
  spans: ['spans', 'traces']
}

/** Sentences on records in the running embedded engine whose signal is stored elsewhere by now. */
export function unreadRecords(counts: RecordsByKind, { signals }: StoreChoice): string[] {
  return (Object.keys(KINDS) as (keyof RecordsByKind)[]).flatMap(kind => {
    const [words, signal] = KINDS[kind]
    if (signals[signal] === EMBEDDED || counts[kind] === 0) return []
    return [`${counts[kind]} embedded ${words} are not read, because ${signal}_store is ${signals[signal]}`]
  })
}

/** The sentence on a folder of the embedded engine while no signal uses that engine; empty without such a folder. */
export async function unreadTelemetry(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(whenMissing<string[]>([]))
  return names.length === 0 ? [] : [`embedded data in ${folder} are not read, because no signal uses ${EMBEDDED}`]
}

/** The sentence on an embedded control database in an installation with PostgreSQL. */
export async function unreadControl(folder: string, file: string): Promise<string[]> {
  const exists = await access(join(folder, file)).then(() => true, whenMissing(false))
  return exists ? [`embedded users, keys and namespaces in ${folder} are not read, because database_url is set`] : []
}

/** The sentence on records that wait in the spool while no managed store is chosen. */
export async function unreadSpool(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(whenMissing<string[]>([]))
  const isWaiting = names.some(name => name.endsWith('.spool'))
  return isWaiting ? [`records in ${folder} are spooled for a managed store, but none is configured`] : []
}

/** The sentence on records of namespaces that the control database does not know: they are not readable, and are kept. */
export function unreadNamespaces(sizes: readonly NamespaceSize[]): string[] {
  if (sizes.length === 0) return []
  const records = sizes.reduce((sum, size) => sum + size.records, 0)
  const which = sizes.length === 1 ? sizes[0]!.namespace : String(sizes.length)
  return [`${records} records are kept but not read: their namespaces are not in the control database (${which})`]
}
