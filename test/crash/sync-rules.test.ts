import { describe, expect, it } from '@jest/globals'
import { checkResults, checkNewLogs, checkRemovals, checkSegments } from './sync-rules.js'
import { parseTrace } from './system-calls.js'

const WAL = 'hot.duckdb.wal'
const write = (pid: number): string => `${pid} write(20</d/telemetry/hot.duckdb.wal>, "rows seg-1.parquet", 18) = 18`
const sync = (pid: number): string => `${pid} fsync(20</d/telemetry/hot.duckdb.wal>) = 0`
const ack = String.raw`1 write(30<socket:[5]>, "HTTP/1.1 200 OK\r\n\r\n{\"status\":\"ok\",\"accepted\":1}", 60) = 60`
const ACK = { responsePattern: /accepted/, file: /hot\.duckdb\.wal$/ }

describe('the check of responses', () => {
  it('accepts a write, a sync and then the response', () => {
    expect(checkResults(parseTrace([write(2), sync(3), ack].join('\n')), ACK)).toEqual({ checked: 1, violations: [] })
  })
  it.each([
    ['no sync at all', [write(2), ack], 'hot.duckdb.wal was not synced after its last write'],
    ['a sync before the write', [sync(2), write(2), ack], 'hot.duckdb.wal was not synced after its last write'],
    ['a sync after the response', [write(2), ack, sync(2)], 'hot.duckdb.wal was not synced after its last write'],
    ['a second response without a write', [write(2), sync(2), ack, ack], 'nothing was written to'],
    ['a failed sync', [write(2), sync(2).replace('= 0', '= -1 EIO'), ack], 'hot.duckdb.wal was not synced after its last write']
  ])('sees %s', (_what, lines, fault) => {
    expect(checkResults(parseTrace(lines.join('\n')), ACK).violations.join()).toContain(fault)
  })
  it('sees a sync that had not ended when the response went out', () => {
    const [begun, ended] = ['3 fsync(20</d/telemetry/hot.duckdb.wal> <unfinished ...>', '3 <... fsync resumed>) = 0']
    expect(checkResults(parseTrace([write(2), begun, ended, ack].join('\n')), ACK).violations).toEqual([])
    expect(checkResults(parseTrace([write(2), begun, ack, ended].join('\n')), ACK).violations).toHaveLength(1)
  })
  it('wants the name of a new log in its folder too', () => {
    const made = '2 openat(AT_FDCWD</>, "/d/telemetry/hot.duckdb.wal", O_WRONLY|O_CREAT, 0666) = 20</d/telemetry/hot.duckdb.wal>'
    const named = '2 fsync(9</d/telemetry>) = 0'
    const removed = '2 unlink("/d/telemetry/hot.duckdb.wal") = 0'
    const check = (lines: readonly string[]): readonly string[] => checkResults(parseTrace(lines.join('\n')), ACK).violations
    expect(check([made, write(2), sync(2), named, ack])).toEqual([])
    expect(check([made, write(2), sync(2), ack])).toEqual(['response 1: the folder of the new hot.duckdb.wal was not synced'])
    expect(check([made, named, removed, made, write(2), sync(2), ack])).toHaveLength(1)
    expect(check([made, named, made, write(2), sync(2), ack])).toEqual([])
  })
  it('looks only at the responses that promise something', () => {
    const other = ack.replace('accepted', 'values')
    expect(checkResults(parseTrace([other, write(2), sync(2), ack].join('\n')), ACK)).toEqual({ checked: 1, violations: [] })
  })
})

describe('the check of journal files', () => {
  const JOURNAL = /\/journal\/\d+\.log$/
  const file = '/d/telemetry/journal/00000002.log'
  const made = `2 openat(AT_FDCWD</>, "${file}", O_WRONLY|O_CREAT|O_EXCL, 0666) = 21<${file}>`
  const named = '2 fsync(9</d/telemetry/journal>) = 0'
  const entry = `2 pwritev(21<${file}>, [{iov_base="x", iov_len=200}], 1, 8) = 200`
  const removed = `2 unlink("${file}") = 0`
  const parse = (lines: readonly string[]): ReturnType<typeof parseTrace> => parseTrace(lines.join('\n'))

  it('wants the name of each new file in its folder before the first response that relies on it', () => {
    const check = (lines: readonly string[]): unknown => checkNewLogs(parse(lines), { ...ACK, file: JOURNAL })
    expect(check([made, named, entry, ack])).toEqual({ checked: 1, violations: [] })
    expect(check([made, entry, ack, named])).toEqual({
      checked: 1,
      violations: ['the folder of the new 00000002.log was not synced']
    })
    expect(check([made, entry])).toEqual({ checked: 0, violations: [] })
  })
  it('wants the log of the database synced between the last entry of a file and its removal', () => {
    const check = (lines: readonly string[]): readonly string[] => checkRemovals(parse(lines), JOURNAL, WAL).violations
    expect(check([entry, write(2), sync(2), removed])).toEqual([])
    expect(check([entry, write(2), removed, sync(2)])).toEqual(['00000002.log was removed before hot.duckdb.wal was synced'])
    expect(check([sync(2), entry, removed])).toHaveLength(1)
  })
})

describe('the check of segments', () => {
  const folder = '/d/telemetry/segments/ns1'
  const lines = [
    `2 mkdir("${folder}", 0777) = 0`,
    '2 fsync(9</d/telemetry/segments>) = 0',
    `2 openat(AT_FDCWD</>, "${folder}/seg-1.parquet", O_RDWR|O_CREAT, 0666) = 8<${folder}/seg-1.parquet>`,
    `2 pwrite64(8<${folder}/seg-1.parquet>, "PAR1", 4, 0) = 4`,
    `3 fsync(8<${folder}/seg-1.parquet>) = 0`,
    `3 fsync(9<${folder}>) = 0`,
    write(2),
    sync(2)
  ]
  const without = (text: string): string => lines.filter(line => !line.includes(text)).join('\n')

  it('accepts file, folder and parent synced before the commit', () => {
    expect(checkSegments(parseTrace(lines.join('\n')), WAL)).toEqual({ checked: 1, violations: [] })
  })
  it.each([
    [`fsync(8<${folder}/seg-1.parquet>`, 'seg-1.parquet: its content was not synced before the commit'],
    [`fsync(9<${folder}>`, 'seg-1.parquet: its folder was not synced before the commit'],
    ['fsync(9</d/telemetry/segments>', 'seg-1.parquet: the new folder ns1 was not synced into its parent']
  ])('sees that %s is missing', (removed, fault) => {
    expect(checkSegments(parseTrace(without(removed)), WAL).violations).toEqual([fault])
  })
  it('follows a file that is renamed into place', () => {
    const renamed = [
      ...lines.slice(0, 2),
      ...lines.slice(2, 5).map(line => line.replaceAll('seg-1.parquet', 'seg-1.tmp')),
      `2 rename("${folder}/seg-1.tmp", "${folder}/seg-1.parquet") = 0`,
      ...lines.slice(5)
    ]
    expect(checkSegments(parseTrace(renamed.join('\n')), WAL)).toEqual({ checked: 1, violations: [] })
    const early = [...renamed.slice(0, 5), renamed[6]!, renamed[5]!, ...renamed.slice(7)]
    expect(checkSegments(parseTrace(early.join('\n')), WAL).violations).toHaveLength(1)
  })
})
