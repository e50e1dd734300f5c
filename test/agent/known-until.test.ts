import { appendFile, copyFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'
import { lines, records } from './numbered-lines.js'

/** Time after which the agent notes up to when it knows all files. */
const NOTED_MS = 5_000

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

/** Sets the last write of a file to the clock of the agent. */
async function touch(path: string): Promise<void> {
  await utimes(path, agent.nowMs / 1_000, agent.nowMs / 1_000)
}

/** Lets time pass in which the agent looks at its files and has no time to read them. */
async function lookFor(ms: number): Promise<void> {
  agent.nowMs += ms
  await agent.look()
}

/** All lines that the service has, of all streams. */
function found(): readonly string[] {
  return agent.lines.flat().toSorted()
}

describe('after a crash of the agent, a file is read', () => {
  beforeEach(async () => {
    await writeFile(log, lines(1))
    await touch(log)
    await agent.start()
  })

  it('that was copied and truncated before the agent had read any of it', async () => {
    await copyFile(log, agent.path('a.log.1'))
    await truncate(log, 0)
    await appendFile(log, lines(2, 3))
    await copyFile(log, agent.path('a.log.2'))
    await truncate(log, 0)
    await appendFile(log, lines(4, 5))
    for (const path of [log, agent.path('a.log.1'), agent.path('a.log.2')]) await touch(path)
    // Not so long that all siblings are looked at.
    for (let i = 0; i < 3; i++) await lookFor(NOTED_MS / 2)
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect([found(), agent.gaps]).toEqual([records(1, 2, 3, 4, 5), []])
  })

  it('that was opened and renamed before the agent had read any of it', async () => {
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(2, 3))
    await touch(log)
    for (let i = 0; i < 8; i++) await lookFor(NOTED_MS)
    await rename(log, agent.path('a.log.2'))
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect([found(), agent.gaps]).toEqual([records(1, 2, 3), []])
  })

  it('that grew after its stream had ended', async () => {
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(2))
    await agent.pass()
    await appendFile(agent.path('a.log.1'), lines(3))
    await touch(agent.path('a.log.1'))
    for (let i = 0; i < 8; i++) await lookFor(NOTED_MS)
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect([found(), agent.gaps]).toEqual([records(1, 2, 3), []])
  })

  it('that was not whole before', async () => {
    await agent.crash()
    agent.configure({ path: agent.path('b.gz') })
    await agent.start()
    const [whole, writtenMs] = [gzipSync(lines(2, 3)), agent.nowMs]
    await writeFile(agent.path('b.gz'), whole.subarray(0, -8))
    await touch(agent.path('b.gz'))
    for (let i = 0; i < 8; i++) await lookFor(NOTED_MS)
    await writeFile(agent.path('b-1.gz'), whole)
    await utimes(agent.path('b-1.gz'), writtenMs / 1_000, writtenMs / 1_000)
    await rm(agent.path('b.gz'))
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect([found(), agent.gaps]).toEqual([records(1, 2, 3), []])
  })
})

it('a file that stays unreadable does not bring back one whose stream is forgotten', async () => {
  agent.configure({ path: agent.path('*.[lg]*') })
  await writeFile(log, lines(1))
  await agent.start()
  await writeFile(agent.path('b.gz'), 'no gzip')
  await rename(log, agent.path('a-1'))
  await writeFile(log, lines(2))
  for (const name of ['a.log', 'a-1', 'b.gz']) await touch(agent.path(name))
  await agent.pass()
  for (let day = 0; day < 9; day++) {
    agent.nowMs += 86_400_000
    await agent.settle()
  }
  await agent.crash()
  await agent.start()
  await agent.pass()
  expect([found(), agent.gaps]).toEqual([records(1, 2), []])
})
