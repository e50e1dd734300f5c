import { appendFile, copyFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
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
})
afterEach(async () => {
  await agent.crash().catch(() => undefined)
  await temp.remove()
  expect(agent.sentUnsynced).toBe(0)
})

describe('equal files of different entries of the configuration', () => {
  it('are read each', async () => {
    const other = agent.path('other.log')
    agent.alsoFollow({ path: other })
    for (const path of [log, other]) await writeFile(path, lines(1))
    await agent.start()
    await agent.pass()
    for (const path of [other, log]) await appendFile(path, lines(2))
    await agent.pass()
    expect([agent.lines, agent.gaps]).toEqual([[records(1, 2), records(1, 2)], []])
  })

  it('are read each also when the other one has ended', async () => {
    const other = agent.path('other.log')
    agent.alsoFollow({ path: other })
    await writeFile(log, lines(1))
    await agent.start()
    await rm(log)
    await agent.pass()
    await writeFile(other, lines(1))
    await agent.pass()
    expect([agent.lines, agent.gaps]).toEqual([[records(1), records(1)], []])
  })

  it('are one when a rotation made one of the other', async () => {
    agent.alsoFollow({ path: agent.path('a.log*') })
    await writeFile(log, lines(1))
    await agent.start()
    await copyFile(log, agent.path('a.log.1'))
    await truncate(log, 0)
    await appendFile(log, lines(2))
    await agent.pass()
    expect([agent.lines, agent.gaps]).toEqual([[records(1), records(2)], []])
  })
})

describe('a file that is rewritten with what it had', () => {
  const replace = async (...numbers: readonly number[]): Promise<void> => {
    await writeFile(agent.path('new'), lines(...numbers))
    await rename(agent.path('new'), log)
  }

  it('goes on, as after an editor or rsync', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await replace(1, 2, 3)
    await agent.settle()
    await replace(1, 2, 3, 4)
    await agent.pass(4)
    await replace(1, 2, 3, 4)
    await appendFile(log, lines(5))
    await agent.pass(4)
    expect([agent.lines, agent.gaps]).toEqual([[records(1, 2, 3, 4, 5)], []])
  })

  it('goes on when it is rotated before the next look', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await replace(1, 2, 3)
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(4))
    await agent.pass(6)
    expect([agent.lines, agent.gaps]).toEqual([[records(1, 2, 3), records(4)], []])
  })

  it('goes on within a line', async () => {
    await writeFile(log, `${lines(1)}half`)
    await agent.start()
    await writeFile(agent.path('new'), `${lines(1)}half and rest\n`)
    await rename(agent.path('new'), log)
    await agent.pass(4)
    await appendFile(log, lines(2))
    await agent.pass(4)
    expect([agent.lines, agent.gaps]).toEqual([[[...records(1), 'half and rest', ...records(2)]], []])
  })

  it('is another one when it has other lines', async () => {
    await writeFile(log, lines(1, 2))
    await agent.start()
    await replace(1, 3, 4)
    await agent.pass(4)
    expect([agent.lines, agent.gaps]).toEqual([[records(1, 2), records(1, 3, 4)], []])
  })
})
