import type { FileSource } from '../config/config.js'
import { originalsOf } from '../files/siblings.js'
import { Source } from '../files/source.js'
import type { Log } from '../fault-log.js'
import type { Journal } from '../journal/journal.js'
import type { LedgerPage, LedgerStream } from './ledger-streams.js'
import { toRecord } from './to-records.js'

/** When the files of a pattern were known, in an agent that lost its journal. Unix milliseconds. */
export interface RecoveredPattern {
  /** The earlier agent began about then. */
  readonly firstMs: number
  /** Files that did not change since are known or of no concern. */
  readonly lookedAtMs: number
}

/** Streams by the pattern of the configuration that their path belongs to, or belonged to before a rotation. */
function byPattern(streams: readonly LedgerStream[], files: readonly FileSource[]): ReadonlyMap<string, readonly LedgerStream[]> {
  const sources = files.map(file => new Source(file))
  const found = new Map<string, LedgerStream[]>()
  for (const stream of streams) {
    // A file that was first seen after a rotation has the name that it had then.
    const paths = originalsOf(stream.path)
    const pattern = sources.find(source => paths.some(path => source.matches(path)))?.glob.pattern
    if (pattern !== undefined) found.set(pattern, [...(found.get(pattern) ?? []), stream])
  }
  return found
}

/**
 * Notes in an empty journal what the service knows of the streams of this machine. Patterns are the last: without them a
 * journal is empty, so that a crash in between begins again.
 */
export async function recoverStreams(
  journal: Journal,
  files: readonly FileSource[],
  { streams, sinceMs }: Omit<LedgerPage, 'hasMore'>,
  log: Log
): Promise<ReadonlyMap<string, RecoveredPattern>> {
  const patterns = new Map<string, RecoveredPattern>()
  for (const [pattern, its] of byPattern(streams, files)) {
    const firstMs = Math.min(...its.map(({ firstAtMs }) => firstAtMs))
    patterns.set(pattern, { firstMs, lookedAtMs: Math.max(firstMs, sinceMs) })
    for (const stream of its) if (!journal.streams.has(stream.id)) await journal.put(toRecord(stream, pattern))
    const open = its.filter(({ isEnded }) => !isEnded).length
    log('streams recovered from the service', { pattern, open, ended: its.length - open })
  }
  for (const [pattern, { firstMs, lookedAtMs }] of patterns) await journal.looked(pattern, lookedAtMs, firstMs)
  await journal.sync()
  return patterns
}
