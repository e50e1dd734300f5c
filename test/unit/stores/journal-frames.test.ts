import { serialize } from 'node:v8'
import { describe, expect, it } from '@jest/globals'
import { LAYOUT } from '../../../src/stores/duckdb/table-layout.js'
import {
  decodeJournalEntry,
  encodeJournalEntry,
  JOURNAL_MAGIC,
  scanJournal
} from '../../../src/stores/duckdb/write/journal/journal-frames.js'

function frame(...bytes: number[]): Buffer {
  return Buffer.concat(encodeJournalEntry({ refused: [], payload: Buffer.from([0xff, ...bytes]) }))
}

function payloads(content: Buffer): number[][] {
  return scanJournal(content).entries.map(({ payload }) => [...payload.subarray(1)])
}

describe('scanJournal', () => {
  it('gives back what was written, with the positions that were refused', () => {
    const entry = { refused: [3, 70_000], payload: Buffer.from([0xff, 9]) }
    const { entries, damages } = scanJournal(Buffer.concat([JOURNAL_MAGIC, frame(1), ...encodeJournalEntry(entry)]))
    expect(entries).toEqual([{ refused: [], payload: Buffer.from([0xff, 1]) }, entry])
    expect(damages).toEqual([])
  })

  it('never takes a frame out of a torn one, where a sender could have put it for another namespace', () => {
    const bait = frame(66)
    const torn = frame(...Buffer.concat([Buffer.alloc(5), bait, Buffer.alloc(50)]))
    const content = Buffer.concat([JOURNAL_MAGIC, frame(1), torn.subarray(0, torn.length - 40)])
    expect(payloads(content)).toEqual([[1]])
    expect(scanJournal(content).damages).toEqual([{ from: JOURNAL_MAGIC.length + frame(1).length, to: content.length }])
  })

  it('steps over one damaged frame by its own length', () => {
    const bad = frame(2, 2, 2)
    bad[bad.length - 1]! ^= 1
    expect(payloads(Buffer.concat([JOURNAL_MAGIC, frame(1), bad, frame(3)]))).toEqual([[1], [3]])
  })

  it('stops where a length is damaged, at zeros and at a lone header', () => {
    const long = frame(2)
    long.writeUInt32LE(0xffffffff, 0)
    expect(payloads(Buffer.concat([JOURNAL_MAGIC, frame(1), long, frame(3)]))).toEqual([[1]])
    expect(payloads(Buffer.concat([JOURNAL_MAGIC, frame(1), Buffer.alloc(4096)]))).toEqual([[1]])
    expect(payloads(Buffer.concat([JOURNAL_MAGIC, frame(1), frame(2).subarray(0, 8)]))).toEqual([[1]])
  })

  it('reads on behind a damaged head, and nothing from a shorter file', () => {
    const content = Buffer.concat([Buffer.from('XXXXXXXX'), frame(1)])
    expect(payloads(content)).toEqual([[1]])
    expect(scanJournal(content).damages).toEqual([{ from: 0, to: JOURNAL_MAGIC.length }])
    expect(scanJournal(Buffer.from('ali'))).toEqual({ entries: [], damages: [{ from: 0, to: 3 }] })
  })

  it('reads requests that the first format kept as serialized calls', () => {
    const request = { kind: 'logs', ns: 'n', ingestId: 'i', rows: 1, columns: {} }
    const entry = encodeJournalEntry({ refused: [], payload: serialize({ method: 'append', args: [request] }) })
    const { entries, damages } = scanJournal(Buffer.concat([Buffer.from('alidjrn1'), ...entry]))
    expect(damages).toEqual([])
    // Columns of later formats are added without values.
    const read = { ...request, columns: { environment: null, pattern_id: null } }
    expect(entries.map(entry => decodeJournalEntry(entry, LAYOUT))).toEqual([read])
  })
})
