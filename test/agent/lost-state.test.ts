import { appendFile, copyFile, mkdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { FirstLook } from '../../agent/src/files/first-look.js'
import { Source } from '../../agent/src/files/source.js'
import { Journal } from '../../agent/src/journal/journal.js'
import { recoverStreams } from '../../agent/src/recover/recover-streams.js'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'
import { byFirstLine, lines, records } from './numbered-lines.js'

const HOUR_MS = 3_600_000

let temp: Awaited<ReturnType<typeof openTempFolder>>
let agent: FollowedFolder
let log: string
beforeEach(async () => {
  temp = await openTempFolder()
  agent = new FollowedFolder(temp.path)
  log = agent.path('a.log')
})
afterEach(async () => {
  await agent.crash().catch(() => undefined)
  await temp.remove()
  expect(agent.sentUnsynced).toBe(0)
})

/** Lines so long that a few have more than the bytes by which files are recognized. */
const LONG = [1, 2, 3].map(number => `line ${number} ${'x'.repeat(600)}\n`).join('')

describe('an agent that lost its state folder', () => {
  it('goes on where the service is', async () => {
    await writeFile(log, lines(1, 2, 3, 4))
    await agent.start()
    await agent.loseState(() => appendFile(log, lines(5)))
    expect(agent.lines).toEqual([records(1, 2, 3, 4, 5)])
    await appendFile(log, lines(6))
    await agent.settle()
    expect([agent.lines, agent.gaps]).toEqual([[records(1, 2, 3, 4, 5, 6)], []])
    expect(agent.stored.size).toBe(1)
  })

  it('knows a file that is longer than what it is recognized by', async () => {
    await writeFile(log, LONG)
    await agent.start()
    await agent.loseState(() => appendFile(log, lines(4)))
    expect(agent.lines[0]!.slice(3)).toEqual(records(4))
    expect(agent.stored.size).toBe(1)
  })

  it('does not send again what was stored when the response was lost', async () => {
    await writeFile(log, lines(1, 2))
    agent.losesResponses = true
    await agent.start()
    agent.losesResponses = false
    await agent.loseState(() => appendFile(log, lines(3)))
    expect(agent.lines).toEqual([records(1, 2, 3)])
  })

  describe('while the service ended before its ledger had the first batch of a stream', () => {
    beforeEach(async () => {
      agent.losesLedger = true
      await writeFile(log, lines(1, 2, 3, 4))
      await agent.start()
      agent.losesLedger = false
    })

    it('sends that batch again as what it is, with what came since', async () => {
      await agent.loseState(() => appendFile(log, lines(5)))
      expect([agent.lines, agent.gaps, agent.stored.size]).toEqual([[records(1, 2, 3, 4, 5)], [], 1])
      await appendFile(log, lines(6))
      await agent.settle()
      expect(agent.lines).toEqual([records(1, 2, 3, 4, 5, 6)])
    })

    it('does so after each loss of its state', async () => {
      agent.losesLedger = true
      await agent.loseState(() => appendFile(log, lines(5)))
      agent.losesLedger = false
      await agent.loseState()
      expect([agent.lines, agent.stored.size]).toEqual([[records(1, 2, 3, 4, 5)], 1])
    })

    it('finds its file under another name, and takes no other file for it', async () => {
      await agent.loseState(async () => {
        await rename(log, `${log}.1`)
        await writeFile(log, lines(1, 2, 7, 8))
      })
      await agent.pass()
      expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2, 3, 4), records(1, 2, 7, 8)])
      expect(agent.gaps).toEqual([])
    })

    it('knows it again when it was killed before it sent it', async () => {
      await agent.loseState()
      await agent.crash()
      await agent.start()
      expect([agent.lines, agent.stored.size]).toEqual([[records(1, 2, 3, 4)], 1])
    })

    it('reports as a gap of unknown size that its file was removed', async () => {
      await agent.loseState(() => rm(log))
      await agent.pass()
      expect(agent.gaps).toEqual([{ from: 0, to: lines(1, 2, 3, 4).length, lines: null, reason: 'deleted' }])
    })
  })

  it('goes on behind the end at which a file began whose first batch is not in the ledger', async () => {
    agent = new FollowedFolder(temp.path, { startAt: 'end' })
    await writeFile(log, lines(1, 2))
    await agent.start()
    agent.losesLedger = true
    await appendFile(log, lines(3))
    await agent.settle()
    agent.losesLedger = false
    await agent.loseState(() => appendFile(log, lines(4)))
    expect([agent.lines, agent.stored.size]).toEqual([[records(3, 4)], 1])
  })

  it('finds a file that was renamed meanwhile, and the new one', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await agent.loseState(async () => {
      await appendFile(log, lines(3))
      await rename(log, `${log}.1`)
      await writeFile(log, lines(7, 8))
    })
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2, 3), records(7, 8)])
    expect(agent.gaps).toEqual([])
  })

  it('finds all files of two rotations meanwhile, also compressed', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await agent.loseState(async () => {
      await appendFile(log, lines(3))
      await writeFile(`${log}.2.gz`, gzipSync(await readFile(log)))
      await writeFile(`${log}.1`, lines(5, 6))
      await writeFile(log, lines(8))
    })
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2, 3), records(5, 6), records(8)])
    expect(agent.gaps).toEqual([])
  })

  it('finds the rest of a file that was copied and truncated meanwhile', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await agent.loseState(async () => {
      await appendFile(log, lines(3))
      await copyFile(log, `${log}.1`)
      await truncate(log)
      await appendFile(log, lines(6))
    })
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2, 3), records(6)])
  })

  it('reads no file again that had ended', async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('*.log*') })
    await writeFile(log, lines(1, 2))
    await agent.start()
    await rename(log, `${log}.1`)
    await writeFile(log, lines(5))
    await agent.pass()
    expect(agent.ends).toContain('rotated')
    await agent.loseState(() => rename(`${log}.1`, `${log}.2`))
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2), records(5)])
    expect(agent.gaps).toEqual([])
  })

  it('knows files that it first saw when they were rotated', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await agent.crash()
    await rename(log, `${log}.2`)
    await writeFile(`${log}.1`, lines(5, 6))
    await writeFile(log, lines(8))
    await agent.start()
    await agent.pass()
    const all = [records(1, 2), records(5, 6), records(8)]
    expect(agent.lines.toSorted(byFirstLine)).toEqual(all)
    await agent.loseState()
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual(all)
  })

  it('ends a file that it first saw when it was rotated', async () => {
    await agent.start()
    await agent.crash()
    await writeFile(`${log}.1`, lines(5, 6))
    await writeFile(log, lines(8))
    agent.nowMs += HOUR_MS
    await agent.start()
    await agent.pass(1)
    expect(agent.ends).toEqual([null, null])
    await agent.loseState()
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(5, 6), records(8)])
    expect(agent.ends.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([null, 'rotated'])
  })

  it('reports a file that was removed meanwhile as a gap', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await agent.loseState(() => rm(log))
    await agent.pass()
    expect(agent.lines).toEqual([records(1, 2)])
    expect(agent.gaps).toEqual([{ from: lines(1, 2).length, to: lines(1, 2).length, lines: null, reason: 'deleted' }])
  })

  it('reads new files from their beginning, and those that it never read from their end', async () => {
    agent = new FollowedFolder(temp.path, { startAt: 'end', path: agent.path('*.log') })
    const quiet = agent.path('quiet.log')
    await writeFile(quiet, lines(1, 2))
    await writeFile(log, lines(3))
    agent.nowMs -= HOUR_MS
    await agent.start()
    await appendFile(log, lines(4))
    await agent.settle()
    expect(agent.lines).toEqual([records(4)])
    await agent.loseState(async () => {
      const earlier = new Date(agent.nowMs - HOUR_MS)
      await utimes(quiet, earlier, earlier)
      await writeFile(agent.path('new.log'), lines(7))
    })
    await appendFile(quiet, lines(9))
    await agent.settle()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(4), records(7), records(9)])
  })

  it('begins again when it was killed while it recovered', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await agent.crash()
    const other = agent.path('other-state')
    await mkdir(other)
    const journal = await Journal.open(other)
    const files = [
      { path: log, service: null, format: 'plain', startAt: 'end', exclude: [], level: null, tags: {}, multiline: null }
    ] as const
    journal.looked = () => Promise.reject(new Error('killed'))
    const known = { streams: agent.ledger, sinceMs: 0 }
    await expect(recoverStreams(journal, files, known, () => undefined)).rejects.toThrow('killed')
    await journal.close()
    const again = await Journal.open(other)
    expect([again.patterns.size, again.streams.size]).toEqual([0, 1])
    await recoverStreams(again, files, known, () => undefined)
    expect([again.patterns.size, again.streams.size]).toEqual([1, 1])
    await again.close()
  })
})

