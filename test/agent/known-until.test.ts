import { appendFile, copyFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { OpenFile } from '../../agent/src/files/open-file.js'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'
import { lines, records } from './numbered-lines.js'

/** Time after which the agent notes up to when it knows all files. */
const NOTED_MS = 5_000
const DAY_MS = 86_400_000

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

/** Lets time pass in which the agent looks at its files and has no time to read them. */
async function lookFor(ms: number): Promise<void> {
  agent.nowMs += ms
  await agent.look()
}

/** Fails to open some paths, as without the rights to. */
function denyOpening(paths: ReadonlySet<string>) {
  const open = OpenFile.open.bind(OpenFile)
  return jest.spyOn(OpenFile, 'open').mockImplementation(async (path, place) => {
    if (paths.has(path)) throw new Error('EACCES')
    return open(path, place)
  })
}

async function restart(): Promise<void> {
  await agent.crash()
  await agent.start()
  await agent.pass()
}

describe('after a crash of the agent, a file is read', () => {
  beforeEach(async () => {
    await writeFile(log, lines(1))
    await agent.touch(log)
    await agent.start()
  })

  it('that was copied and truncated before the agent had read any of it', async () => {
    await copyFile(log, agent.path('a.log.1'))
    await truncate(log, 0)
    await appendFile(log, lines(2, 3))
    await copyFile(log, agent.path('a.log.2'))
    await truncate(log, 0)
    await appendFile(log, lines(4, 5))
    for (const path of [log, agent.path('a.log.1'), agent.path('a.log.2')]) await agent.touch(path)
    // Not so long that all siblings are looked at.
    for (let i = 0; i < 3; i++) await lookFor(NOTED_MS / 2)
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect([agent.found, agent.gaps]).toEqual([records(1, 2, 3, 4, 5), []])
  })

  it('that was opened and renamed before the agent had read any of it', async () => {
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(2, 3))
    await agent.touch(log)
    for (let i = 0; i < 8; i++) await lookFor(NOTED_MS)
    await rename(log, agent.path('a.log.2'))
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect([agent.found, agent.gaps]).toEqual([records(1, 2, 3), []])
  })

  it('that grew after its stream had ended', async () => {
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(2))
    await agent.pass()
    await appendFile(agent.path('a.log.1'), lines(3))
    await agent.touch(agent.path('a.log.1'))
    for (let i = 0; i < 8; i++) await lookFor(NOTED_MS)
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect([agent.found, agent.gaps]).toEqual([records(1, 2, 3), []])
  })

  it('that was not whole before', async () => {
    await agent.crash()
    agent.configure({ path: agent.path('b.gz') })
    await agent.start()
    const [whole, writtenMs] = [gzipSync(lines(2, 3)), agent.nowMs]
    await writeFile(agent.path('b.gz'), whole.subarray(0, -8))
    await agent.touch(agent.path('b.gz'))
    for (let i = 0; i < 8; i++) await lookFor(NOTED_MS)
    await writeFile(agent.path('b-1.gz'), whole)
    await agent.touch(agent.path('b-1.gz'), writtenMs)
    await rm(agent.path('b.gz'))
    await agent.crash()
    await agent.start()
    await agent.pass()
    expect([agent.found, agent.gaps]).toEqual([records(1, 2, 3), []])
  })
})

it('a file that stays unreadable does not bring back one whose stream is forgotten', async () => {
  agent.configure({ path: agent.path('*.[lg]*') })
  await writeFile(log, lines(1))
  await agent.start()
  await writeFile(agent.path('b.gz'), 'no gzip')
  await rename(log, agent.path('a-1'))
  await writeFile(log, lines(2))
  for (const name of ['a.log', 'a-1', 'b.gz']) await agent.touch(agent.path(name))
  await agent.pass()
  for (let day = 0; day < 9; day++) {
    agent.nowMs += DAY_MS
    await agent.settle()
  }
  await agent.crash()
  await agent.start()
  await agent.pass()
  expect([agent.found, agent.gaps]).toEqual([records(1, 2), []])
})

it('an empty file does not bring back what was rotated before the agent came', async () => {
  agent.configure({ startAt: 'end' })
  await writeFile(log, '')
  await agent.touch(log, agent.nowMs - 2 * DAY_MS)
  await writeFile(agent.path('a.log.1'), lines(1, 2))
  await agent.touch(agent.path('a.log.1'), agent.nowMs - DAY_MS)
  await agent.start()
  await agent.pass()
  expect(agent.found).toEqual([])
  await restart()
  expect(agent.found).toEqual([])
})

it('an unreadable file does not bring back what was rotated before the agent came', async () => {
  agent.configure({ startAt: 'end', path: agent.path('[ab].log') })
  const spy = denyOpening(new Set([agent.path('b.log')]))
  await writeFile(log, lines(9))
  await writeFile(agent.path('b.log'), lines(8))
  await agent.touch(agent.path('b.log'), agent.nowMs - 2 * DAY_MS)
  await writeFile(agent.path('a.log.1'), lines(1, 2))
  await agent.touch(agent.path('a.log.1'), agent.nowMs - DAY_MS)
  await agent.start()
  await agent.pass()
  await restart()
  spy.mockRestore()
  expect(agent.found).toEqual([])
})

