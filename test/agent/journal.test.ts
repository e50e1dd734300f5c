import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { StreamRecord } from '../../agent/src/files/stream-record.js'
import { Journal } from '../../agent/src/journal/journal.js'
import { LIMITS } from '../../agent/src/limits.js'
import { openTempFolder } from '../support/temp-folder.js'

function record(id: string, changes: Partial<StreamRecord> = {}): StreamRecord {
  return {
    id,
    pattern: '/var/log/*.log',
    path: '/var/log/ä b.log',
    dev: 1,
    ino: 2,
    bornMs: 3.5,
    head: { bytes: 4, sum: 'aa' },
    offset: 5,
    anchor: { bytes: 5, sum: 'bb' },
    nextLine: 2,
    nextSeq: 2,
    sealedAtMs: 9,
    pin: null,
    endedAtMs: null,
    ...changes
  }
}

describe('the journal', () => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let path: string
  beforeEach(async () => {
    folder = await openTempFolder()
    path = join(folder.path, 'journal')
  })
  afterEach(() => folder.remove())

  const reopened = async (): Promise<Journal> => {
    const journal = await Journal.open(folder.path)
    await journal.close()
    return journal
  }

  it('has the newest entry of each stream after it is opened again', async () => {
    const journal = await Journal.open(folder.path)
    await journal.put(record('a'))
    await journal.put(record('b'))
    await journal.put(record('a', { offset: 9 }))
    await journal.looked('/var/log/*.log', 6, 7)
    await journal.looked('/var/log/*.log', 8, 9)
    await journal.put(record('c'))
    await journal.forget('c')
    await journal.close()
    const { streams, patterns, damagedLines } = await reopened()
    expect([...streams]).toEqual([
      ['a', record('a', { offset: 9 })],
      ['b', record('b')]
    ])
    expect([[...patterns], damagedLines]).toEqual([[['/var/log/*.log', { lookedAtMs: 8, firstMs: 7 }]], 0])
  })

  it('ignores what a crash left of the last line, and goes on behind it', async () => {
    const journal = await Journal.open(folder.path)
    await journal.put(record('a'))
    await journal.close()
    const text = await readFile(path, 'utf8')
    await appendFile(path, text.slice(0, 40))
    const again = await Journal.open(folder.path)
    await again.put(record('b'))
    await again.close()
    expect([...(await reopened()).streams.keys()]).toEqual(['a', 'b'])
  })

  it('counts damaged lines and has what the others contain', async () => {
    const journal = await Journal.open(folder.path)
    for (const offset of [5, 6, 7]) await journal.put(record('a', { offset }))
    await journal.close()
    const lines = (await readFile(path, 'utf8')).split('\n')
    lines[2] = lines[2]!.replace('"offset":7', '"offset":8')
    await writeFile(path, lines.join('\n'))
    const { streams, damagedLines } = await reopened()
    expect([streams.get('a')!.offset, damagedLines]).toEqual([6, 1])
  })

  it('is rewritten when it is large, and loses nothing that is written meanwhile', async () => {
    const journal = await Journal.open(folder.path)
    const size = JSON.stringify(record('a')).length
    const writes = Math.ceil(LIMITS.journalBytes / size) + 100
    await Promise.all(Array.from({ length: writes }, (_, i) => journal.put(record(`s${i % 50}`, { offset: i }))))
    await journal.close()
    expect((await stat(path)).size).toBeLessThan(LIMITS.journalBytes / 2)
    const { streams } = await reopened()
    expect([...streams.values()].map(({ offset }) => offset).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => writes - 50 + i)
    )
  })

  it('goes on where there is no room to rewrite it', async () => {
    const journal = await Journal.open(folder.path)
    await mkdir(`${path}.next`)
    const writes = Math.ceil(LIMITS.journalBytes / JSON.stringify(record('a')).length)
    for (let i = 0; i < writes; i++) await journal.put(record('a', { offset: i }))
    await journal.put(record('b'))
    await journal.close()
    await rm(`${path}.next`, { recursive: true })
    expect([...(await reopened()).streams.values()].map(({ offset }) => offset)).toEqual([writes - 1, 5])
  })
})
