import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { AgentConfig } from '../../agent/src/config/config.js'
import type { SealedBatch } from '../../agent/src/deliver/batch-body.js'
import type { Delivery } from '../../agent/src/deliver/deliverer.js'
import { FaultLog } from '../../agent/src/fault-log.js'
import type { Gap } from '../../agent/src/files/stream-record.js'
import { Journal } from '../../agent/src/journal/journal.js'
import { cursorOf, type JournalEntry, parseCursor, parseEntry } from '../../agent/src/journald/journal-entry.js'
import { recoverJournal } from '../../agent/src/journald/journal-streams.js'
import type { JournalChunk, JournalReader } from '../../agent/src/journald/read-journal.js'
import { runJournald } from '../../agent/src/journald/run-journald.js'
import { parseJournald } from '../../agent/src/parse/journald.js'
import { openTempFolder } from '../support/temp-folder.js'

const SEQUENCE = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)

function entry(number: number, sequence = SEQUENCE): JournalEntry {
  return { sequence, number, cursor: cursorOf({ sequence, number }), text: JSON.stringify({ MESSAGE: `entry ${number}` }) }
}

/** Entries of the first numbering. */
const entries = (...numbers: readonly number[]): readonly JournalEntry[] => numbers.map(number => entry(number))

/** A journal that is read by a real agent without a service. */
class JournalSite {
  readonly #folder: string
  /** What the journal has, in order; null for an entry that is too large. */
  entries: (JournalEntry | null)[] = []
  readonly stored: { readonly id: string; readonly messages: readonly string[]; readonly gap: Gap | null }[] = []
  /** Lines of a batch that the service takes. */
  maxLines = Number.POSITIVE_INFINITY
  /** The agent is killed before a batch is stored, or after that and before the response. */
  fails: 'before' | 'after' | null = null
  readonly #next = new Map<string, { nextSeq: number; bytesTo: number; lineTo: number }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  get messages(): readonly string[] {
    return this.stored.flatMap(({ messages }) => messages)
  }

  get gaps(): readonly Gap[] {
    return this.stored.flatMap(({ gap }) => gap ?? [])
  }

  /** Runs an agent until it has read all that the journal has. */
  async run(startAt: 'end' | 'beginning' = 'beginning', prepare: (journal: Journal) => Promise<void> = async () => undefined) {
    const journal = await Journal.open(this.#folder)
    await prepare(journal)
    const stop = new AbortController()
    const logs = { batchSize: 3, maxBatchSize: 10, intervalMs: 0 }
    const clock = { nowMs: () => Date.now(), elapsedMs: () => performance.now() }
    const log = (): void => undefined
    const options = {
      ...{ config: { logs } as unknown as AgentConfig, journal, clock, log, faults: new FaultLog(log, clock) },
      ...{ source: { namespace: null, startAt }, signal: stop.signal, firstWaitMs: 1 }
    }
    await runJournald({ ...options, reader: this.#reader(stop), deliver: batch => this.#store(batch, stop) })
    await journal.close()
  }

  #reader(stop: AbortController): JournalReader {
    return {
      last: async () => this.entries.findLast(one => one !== null) ?? null,
      follow: cursor => this.#follow(cursor, stop)
    }
  }

  async *#follow(cursor: string, stop: AbortController): AsyncGenerator<JournalChunk> {
    const place = parseCursor(cursor)
    const isAtPlace = (one: JournalEntry | null): boolean =>
      place !== null && one?.sequence === place.sequence && one.number >= place.number
    const at = this.entries.findIndex(isAtPlace)
    if (this.entries.at(-1)?.cursor === cursor) stop.abort()
    // In chunks of two, so that batches are filled by several.
    for (let i = Math.max(0, at); i < this.entries.length; i += 2) yield this.entries.slice(i, i + 2)
    await new Promise(() => undefined)
  }

  #die(stop: AbortController): never {
    stop.abort()
    throw new Error('killed')
  }

  async #store({ record, pin, lines }: SealedBatch, stop: AbortController): Promise<Delivery> {
    if (lines.length > this.maxLines) return { kind: 'too_large' }
    if (this.fails === 'before') return this.#die(stop)
    const from = pin.gap?.from ?? pin.from
    const known = this.#next.get(record.id) ?? { nextSeq: pin.seq, bytesTo: from, lineTo: pin.firstLine - 1 }
    if (pin.seq === known.nextSeq) {
      expect(from).toBe(known.bytesTo)
      const messages = lines.map(({ text }) => parseJournald(text)!.message)
      this.stored.push({ id: record.id, messages, gap: pin.gap })
      this.#next.set(record.id, { nextSeq: pin.seq + 1, bytesTo: pin.to, lineTo: pin.firstLine + pin.lines - 1 })
    }
    if (this.fails === 'after') return this.#die(stop)
    if (this.entries.at(-1)?.number === pin.to) stop.abort()
    return { kind: 'stored', position: this.#next.get(record.id)!, rejected: 0 }
  }
}

