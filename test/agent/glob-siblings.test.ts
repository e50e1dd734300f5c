import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
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

it('reads a file that was rotated away while the agent was down and whose name comes back', async () => {
  agent.configure({ path: agent.path('*.log') })
  await writeFile(log, lines(1))
  await agent.start()
  await agent.crash()
  agent.nowMs += 60_000
  await writeFile(agent.path('b.log.1'), lines(2, 3))
  await agent.touch(agent.path('b.log.1'))
  agent.nowMs += 60_000
  await agent.start()
  await agent.pass()
  await writeFile(agent.path('b.log'), lines(4))
  await agent.touch(agent.path('b.log'))
  await agent.pass(5)
  expect(agent.found).toEqual(records(1, 2, 3, 4))
})

it('reads a file that came and was rotated between two looks while no file had its name', async () => {
  agent.configure({ path: agent.path('*.log') })
  await writeFile(log, lines(1))
  await agent.start()
  await rename(log, agent.path('a.log.1'))
  await agent.pass(3)
  agent.nowMs += 1_000
  await writeFile(agent.path('a.log.2'), lines(2, 3))
  await agent.touch(agent.path('a.log.2'))
  await agent.pass(6)
  await writeFile(log, lines(4))
  await agent.touch(log)
  await agent.pass(6)
  expect(agent.found).toEqual(records(1, 2, 3, 4))
})

it('reads a file that was opened and renamed before it was read, when the agent is killed and nothing has its name', async () => {
  agent.configure({ path: agent.path('*.log') })
  await writeFile(log, lines(1))
  await agent.start()
  await writeFile(agent.path('b.log'), lines(2, 3))
  await agent.touch(agent.path('b.log'))
  await agent.look()
  await rename(agent.path('b.log'), agent.path('b.log.1'))
  await agent.crash()
  agent.nowMs += 60_000
  await agent.start()
  await agent.pass(4)
  expect([agent.found, agent.gaps]).toEqual([records(1, 2, 3), []])
})

it('does not read what was there before the agent when the file is renamed to a name of the pattern', async () => {
  agent.configure({ startAt: 'end', path: agent.path('a.log*') })
  await writeFile(log, lines(1, 2))
  await agent.touch(log, agent.nowMs - DAY_MS)
  await agent.start()
  agent.nowMs += HOUR_MS
  await agent.settle()
  await rename(log, agent.path('a.log.1'))
  await writeFile(log, lines(3))
  await agent.touch(log)
  await agent.pass(5)
  expect(agent.found).toEqual(records(3))
})

it('does not read what was there before the agent when the file is compressed', async () => {
  agent.configure({ startAt: 'end', path: agent.path('a.log*') })
  await writeFile(agent.path('a.log.1'), lines(1, 2))
  await agent.touch(agent.path('a.log.1'), agent.nowMs - DAY_MS)
  await agent.start()
  agent.nowMs += HOUR_MS
  await agent.settle()
  await writeFile(agent.path('a.log.2.gz'), gzipSync(lines(1, 2)))
  await agent.touch(agent.path('a.log.2.gz'), agent.nowMs - DAY_MS)
  await rm(agent.path('a.log.1'))
  await agent.pass(8)
  expect(agent.found).toEqual([])
})

it('reads no excluded file next to another one', async () => {
  agent.configure({ path: agent.path('*.log'), exclude: [agent.path('a-debug.log')] })
  await writeFile(log, lines(1))
  await writeFile(agent.path('a-debug.log'), lines(21))
  await agent.start()
  agent.nowMs += 1_000
  await appendFile(agent.path('a-debug.log'), lines(22))
  await agent.touch(agent.path('a-debug.log'))
  await agent.pass(6)
  expect(agent.found).toEqual(records(1))
})

it('takes no neighbour with a longer name for a rotated file', async () => {
  agent.configure({ startAt: 'end' })
  await writeFile(log, lines(1))
  await writeFile(agent.path('a-output.log'), lines(21))
  await agent.start()
  agent.nowMs += 1_000
  await appendFile(agent.path('a-output.log'), lines(22))
  await agent.touch(agent.path('a-output.log'))
  await agent.pass(6)
  expect(agent.found).toEqual([])
})

it('reads nothing from before the agent when another file of the pattern is empty', async () => {
  agent.configure({ path: agent.path('*.log') })
  await writeFile(agent.path('empty.log'), '')
  await agent.touch(agent.path('empty.log'), agent.nowMs - 3 * DAY_MS)
  await writeFile(log, lines(9))
  await writeFile(agent.path('a.log.1'), lines(1, 2))
  await agent.touch(agent.path('a.log.1'), agent.nowMs - 2 * DAY_MS)
  await agent.start()
  await agent.pass(5)
  expect(agent.found).toEqual(records(9))
})

it('knows all files again when the folder of some was removed', async () => {
  agent.configure({ path: agent.path('pods/*/0.log') })
  for (const pod of ['a', 'b']) {
    await mkdir(agent.path(`pods/${pod}`), { recursive: true })
    await writeFile(agent.path(`pods/${pod}/0.log`), `pod ${pod}\n`)
    await agent.touch(agent.path(`pods/${pod}/0.log`))
  }
  await agent.start()
  await agent.pass(4)
  await rm(agent.path('pods/b'), { recursive: true })
  await agent.pass(4)
  const atMs = agent.nowMs
  await agent.pass(30)
  expect(await agent.lookedAtMs()).toBeGreaterThan(atMs)
})
