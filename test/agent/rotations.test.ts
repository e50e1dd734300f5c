import { appendFile, copyFile, open, readFile, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'

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

const lines = (...numbers: readonly number[]): string => numbers.map(number => `line ${number}\n`).join('')
const texts = (...numbers: readonly number[]): readonly string[] => numbers.map(number => `line ${number}`)

describe('a file that is followed', () => {
  it('is delivered line by line, a half line when it is whole', async () => {
    await writeFile(log, lines(1, 2, 3, 4))
    await agent.start()
    await appendFile(log, 'line')
    await agent.settle()
    expect(agent.lines).toEqual([texts(1, 2, 3, 4)])
    await appendFile(log, ' 5\n')
    await agent.settle()
    expect(agent.lines).toEqual([texts(1, 2, 3, 4, 5)])
  })

  it('is read from its end when it was there before the agent, and from its beginning when it came later', async () => {
    agent = new FollowedFolder(temp.path, { startAt: 'end', path: agent.path('*.log') })
    await writeFile(log, lines(1, 2))
    await agent.start()
    await appendFile(log, lines(3))
    await writeFile(agent.path('b.log'), lines(7))
    await agent.settle()
    expect(agent.lines.toSorted()).toEqual([texts(3), texts(7)])
    await agent.crash()
    await appendFile(log, lines(4))
    await agent.start()
    expect(agent.lines.toSorted()).toEqual([texts(3, 4), texts(7)])
  })

  it('goes on where it was after a crash, also when the response was lost', async () => {
    await writeFile(log, lines(1, 2))
    agent.losesResponses = true
    await agent.start()
    await agent.crash()
    await appendFile(log, lines(3))
    agent.losesResponses = false
    await agent.start()
    expect(agent.lines).toEqual([texts(1, 2, 3)])
  })

  it('is one stream under two names', async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('*.log') })
    await writeFile(log, lines(1))
    await symlink(log, agent.path('b.log'))
    await agent.start()
    expect(agent.lines).toEqual([texts(1)])
  })
})

describe('a rotation by renaming', () => {
  it('loses nothing of late writers, not even after the file was taken for ended', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    const writer = await open(log, 'a')
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(11))
    await agent.settle()
    await writer.write(lines(3))
    await agent.pass()
    expect(agent.ends).toEqual(['rotated', null])
    agent.nowMs = Date.now() + 20_000
    await writer.write(lines(4))
    await utimes(agent.path('a.log.1'), new Date(agent.nowMs), new Date(agent.nowMs))
    await writer.close()
    await agent.pass(6)
    expect(agent.lines).toEqual([texts(1, 2, 3, 4), texts(11)])
    expect(agent.gaps).toEqual([])
  })

  it('sends a half line of an ended file as it is', async () => {
    await writeFile(log, `${lines(1)}half`)
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await agent.pass()
    expect(agent.lines).toEqual([[...texts(1), 'half…']])
  })

  it('is found again after a crash, compressed or not, twice over', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await agent.crash()
    await appendFile(log, lines(3))
    await writeFile(agent.path('a.log.2.gz'), gzipSync(await readFile(log)))
    await rm(log)
    await writeFile(log, lines(11, 12))
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(21))
    agent.nowMs = Date.now()
    await agent.start()
    await agent.pass(5)
    expect(agent.lines.toSorted((a, b) => a[0]!.localeCompare(b[0]!))).toEqual([texts(1, 2, 3), texts(11, 12), texts(21)])
    expect(agent.gaps).toEqual([])
  })

  it('reads nothing twice that a pattern finds under its new name', async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('a.log*') })
    await writeFile(log, lines(1, 2))
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(3))
    await agent.pass()
    await writeFile(agent.path('a.log.1.gz'), gzipSync(await readFile(agent.path('a.log.1'))))
    await rm(agent.path('a.log.1'))
    await agent.pass()
    expect(agent.lines).toEqual([texts(1, 2), texts(3)])
  })
})

describe('a rotation by copying', () => {
  it('goes on in the copy, which has what was not read', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await appendFile(log, lines(3, 4))
    await copyFile(log, agent.path('a.log.1'))
    await truncate(log, 0)
    await appendFile(log, lines(11))
    await agent.pass()
    expect(agent.lines).toEqual([texts(1, 2, 3, 4), texts(11)])
    expect(agent.gaps).toEqual([])
  })

  it('is noticed when the file is as long again as before', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await copyFile(log, agent.path('a.log.1'))
    await truncate(log, 0)
    await appendFile(log, lines(11, 12, 13, 14))
    await agent.pass()
    expect(agent.lines).toEqual([texts(1, 2), texts(11, 12, 13, 14)])
  })

  it('without a copy is a gap of unknown size', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await truncate(log, 0)
    await appendFile(log, lines(11))
    await agent.pass()
    expect(agent.lines).toEqual([texts(1, 2), texts(11)])
    expect(agent.gaps).toEqual([{ from: 14, to: 14, lines: null, reason: 'truncated' }])
  })

  it('happens while the agent is down', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await agent.crash()
    await appendFile(log, lines(3))
    await copyFile(log, agent.path('a.log.1'))
    await truncate(log, 0)
    await appendFile(log, lines(11))
    await agent.start()
    await agent.pass()
    expect(agent.lines.toSorted()).toEqual([texts(1, 2, 3), texts(11)].toSorted())
    expect(agent.gaps).toEqual([])
  })
})

describe('a file that is removed', () => {
  it('is read to its end through what is open', async () => {
    await writeFile(log, lines(1))
    await agent.start()
    await appendFile(log, lines(2))
    await rm(log)
    await agent.pass()
    expect([agent.lines, agent.ends, agent.gaps]).toEqual([[texts(1, 2)], ['deleted'], []])
  })

  it('while the agent is down is a gap, with the lines of a batch that was being sent', async () => {
    await writeFile(log, lines(1, 2))
    agent.losesResponses = true
    await agent.start()
    await agent.crash()
    const [stream] = agent.stored.values()
    agent.stored.clear()
    expect(stream!.lines).toEqual(texts(1, 2))
    await rm(log)
    agent.losesResponses = false
    await agent.start()
    await agent.pass()
    expect([agent.lines, agent.ends]).toEqual([[], ['deleted']])
    expect(agent.gaps).toEqual([
      { from: 0, to: 14, lines: 2, reason: 'deleted' },
      { from: 14, to: 14, lines: null, reason: 'deleted' }
    ])
  })

  it('while the agent is down is a gap behind its last batch, which had arrived', async () => {
    await writeFile(log, lines(1, 2))
    agent.losesResponses = true
    await agent.start()
    await agent.crash()
    await rm(log)
    agent.losesResponses = false
    await agent.start()
    await agent.pass()
    expect(agent.lines).toEqual([texts(1, 2)])
    expect(agent.gaps).toEqual([{ from: 14, to: 14, lines: null, reason: 'deleted' }])
  })
})