const messagesOf = (...numbers: readonly number[]): readonly string[] => numbers.map(number => `entry ${number}`)

let temp: Awaited<ReturnType<typeof openTempFolder>>
let site: JournalSite
beforeEach(async () => {
  temp = await openTempFolder()
  site = new JournalSite(temp.path)
})
afterEach(() => temp.remove())

describe('the system journal', () => {
  it('is sent in its order, and after a restart from where it was', async () => {
    site.entries = [...entries(1, 2, 3, 4, 5)]
    await site.run()
    site.entries.push(...entries(6, 7))
    await site.run()
    expect(site.messages).toEqual(messagesOf(1, 2, 3, 4, 5, 6, 7))
    expect(site.gaps).toEqual([])
  })

  it('is first read from its end, also when the agent stops before the next entry', async () => {
    site.entries = [...entries(1, 2)]
    await site.run('end')
    site.entries.push(...entries(3))
    await site.run('end')
    expect(site.messages).toEqual(messagesOf(3))
  })

  it('has each entry once when the agent is killed before the response', async () => {
    site.fails = 'after'
    for (let number = 1; number <= 30; number++) {
      site.entries.push(entry(number))
      if (number % 4 === 0) await site.run()
    }
    site.fails = null
    await site.run()
    expect(site.messages).toEqual(messagesOf(...Array.from({ length: 30 }, (_, i) => i + 1)))
    expect(site.gaps).toEqual([])
  })

  it('has a gap where entries were removed unread', async () => {
    site.entries = [...entries(1, 2)]
    await site.run()
    site.entries = [...entries(6, 7)]
    await site.run()
    expect(site.messages).toEqual(messagesOf(1, 2, 6, 7))
    expect(site.gaps).toEqual([{ from: 2, to: 5, lines: 3, reason: 'journal_vacuumed' }])
  })

  it('has a gap in place of what was removed of a batch that was noted', async () => {
    site.fails = 'before'
    site.entries = [...entries(1, 2, 3)]
    await site.run()
    site.fails = null
    site.entries = [...entries(3, 4)]
    await site.run()
    expect(site.messages).toEqual(messagesOf(3, 4))
    expect(site.gaps).toEqual([{ from: 0, to: 2, lines: 2, reason: 'journal_vacuumed' }])
  })

  it('has a gap in place of a batch that was noted and removed', async () => {
    site.fails = 'before'
    site.entries = [...entries(1, 2, 3)]
    await site.run()
    site.fails = null
    site.entries = [entry(9, OTHER)]
    await site.run()
    expect(site.messages).toEqual(messagesOf(9))
    expect(site.gaps).toEqual([{ from: 0, to: 3, lines: 3, reason: 'journal_vacuumed' }])
  })

  it('has a gap in place of an entry that is too large', async () => {
    site.entries = [entry(1), null, ...entries(3, 4)]
    await site.run()
    expect(site.messages).toEqual(messagesOf(1, 3, 4))
    expect(site.gaps).toEqual([{ from: 1, to: 2, lines: 1, reason: 'unreadable' }])
  })

  it('has a stream per numbering, and no gap where numberings share their numbers', async () => {
    site.entries = [...entries(1, 2), entry(3, OTHER), ...entries(4), entry(5, OTHER)]
    await site.run()
    site.entries.push(...entries(6), entry(7, OTHER))
    await site.run()
    expect(site.messages).toEqual(messagesOf(1, 2, 3, 4, 5, 6, 7))
    expect(new Set(site.stored.map(({ id }) => id))).toEqual(new Set([`journal-${SEQUENCE}`, `journal-${OTHER}`]))
    expect(site.gaps).toEqual([])
  })

  it('is sent in parts when a batch is too large', async () => {
    site.maxLines = 1
    site.entries = [...entries(1, 2, 3, 4, 5)]
    await site.run()
    expect(site.messages).toEqual(messagesOf(1, 2, 3, 4, 5))
  })

  it('goes on from the position of the service when the state is lost', async () => {
    const known = { id: `journal-${SEQUENCE}`, path: 'journald', nextSeq: 4, bytesTo: 7, lineTo: 7, head: null, anchor: null }
    site.entries = [...entries(5, 6, 7, 8)]
    await site.run('end', async journal =>
      recoverJournal(journal, 'journald', [
        { ...known, pending: null, isEnded: false, firstAtMs: 1, lastAtMs: 2, sealedAtMs: 0, recovered: null }
      ])
    )
    expect(site.messages).toEqual(messagesOf(8))
  })
})

