import type { JournaldSource } from '../config/config.js'
import type { StreamRecord } from '../files/stream-record.js'
import { NO_BYTES } from '../files/line-reader.js'
import type { Journal } from '../journal/journal.js'
import { continuationOf, type LedgerStream } from '../recover/ledger-streams.js'
import { cursorOf, type JournalPlace } from './journal-entry.js'

/** What is known of a numbering of entries; `offset` is the number of the last one that is stored. */
export type JournalRecord = StreamRecord & { readonly cursor: string }

const ID = /^journal-([0-9a-f]{32})$/

/** The name of the source in the journal of the agent, and the path of its streams. */
export function journalName({ namespace }: Pick<JournaldSource, 'namespace'>): string {
  return namespace === null ? 'journald' : `journald:${namespace}`
}

/** A numbering is a stream: its id is that of the numbering, so that it is known without the state of the agent. */
export function newJournalRecord(name: string, { sequence, number }: JournalPlace, cursor: string): JournalRecord {
  return {
    ...{ id: `journal-${sequence}`, pattern: name, path: name, dev: -1, ino: -1, bornMs: -1, head: NO_BYTES, anchor: NO_BYTES },
    ...{ offset: number, nextLine: 1, nextSeq: 1, sealedAtMs: 0, pin: null, endedAtMs: null, cursor }
  }
}

/** The streams of a source in the journal of the agent. */
export function journalRecords({ streams }: Pick<Journal, 'streams'>, name: string): readonly JournalRecord[] {
  return [...streams.values()].filter((record): record is JournalRecord => record.pattern === name && record.cursor !== undefined)
}

/** Notes the streams that the service has of a source, for an agent that has none. */
export async function recoverJournal(journal: Journal, name: string, streams: readonly LedgerStream[]): Promise<void> {
  for (const stream of streams) {
    const { id, path, bytesTo } = stream
    const sequence = path === name ? ID.exec(id)?.[1] : undefined
    if (sequence === undefined || journal.streams.has(id)) continue
    const place = { sequence, number: bytesTo }
    await journal.put({ ...newJournalRecord(name, place, cursorOf(place)), ...continuationOf(stream) })
  }
}