it('a clock that is set back does not bring back what was rotated before the agent came', async () => {
  agent.configure({ startAt: 'end' })
  agent.wallAheadMs = DAY_MS
  await writeFile(log, lines(9))
  await agent.touch(log)
  await writeFile(agent.path('a.log.1'), lines(1, 2))
  await agent.touch(agent.path('a.log.1'), agent.nowMs - DAY_MS)
  await agent.start()
  for (let i = 0; i < 3; i++) await lookFor(NOTED_MS)
  await agent.pass()
  agent.wallAheadMs = 0
  await restart()
  expect(agent.found).toEqual([])
})

it('a file whose name a followed file took is undecided no more', async () => {
  // a.log.1 is a copy that cannot be decided on yet; then the followed file takes its name.
  let respond = (): void => undefined
  await writeFile(log, lines(1))
  await agent.start()
  agent.outage = new Promise(resolve => (respond = resolve))
  await appendFile(log, lines(2))
  await agent.touch(log)
  await agent.settle()
  await copyFile(log, agent.path('a.log.1'))
  await agent.touch(agent.path('a.log.1'))
  const deferredMs = agent.nowMs
  await agent.pass(6)
  await rename(log, agent.path('a.log.1'))
  await writeFile(log, lines(3))
  await agent.touch(log)
  await agent.pass()
  agent.outage = null
  respond()
  await agent.pass(6)
  agent.nowMs += DAY_MS
  await agent.pass(6)
  expect(agent.found).toEqual(records(1, 2, 3))
  expect(await agent.lookedAtMs()).toBeGreaterThan(deferredMs + 1_000)
})

it('a file that was not whole is read when it is, under another name and with its time', async () => {
  agent.configure({ path: agent.path('b.gz') })
  await agent.start()
  const [whole, writtenMs] = [gzipSync(lines(2, 3)), agent.nowMs]
  await writeFile(agent.path('b.gz'), whole.subarray(0, -8))
  await agent.touch(agent.path('b.gz'))
  await agent.pass(8)
  await writeFile(agent.path('b-1.gz'), whole)
  await agent.touch(agent.path('b-1.gz'), writtenMs)
  await rm(agent.path('b.gz'))
  await agent.pass(8)
  expect(agent.found).toEqual(records(2, 3))
})

it('a file that could not be opened is read when it can, after its rotation', async () => {
  const denied = new Set([log])
  const spy = denyOpening(denied)
  await agent.start()
  await writeFile(log, lines(1, 2))
  await agent.touch(log)
  await agent.pass(8)
  await rename(log, agent.path('a.log.1'))
  denied.clear()
  await writeFile(log, lines(3))
  await agent.touch(log)
  await agent.pass(8)
  await restart()
  spy.mockRestore()
  expect(agent.found).toEqual(records(1, 2, 3))
})

it('a file that no memory was left for is read when it was copied with its time and truncated', async () => {
  agent.bufferedBytes = 10
  let respond = (): void => undefined
  agent.outage = new Promise(resolve => (respond = resolve))
  agent.configure({ path: agent.path('[ab].log') })
  await writeFile(log, lines(1, 2, 3))
  await agent.start()
  const b = agent.path('b.log')
  await writeFile(b, lines(11, 12))
  await agent.touch(b)
  const ms = agent.nowMs
  await agent.pass(12)
  await copyFile(b, `${b}.1`)
  await agent.touch(`${b}.1`, ms)
  await truncate(b, 0)
  await appendFile(b, lines(13))
  await agent.touch(b)
  await agent.pass(3)
  agent.outage = null
  respond()
  await agent.pass(8)
  expect([agent.found, agent.gaps]).toEqual([records(1, 2, 3, 11, 12, 13).toSorted(), []])
})

it('a file whose batch was in flight is not taken by a stream that knows the beginning of all files', async () => {
  const banner = 'banner '.repeat(300)
  let respond = (): void => undefined
  agent.outage = new Promise(resolve => (respond = resolve))
  agent.losesResponses = true
  await writeFile(log, `${banner}\n${lines(1, 2)}`)
  await agent.start()
  await rename(log, agent.path('a.log.1'))
  await writeFile(log, banner)
  await agent.settle()
  agent.outage = null
  respond()
  await agent.crash()
  agent.losesResponses = false
  await writeFile(agent.path('a.log.1.gz'), gzipSync(`${banner}\n${lines(1, 2)}`))
  await writeFile(agent.path('a.log.2.gz'), gzipSync(`${banner}\n${lines(3)}`))
  for (const path of [log, agent.path('a.log.1')]) await rm(path)
  await agent.start()
  await agent.pass()
  expect([agent.found.filter(line => line !== banner), agent.gaps]).toEqual([records(1, 2, 3), []])
})

it('a file is looked for again after the wait, however late the first look for it was', async () => {
  await writeFile(log, lines(1, 2))
  await agent.start()
  await agent.crash()
  const elsewhere = await openTempFolder()
  await appendFile(log, lines(3))
  await copyFile(log, `${elsewhere.path}/a.log`)
  await rm(log)
  await agent.begin()
  agent.skipWait()
  await agent.round()
  await copyFile(`${elsewhere.path}/a.log`, agent.path('a.log.1'))
  await elsewhere.remove()
  await agent.pass()
  expect([agent.found, agent.gaps]).toEqual([records(1, 2, 3), []])
})