describe('the first look of an agent', () => {
  const place = { dev: 1, ino: 2, bornMs: 3 }
  const source = (startAt: 'end' | 'beginning'): Source =>
    new Source({ path: '/a', service: null, format: 'plain', startAt, exclude: [], level: null, tags: {}, multiline: null })

  it.each([
    ['of a pattern that is new', true, 'end', { mtimeMs: 5, bornMs: 5 }, 'end'],
    ['of a pattern that is new', true, 'beginning', { mtimeMs: 5, bornMs: 5 }, 'beginning'],
    ['that changed before what the service remembers', false, 'beginning', { mtimeMs: 199, bornMs: 199 }, 'end'],
    ['that changed since', false, 'beginning', { mtimeMs: 200, bornMs: 99 }, 'beginning'],
    ['that was there before the earlier agent', false, 'end', { mtimeMs: 200, bornMs: 99 }, 'end'],
    ['that came later', false, 'end', { mtimeMs: 200, bornMs: 100 }, 'beginning'],
    ['of an unknown age', false, 'end', { mtimeMs: 200, bornMs: 0 }, 'beginning']
  ] as const)('begins a file %s (%s, %s, %j) at the %s', (_, isFirst, startAt, times, expected) => {
    const look = new FirstLook(null, new Map([['/a', { firstMs: 100, lookedAtMs: 200 }]]))
    expect(look.startAt(source(startAt), { dev: 1, ino: 2, size: 5, ...times }, isFirst)).toBe(expected)
    expect(new FirstLook().startAt(source('end'), { ...place, size: 5, mtimeMs: 0 }, false)).toBe('beginning')
  })

  it('begins where a file ended when the agent started, unless it is shorter now', () => {
    const look = new FirstLook(new Map([['1 2 3', 10]]))
    expect([look.endOf(place, 15), look.endOf(place, 5), look.endOf({ ...place, ino: 9 }, 7)]).toEqual([10, 5, 7])
    expect(new FirstLook().endOf(place, 15)).toBe(15)
  })
})
