import { Backoff } from '../backoff.js'
import type { JournaldSource } from '../config/config.js'
import type { FaultLog } from '../fault-log.js'
import { JournalFollower, type JournalFollowerDeps } from './journal-follower.js'
import { journalName, journalRecords, newJournalRecord } from './journal-streams.js'
import { journalctl, type JournalReader } from './read-journal.js'

/** Dependencies of `runJournald`; tests pass their own reader. */
export interface JournaldOptions extends Omit<JournalFollowerDeps, 'name'> {
  readonly source: JournaldSource
  readonly faults: FaultLog
  readonly signal: AbortSignal
  readonly reader?: JournalReader
  /** Before `journalctl` is run again, milliseconds. */
  readonly firstWaitMs?: number
}

const FIRST_WAIT_MS = 1_000

/** Notes where the journal is read from the first time, so that what comes while the agent is down is read. */
async function begin(options: JournaldOptions, reader: JournalReader, name: string): Promise<void> {
  const { clock, journal, signal, source } = options
  if (journal.patterns.has(name)) return
  const isKnown = journalRecords(journal, name).length > 0
  const last = isKnown || source.startAt === 'beginning' ? null : await reader.last(signal)
  if (last !== null) await journal.put(newJournalRecord(name, last, last.cursor))
  await journal.looked(name, clock.nowMs(), clock.nowMs())
  await journal.sync()
}

/** Follows the system journal until the signal. A reader that ends is run again where the service is, after 1 to 60 s. */
export async function runJournald(options: JournaldOptions): Promise<void> {
  const { source, faults, signal, clock, firstWaitMs = FIRST_WAIT_MS } = options
  const name = journalName(source)
  const reader = options.reader ?? journalctl(source.namespace)
  let follower: JournalFollower | null = null
  const backoff = new Backoff(clock, firstWaitMs)
  while (!signal.aborted) {
    backoff.begin()
    const ended = new AbortController()
    try {
      await begin(options, reader, name)
      follower ??= new JournalFollower({ ...options, name })
      await follower.follow(reader.follow(follower.cursor, AbortSignal.any([signal, ended.signal])), signal)
    } catch (error) {
      if (!signal.aborted) faults.report('journal not read', name, { source: name, err: String(error) })
    }
    ended.abort()
    await backoff.wait(signal)
  }
}
