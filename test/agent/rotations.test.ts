import { appendFile, copyFile, open, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'
import { byFirstLine, lines, records } from './numbered-lines.js'

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
    expect(agent.lines).toEqual([records(1, 2, 3, 4), records(11)])
    expect(agent.gaps).toEqual([])
  })

  it('sends a half line of an ended file as it is', async () => {
    await writeFile(log, `${lines(1)}half`)
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await agent.pass()
    expect(agent.lines).toEqual([[...records(1), 'half…']])
  })

  it.each(['', '.gz'])('is read once when it is copied (%s) while its end is being sent again', async extension => {
    const rotated = agent.path('a.log.1')
    await writeFile(log, lines(1, 2))
    await agent.start()
    await rename(log, rotated)
    await writeFile(log, lines(11))
    agent.losesResponses = true
    await agent.pass()
    await agent.crash()
    const content = await readFile(rotated)
    await rm(rotated)
    await writeFile(`${rotated}${extension}`, extension === '' ? content : gzipSync(content))
    agent.nowMs = Date.now()
    agent.losesResponses = false
    let respond = (): void => undefined
    agent.outage = new Promise(resolve => (respond = resolve))
    await agent.start()
    await agent.pass()
    agent.outage = null
    respond()
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2), records(11)])
    expect(agent.gaps).toEqual([])
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
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2, 3), records(11, 12), records(21)])
    expect(agent.gaps).toEqual([])
  })

  it('is found after a crash before which nothing was read of any file', async () => {
    await agent.start()
    await agent.crash()
    await writeFile(log, lines(1, 2))
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(11))
    agent.nowMs += 60_000
    await agent.start()
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2), records(11)])
  })

  it('is found after a crash, if nothing took its name', async () => {
    await agent.start()
    await agent.crash()
    await writeFile(log, lines(1, 2))
    await rename(log, agent.path('a.log.1'))
    agent.nowMs += 60_000
    await agent.start()
    await agent.pass()
    expect(agent.lines).toEqual([records(1, 2)])
  })

  it('is found after a crash also when it was never seen and its look was still to come', async () => {
    await writeFile(log, lines(1))
    await agent.start()
    agent.nowMs += 3_000
    const rotatedAt = new Date(agent.nowMs)
    await rename(log, agent.path('a.log.2'))
    await writeFile(agent.path('a.log.1'), lines(2))
    await utimes(agent.path('a.log.1'), rotatedAt, rotatedAt)
    await agent.settle()
    agent.nowMs += 3_000
    await agent.settle()
    await agent.crash()
    agent.nowMs += 60_000
    await agent.start()
    await agent.pass()
    expect(agent.lines).toEqual([records(1), records(2)])
    expect(agent.ends).toEqual(['rotated', 'rotated'])
  })

  it('to another name of the pattern is not a gap after a crash', async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('*.log') })
    await writeFile(log, lines(1))
    await agent.start()
    await agent.crash()
    await rename(log, agent.path('b.log'))
    await appendFile(agent.path('b.log'), lines(2))
    await agent.start()
    await agent.pass()
    expect([agent.lines, agent.gaps]).toEqual([[records(1, 2)], []])
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
    expect(agent.lines).toEqual([records(1, 2), records(3)])
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
    expect(agent.lines).toEqual([records(1, 2, 3, 4), records(11)])
    expect(agent.gaps).toEqual([])
  })

  it('is noticed when the file is as long again as before', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await copyFile(log, agent.path('a.log.1'))
    await truncate(log, 0)
    await appendFile(log, lines(11, 12, 13, 14))
    await agent.pass()
    expect(agent.lines).toEqual([records(1, 2), records(11, 12, 13, 14)])
  })

  it('without a copy is a gap of unknown size', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await truncate(log, 0)
    await appendFile(log, lines(11))
    await agent.pass()
    expect(agent.lines).toEqual([records(1, 2), records(11)])
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
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(1, 2, 3), records(11)])
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
    expect([agent.lines, agent.ends, agent.gaps]).toEqual([[records(1, 2)], ['deleted'], []])
  })

  it('while the agent is down is a gap, with the lines of a batch that was being sent', async () => {
    await writeFile(log, lines(1, 2))
    agent.losesResponses = true
    await agent.start()
    await agent.crash()
    const [stream] = agent.stored.values()
    agent.stored.clear()
    expect(stream!.lines).toEqual(records(1, 2))
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
    expect(agent.lines).toEqual([records(1, 2)])
    expect(agent.gaps).toEqual([{ from: 14, to: 14, lines: null, reason: 'deleted' }])
  })
})
