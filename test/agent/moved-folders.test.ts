import { appendFile, copyFile, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'
import { lines, records } from './numbered-lines.js'

let temp: Awaited<ReturnType<typeof openTempFolder>>
let agent: FollowedFolder
let log: string
beforeEach(async () => {
  temp = await openTempFolder()
  agent = new FollowedFolder(temp.path)
  log = agent.path('a.log')
  await mkdir(agent.path('old'))
  agent.alsoFollow({ path: agent.path('old/*') })
})
afterEach(async () => {
  await agent.crash().catch(() => undefined)
  await temp.remove()
  expect(agent.sentUnsynced).toBe(0)
})

/** Gaps of a known size: whether lines were added before a file was moved is not known while the agent was down. */
function sizedGaps(): readonly unknown[] {
  return agent.gaps.filter(gap => gap.lines !== null)
}

/** Copies a file and removes it, as `mv` does between file systems. */
async function moveByCopy(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await rm(from)
}

describe('a file that is moved to the folder of another entry', () => {
  for (const name of ['old/a.log', 'old/a.log.1', 'old/a-20260101.log', 'old/other'])
    it(`is sent once as ${name}`, async () => {
      await writeFile(log, lines(1, 2))
      await agent.start()
      await appendFile(log, lines(3))
      await rename(log, agent.path(name))
      await writeFile(log, lines(4))
      await agent.pass(4)
      await agent.crash()
      await agent.start()
      await agent.pass(4)
      await appendFile(agent.path(name), lines(5))
      await agent.pass(4)
      expect([agent.found, agent.gaps]).toEqual([records(1, 2, 3, 4, 5), []])
    })

  for (const name of ['old/a.log', 'old/a.log.1'])
    it(`is sent once as ${name} on another file system`, async () => {
      await writeFile(log, lines(1, 2))
      await agent.start()
      await moveByCopy(log, agent.path(name))
      await writeFile(log, lines(4))
      await agent.pass(4)
      await agent.loseState()
      await agent.pass(4)
      expect([agent.found, agent.gaps]).toEqual([records(1, 2, 4), []])
    })

  for (const name of ['old/a.log', 'old/a.log.1'])
    it(`is sent once as ${name} when the agent was down`, async () => {
      await writeFile(log, lines(1, 2))
      await agent.start()
      await agent.crash()
      await appendFile(log, lines(3))
      await rename(log, agent.path(name))
      await writeFile(log, lines(4))
      await agent.start()
      await agent.pass(6)
      expect([agent.found, sizedGaps()]).toEqual([records(1, 2, 3, 4), []])
    })

  it('is sent once when it is compressed there', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await rename(log, agent.path('old/a.log-20260101'))
    await agent.pass(4)
    const bytes = await readFile(agent.path('old/a.log-20260101'))
    await writeFile(agent.path('old/a.log-20260101.gz'), gzipSync(bytes))
    await rm(agent.path('old/a.log-20260101'))
    await agent.pass(4)
    await agent.loseState()
    await agent.pass(4)
    expect([agent.found, agent.gaps]).toEqual([records(1, 2), []])
  })

  it('is sent once when it is copied there and truncated', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await copyFile(log, agent.path('old/a.log-20260101'))
    await agent.settle()
    await truncate(log, 0)
    await appendFile(log, lines(3))
    await agent.pass(4)
    await agent.loseState()
    await agent.pass(4)
    expect([agent.found, sizedGaps()]).toEqual([records(1, 2, 3), []])
  })
})

describe('files of one name in the folders of different entries', () => {
  it('are read each', async () => {
    const other = agent.path('old/a.log')
    for (const path of [log, other]) await writeFile(path, lines(1))
    await agent.start()
    await agent.pass()
    for (const path of [other, log]) await appendFile(path, lines(2))
    await agent.pass()
    expect([agent.lines, agent.gaps]).toEqual([[records(1, 2), records(1, 2)], []])
  })
})
