import { appendFile, copyFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
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

describe('files that look alike', () => {
  it('are distinguished behind a common beginning', async () => {
    await writeFile(log, `${BANNER}\n${lines(1)}`)
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, `${BANNER}\n${lines(2)}`)
    await agent.pass()
    await copyFile(log, agent.path('a.log.2'))
    await truncate(log, 0)
    await appendFile(log, `${BANNER}\n${lines(3)}`)
    await agent.pass()
    expect(agent.lines).toEqual([1, 2, 3].map(number => [BANNER, ...records(number)]))
    expect(agent.gaps).toEqual([])
  })

  it('are read each after a restart before more than their beginning was read', async () => {
    await writeFile(log, BANNER)
    await agent.start()
    await copyFile(log, agent.path('a.log.1'))
    await writeFile(log, BANNER.slice(0, 1_500))
    await agent.settle()
    await agent.crash()
    await appendFile(log, `${BANNER.slice(1_500)}\n${lines(1)}`)
    await agent.start()
    await agent.pass()
    const found = agent.lines.map(rows => rows.map(row => row.replace(BANNER, 'banner')))
    expect([found, agent.gaps]).toEqual([[['banner', ...records(1)], ['banner…']], []])
  })

  it('are distinguished when one is made where the other was removed', async () => {
    await writeFile(log, `${BANNER}\n${lines(1)}`)
    await agent.start()
    await agent.crash()
    const { ino } = await stat(log)
    await rm(log)
    await writeFile(log, `${BANNER}\n${lines(2, 3)}`)
    expect([ino, (await stat(log)).ino].every(Number.isInteger)).toBe(true)
    await agent.start()
    await agent.pass()
    expect(agent.lines).toEqual([
      [BANNER, ...records(1)],
      [BANNER, ...records(2, 3)]
    ])
    expect(agent.gaps).toMatchObject([{ lines: null }])
  })
})

describe('files that begin like the part of a stream that was read', () => {
  it('are read each, whichever of them the stream goes on in', async () => {
    await writeFile(log, `${BANNER}\n`)
    await agent.start()
    await agent.crash()
    for (const number of [1, 2]) {
      const whole = `${BANNER}\n${lines(number)}`
      await writeFile(agent.path(`a.log.${number}.gz`), gzipSync(whole))
      await writeFile(agent.path(`a.log.${number + 2}`), `${BANNER}\n${lines(number + 2)}`)
    }
    await rm(log)
    await writeFile(log, `${BANNER}\n${lines(5)}`)
    await agent.start()
    await agent.pass(8)
    const found = agent.lines.flat().filter(line => line !== BANNER)
    expect(found.toSorted()).toEqual(records(1, 2, 3, 4, 5))
    expect(agent.gaps).toEqual([])
  })
})

describe('a file that begins like one that ended under another name', () => {
  it('is followed under its own', async () => {
    await agent.start()
    await agent.crash()
    await writeFile(agent.path('a.log.1'), `${BANNER}\n`)
    await writeFile(log, lines(1))
    agent.nowMs += 60_000
    await agent.start()
    await agent.pass()
    await rename(log, agent.path('a.log.2'))
    await writeFile(log, `${BANNER}\n${lines(2)}`)
    await agent.pass()
    await rename(log, agent.path('a.log.3'))
    await writeFile(log, lines(3))
    await agent.pass()
    expect(agent.lines.flat().filter(line => line !== BANNER)).toEqual(records(1, 2, 3))
    expect(agent.ends.filter(end => end === 'rotated')).toHaveLength(2)
  })
})

describe('files that are rotated while a batch is not delivered', () => {
  it('are read when it is known which of them its stream goes on in', async () => {
    await agent.start()
    let endOutage = (): void => undefined
    agent.outage = new Promise(resolve => {
      endOutage = resolve
    })
    await writeFile(log, `${BANNER}\n`)
    await agent.settle()
    for (const number of [1, 2]) {
      await truncate(log, 0)
      await appendFile(log, `${BANNER}\n${lines(number)}`)
      await copyFile(log, agent.path(`a.log.${number}`))
    }
    await truncate(log, 0)
    await appendFile(log, lines(3))
    await agent.pass(4)
    endOutage()
    agent.outage = null
    await agent.pass(12)
    const found = agent.lines.flat().filter(line => line !== BANNER)
    expect(found.toSorted()).toEqual(records(1, 2, 3))
    expect(agent.gaps).toEqual([])
  })
})

describe('files with long lines of one character', () => {
  const long = 'x'.repeat(20_000)

  it('are distinguished within such a line', async () => {
    await writeFile(log, `${BANNER}\n${lines(1)}${long}\n${lines(2)}`)
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, `${BANNER}\n${lines(3)}${long.slice(0, 9_000)}`)
    await agent.pass()
    await appendFile(log, `${long.slice(9_000)}\n${lines(4)}`)
    await copyFile(log, agent.path('a.log.2'))
    await truncate(log, 0)
    await appendFile(log, `${BANNER}\n${lines(5)}${long}\n`)
    await agent.pass()
    expect(agent.lines).toEqual([
      [BANNER, 'line 1', long, 'line 2'],
      [BANNER, 'line 3', long, 'line 4'],
      [BANNER, 'line 5', long]
    ])
    expect(agent.gaps).toEqual([])
  })
})

