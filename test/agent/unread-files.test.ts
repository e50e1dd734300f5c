import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'
import { lines, records } from './numbered-lines.js'

const BANNER = 'banner '.repeat(300)

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

describe('a file of which the agent has read nothing yet', () => {
  it('is read once when it is compressed', async () => {
    await writeFile(log, lines(1))
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(2, 3))
    await agent.look()
    await writeFile(agent.path('a.log.2.gz'), gzipSync(lines(2, 3)))
    await rm(log)
    agent.skipWait()
    await agent.look()
    await agent.pass()
    expect([agent.lines, agent.gaps]).toEqual([[records(1), records(2, 3)], []])
  })

  it('waits for no other that begins like it', async () => {
    await agent.start()
    await agent.crash()
    const numbers = [1, 2, 3, 4, 5]
    for (const number of numbers) await writeFile(agent.path(`a.log.${number}`), `${BANNER}\n${lines(number)}`)
    await writeFile(log, `${BANNER}\n${lines(6)}`)
    agent.nowMs += 60_000
    await agent.start()
    await agent.pass(1)
    const found = agent.lines.flat().filter(line => line !== BANNER)
    expect(found.toSorted()).toEqual(records(...numbers, 6))
  })
})

it('a folder that cannot be read is reported', async () => {
  const loop = agent.path('loop')
  await symlink(loop, loop)
  agent = new FollowedFolder(temp.path, { path: agent.path('loop/*.log') })
  await agent.start()
  await agent.pass(1)
  expect(agent.faults).toEqual([{ path: loop, err: 'ELOOP' }])
})

describe('a rotated file that is compressed by another program than gzip', () => {
  it.each(['zst', 'xz', 'bz2', 'lz4'])('is not sent as lines: %s', async extension => {
    await writeFile(log, lines(1))
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, lines(2))
    await agent.pass()
    await rm(agent.path('a.log.1'))
    const archive = agent.path(`a.log.1.${extension}`)
    await writeFile(archive, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x0a, 0x41, 0x0a]))
    await agent.touch(archive)
    await agent.pass()
    expect([agent.lines, agent.gaps]).toEqual([[records(1), records(2)], []])
    expect(agent.faults).toEqual([
      {
        path: archive,
        err: `compressed with ${extension}, and not read; rotate with gzip, or compress later (delaycompress)`
      }
    ])
  })

  it('is not sent when a pattern has its name', async () => {
    agent.configure({ path: agent.path('*') })
    await writeFile(agent.path('b.zst'), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x0a, 0x41, 0x0a]))
    await writeFile(log, lines(1))
    await agent.start()
    await agent.pass()
    expect(agent.lines).toEqual([records(1)])
  })
})