describe('an entry of the journal', () => {
  const CURSOR = `s=${SEQUENCE};i=1f;b=${OTHER};m=1;t=2;x=3`

  it('has its place, and its fields in the same order each time', () => {
    const one = { __CURSOR: CURSOR, MESSAGE: 'a', _BOOT_ID: 'x', PRIORITY: '3', _PID: '7' }
    const parsed = parseEntry(JSON.stringify(one))
    expect(parsed).toMatchObject({ sequence: SEQUENCE, number: 31, cursor: CURSOR })
    expect(parsed!.text).toBe('{"MESSAGE":"a","PRIORITY":"3","_PID":"7"}')
    const reversed = Object.fromEntries(Object.entries(one).toReversed())
    expect(parseEntry(JSON.stringify(reversed))).toEqual(parsed)
  })

  it.each(['', '{', '{}', 'null', '{"__CURSOR":"s=1"}', '-- No entries --'])('is not %j', line => {
    expect(parseEntry(line)).toBeNull()
  })

  const record = (fields: object) => parseJournald(JSON.stringify(fields))

  it('makes a record', () => {
    const fields = { MESSAGE: 'failed', PRIORITY: '3', SYSLOG_IDENTIFIER: 'shopd', ORDER_ID: '17', SYSLOG_FACILITY: '3' }
    const trusted = { _SYSTEMD_UNIT: 'shop.service', _PID: '7', _HOSTNAME: 'web-1', __REALTIME_TIMESTAMP: '1767225600000002' }
    expect(record({ ...fields, ...trusted, _SOURCE_REALTIME_TIMESTAMP: '1767225600000001' })).toEqual({
      ...{ message: 'failed', timestamp: '2026-01-01T00:00:00.000001000Z', host: 'web-1', service: 'shop', level: '3' },
      fields: { ORDER_ID: '17', facility: '3', unit: 'shop.service', pid: '7' }
    })
    expect(record({ MESSAGE: 'a', __REALTIME_TIMESTAMP: '1767225600000002' })).toEqual({
      ...{ message: 'a', timestamp: '2026-01-01T00:00:00.000002000Z', fields: {} }
    })
  })

  it.each([
    [{ _SYSTEMD_UNIT: 'session-3.scope', SYSLOG_IDENTIFIER: 'sudo' }, 'sudo'],
    [{ _SYSTEMD_UNIT: 'user@1000.service', SYSLOG_IDENTIFIER: 'app' }, 'app'],
    [{ _SYSTEMD_UNIT: 'getty@tty1.service' }, 'getty@tty1'],
    [{ _COMM: 'cron' }, 'cron'],
    [{}, undefined]
  ])('%j is of the service %s', (fields, service) => {
    expect(record({ MESSAGE: 'a', ...fields })!.service).toBe(service)
  })

  it('has a message of bytes, and one of several', () => {
    expect(record({ MESSAGE: [97, 10, 195, 164, 255] })!.message).toBe('a\nä\ufffd')
    expect(record({ MESSAGE: ['a', [98]] })!.message).toBe('a\nb')
    expect(record({ MESSAGE: null })!.message).toBe('')
  })
})
