import { rename, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'
import { lines, records } from './numbered-lines.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

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

it('reads what was rotated while the agent was down, whose clock had been ahead', async () => {
  agent.wallAheadMs = HOUR_MS
  await writeFile(log, lines(1))
  await agent.start()
  await agent.pass()
  await agent.crash()
  agent.wallAheadMs = 0
  agent.nowMs += 60_000
  await rename(log, agent.path('a.log.2'))
  await writeFile(agent.path('a.log.1'), lines(2, 3))
  await agent.touch(agent.path('a.log.1'))
  await writeFile(log, lines(4))
  await agent.touch(log)
  agent.nowMs += 60_000
  await agent.start()
  await agent.pass(6)
  expect(agent.found).toEqual(records(1, 2, 3, 4))
})

it('reads what was rotated between two looks, before which the clock was set back', async () => {
  agent.wallAheadMs = HOUR_MS
  await writeFile(log, lines(1))
  await agent.start()
  await agent.pass()
  agent.wallAheadMs = 0
  await rename(log, agent.path('a.log.2'))
  agent.nowMs += 1_000
  await writeFile(agent.path('a.log.1'), lines(2, 3))
  await agent.touch(agent.path('a.log.1'))
  agent.nowMs += 4_000
  await writeFile(log, lines(4))
  await agent.touch(log)
  await agent.settle()
  await agent.pass(6)
  expect(agent.found).toEqual(records(1, 2, 3, 4))
})

it('does not take compressed files for older than an agent whose clock was ahead at its first start', async () => {
  agent.nowMs -= 120_000
  agent.wallAheadMs = DAY_MS
  agent.configure({ startAt: 'end' })
  await writeFile(log, lines(1))
  await agent.start()
  await agent.pass()
  agent.wallAheadMs = 0
  await agent.touch(log, agent.nowMs)
  await agent.pass(4)
  agent.nowMs += 90_000
  await rename(log, agent.path('a.log.2'))
  await writeFile(agent.path('a.log.1.gz'), gzipSync(lines(2, 3)))
  await agent.touch(agent.path('a.log.1.gz'))
  await writeFile(log, lines(4))
  await agent.touch(log)
  await agent.pass(6)
  expect(agent.found).toEqual(records(2, 3, 4))
})