describe('the rest of a file', () => {
  /** A stream of which no more than the beginning was read, whose rest is `a.log.9` now. */
  const cutOff = async (): Promise<void> => {
    await writeFile(agent.path('a.log.9'), `${BANNER}\n${lines(9)}`)
    await truncate(log, 0)
    await appendFile(log, lines(5))
  }

  it('is not a copy of a file that another stream reads', async () => {
    await writeFile(log, `${BANNER}\n${lines(1)}`)
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await writeFile(log, `${BANNER}\n`)
    await agent.settle()
    await agent.crash()
    await writeFile(agent.path('a.log.1.gz'), gzipSync(`${BANNER}\n${lines(1)}`))
    await cutOff()
    await agent.start()
    await agent.pass(8)
    const found = agent.lines.flat().filter(line => line !== BANNER)
    expect([found.toSorted(), agent.gaps]).toEqual([records(1, 5, 9), []])
  })

  it('is not a compressed file that another stream was reading', async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('a.log*') })
    await writeFile(agent.path('a.log.1.gz'), gzipSync(`${BANNER}\n${lines(1)}`))
    await writeFile(log, `${BANNER}\n`)
    await agent.start()
    await agent.crash()
    await cutOff()
    await agent.start()
    await agent.pass(8)
    const found = agent.lines.flat().filter(line => line !== BANNER)
    expect([found.toSorted(), agent.gaps]).toEqual([records(1, 5, 9), []])
  })

  it('is not a file that another stream has read', async () => {
    await writeFile(log, `${BANNER}\n${lines(1)}`)
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await agent.pass()
    await writeFile(log, `${BANNER}\n`)
    await agent.settle()
    await writeFile(log, lines(2))
    await agent.pass()
    expect(agent.lines.flat().filter(line => line === 'line 1')).toHaveLength(1)
    expect(agent.lines.at(-1)).toEqual(['line 2'])
  })
})

describe('files that follow one that was removed while the agent was down', () => {
  it('are distinguished from it by the bytes before its end', async () => {
    await writeFile(log, `${BANNER}\n${lines(1)}`)
    await agent.start()
    await agent.crash()
    await rm(log)
    await agent.start()
    await agent.pass()
    await writeFile(log, `${BANNER}\n${lines(2, 3)}`)
    await agent.pass()
    expect(agent.lines).toEqual([
      [BANNER, ...records(1)],
      [BANNER, ...records(2, 3)]
    ])
  })

  it('are distinguished from it where bytes were lost with it', async () => {
    await writeFile(log, `${BANNER}\n`)
    await agent.start()
    agent.losesResponses = true
    await appendFile(log, lines(1))
    await agent.settle()
    await agent.crash()
    await rm(log)
    agent.losesResponses = false
    await agent.start()
    await agent.pass()
    await writeFile(log, `${BANNER}\n${lines(2, 3)}`)
    await agent.pass()
    expect(agent.lines).toEqual([
      [BANNER, ...records(1)],
      [BANNER, ...records(2, 3)]
    ])
  })
})

describe('a file that is no longer than its beginning, which all files have', () => {
  beforeEach(async () => {
    agent = new FollowedFolder(temp.path, { path: agent.path('*.log') })
    await writeFile(log, `${BANNER}\n`)
    await agent.start()
  })

  it('is distinguished from another file that begins like it', async () => {
    await writeFile(agent.path('b.log'), `${BANNER}\n${lines(1, 2)}`)
    await agent.settle()
    expect(agent.lines).toEqual([[BANNER], [BANNER, ...records(1, 2)]])
  })

  it('is distinguished from an older one next to it that was never seen under the name', async () => {
    await agent.crash()
    await writeFile(`${log}.1`, `${BANNER}\n${lines(1, 2)}`)
    await agent.start()
    await agent.pass()
    expect(agent.lines).toEqual([[BANNER], [BANNER, ...records(1, 2)]])
  })

  it('is distinguished from a longer one that has more of another kind', async () => {
    await appendFile(log, lines(7, 8, 9))
    await writeFile(agent.path('b.log'), `${BANNER}\n${lines(1)}`)
    await agent.settle()
    expect(agent.lines).toEqual([
      [BANNER, ...records(7, 8, 9)],
      [BANNER, ...records(1)]
    ])
  })

  it('hides no other file that begins like it while its own is looked for', async () => {
    await agent.crash()
    await rm(log)
    await writeFile(agent.path('b.log'), `${BANNER}\n${lines(1, 2)}`)
    await agent.start()
    await agent.pass()
    expect(agent.lines.flat().filter(line => line !== BANNER)).toEqual(records(1, 2))
  })

  it('goes on in one file when two begin like it after its end', async () => {
    await rm(log)
    await agent.pass()
    await writeFile(agent.path('b.log'), `${BANNER}\n${lines(1, 2)}`)
    await writeFile(agent.path('c.log'), `${BANNER}\n${lines(3, 4)}`)
    await agent.settle()
    expect(
      agent.lines
        .flat()
        .filter(line => line !== BANNER)
        .toSorted()
    ).toEqual(records(1, 2, 3, 4))
    expect(agent.gaps).toEqual([])
  })
})
