import { appendFile, rename, symlink, writeFile } from 'node:fs/promises'
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

describe('a file that is followed', () => {
  it('is delivered line by line, a half line when it is whole', async () => {
    await writeFile(log, lines(1, 2, 3, 4))
    await agent.start()
    await appendFile(log, 'line')
    await agent.settle()
    expect(agent.lines).toEqual([records(1, 2, 3, 4)])
    await appendFile(log, ' 5\n')
    await agent.settle()
    expect(agent.lines).toEqual([records(1, 2, 3, 4, 5)])
  })

  it('is read from its end when it was there before the agent, and from its beginning when it came later', async () => {
    agent = new FollowedFolder(temp.path, { startAt: 'end', path: agent.path('*.log') })
    await writeFile(log, lines(1, 2))
    await agent.start()
    await appendFile(log, lines(3))
    await writeFile(agent.path('b.log'), lines(7))
    await agent.settle()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(3), records(7)])
    await agent.crash()
    await appendFile(log, lines(4))
    await agent.start()
    expect(agent.lines.toSorted(byFirstLine)).toEqual([records(3, 4), records(7)])
  })

  it.each(['a.log', '*.log'])('is read from its size when the agent started, which waited for the service (%s)', async path => {
    agent.configure({ startAt: 'end', path: agent.path(path) })
    await writeFile(log, lines(1))
    const sizes = await agent.sizes()
    await appendFile(log, lines(2))
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(3))
    await writeFile(agent.path('a.log.2.gz'), gzipSync(lines(9)))
    await agent.begin([], sizes)
    await agent.pass()
    expect([agent.lines.toSorted(byFirstLine), agent.gaps]).toEqual([[records(2), records(3)], []])
  })

  it('goes on where it was after a crash, also when the response was lost', async () => {
    await writeFile(log, lines(1, 2))
    agent.losesResponses = true
    await agent.start()
    await agent.crash()
    await appendFile(log, lines(3))
    agent.losesResponses = false
    await agent.start()
    expect(agent.lines).toEqual([records(1, 2, 3)])
  })

  it('goes on where it was when the pattern of the configuration changed', async () => {
    await writeFile(log, lines(1))
    await agent.start()
    await agent.crash()
    await appendFile(log, lines(2))
    agent.configure({ path: agent.path('*.log') })
    await agent.start()
    expect(agent.lines).toEqual([records(1, 2)])
  })

  it('goes on when the clock of the host jumps back', async () => {
    await writeFile(log, lines(1))
    agent.losesResponses = true
    await agent.start()
    agent.losesResponses = false
    agent.wallAheadMs = -3_600_000
    agent.nowMs += 1_000
    await appendFile(log, lines(2))
    await agent.settle()
    expect(agent.lines).toEqual([records(1, 2)])
  })

  it('is one stream under two names', async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('*.log') })
    await writeFile(log, lines(1))
    await symlink(log, agent.path('b.log'))
    await agent.start()
    expect(agent.lines).toEqual([records(1)])
  })
})

describe('compressed files', () => {
  it('that were there before the agent are not read, not after a restart either', async () => {
    agent = new FollowedFolder(temp.path, { startAt: 'end', path: agent.path('a.log*') })
    await writeFile(agent.path('a.log.1.gz'), gzipSync(lines(1)))
    agent.nowMs = Date.now() + 1_000
    await agent.start()
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect(agent.lines).toEqual([])
  })

  it('that are not whole are read when they are', async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('a.log*') })
    const whole = gzipSync(lines(1))
    await writeFile(agent.path('a.log.1.gz'), whole.subarray(0, 12))
    await agent.start()
    await agent.pass()
    await appendFile(agent.path('a.log.1.gz'), whole.subarray(12))
    await agent.pass()
    expect(agent.lines).toEqual([records(1)])
  })
})

describe('a batch that the service does not take', () => {
  it('is sent in parts when it is too large, and a line that is too large is a gap', async () => {
    await writeFile(log, lines(1, 2, 3, 4, 5, 6, 7))
    agent.maxLines = 2
    await agent.start()
    expect([agent.lines, agent.gaps]).toEqual([[records(1, 2, 3, 4, 5, 6, 7)], []])
    agent.maxLines = 0
    await appendFile(log, lines(8))
    await agent.settle()
    agent.maxLines = 2
    await appendFile(log, lines(9))
    await agent.settle()
    expect(agent.lines).toEqual([records(1, 2, 3, 4, 5, 6, 7, 9)])
    expect(agent.gaps).toEqual([{ from: 49, to: 56, lines: 1, reason: 'rejected' }])
  })

  it('is a gap of unknown size where the service is further than the file', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    const [stream] = agent.stored.values()
    Object.assign(stream!, { nextSeq: 9, bytesTo: 700, lineTo: 80 })
    await appendFile(log, lines(3))
    await agent.pass()
    await appendFile(log, lines(4))
    await agent.pass()
    expect(agent.gaps).toEqual([{ from: 700, to: 700, lines: null, reason: 'truncated' }])
    expect(agent.lines.at(-1)!.at(-1)).toBe('line 4')
  })
})

describe('memory', () => {
  it('is shared by all files: no more is read when it is full, and all is delivered', async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('*.log') })
    agent.bufferedBytes = 10
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) await writeFile(agent.path(`${name}.log`), `${name.repeat(30)}\n${name}\nhalf`)
    await agent.start()
    await agent.pass()
    for (const name of names) await appendFile(agent.path(`${name}.log`), '\n')
    await agent.pass()
    expect(agent.lines.toSorted(byFirstLine)).toEqual(names.map(name => [name.repeat(30), name, 'half']))
    // One file at a time, and the half lines of others.
    expect(agent.peakBytes).toBeLessThan(80)
  })
})

describe('a compressed file that was never seen before', () => {
  it('is read on after a crash in its middle', async () => {
    await writeFile(log, lines(9))
    await agent.start()
    await agent.crash()
    await writeFile(`${log}.1.gz`, gzipSync(lines(1, 2)))
    agent.losesResponses = true
    await agent.start()
    await agent.pass()
    await agent.crash()
    agent.losesResponses = false
    await agent.start()
    await agent.pass()
    expect([agent.lines, agent.gaps]).toEqual([[records(9), records(1, 2)], []])
  })
})
