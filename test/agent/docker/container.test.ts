import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../../agent/src/limits.js'
import { openTempFolder } from '../../support/temp-folder.js'
import { DockerSite } from './docker-site.js'

let temp: Awaited<ReturnType<typeof openTempFolder>>
let site: DockerSite
beforeEach(async () => {
  temp = await openTempFolder()
  site = new DockerSite(temp.path)
  await site.open()
})
afterEach(async () => {
  await site.close()
  await temp.remove()
})

/** Lines of a container, one a microsecond. */
function write(digit: string, ...numbers: readonly number[]): void {
  for (const number of numbers) site.docker.write(digit, number, `line ${number}\n`)
}

const lines = (...numbers: readonly number[]): readonly string[] => numbers.map(number => `line ${number}`)

describe('a container', () => {
  beforeEach(async () => {
    site.docker.run('a')
  })

  it('whose lines were written after the clock was set back has each line once', async () => {
    write('a', 30_000_001, 30_000_002, 1, 2)
    await site.start()
    await site.stored(4)
    await site.stop()
    write('a', 3)
    await site.start()
    await site.stored(5)
    write('a', 4)
    await site.stored(6)
    expect(site.messages).toEqual(lines(30_000_001, 30_000_002, 1, 2, 3, 4))
    expect(site.gaps).toEqual([])
  })

  it('whose clock was set back while the agent was down has each line once', async () => {
    write('a', 30_000_001)
    await site.start()
    await site.stored(1)
    await site.stop()
    write('a', 1, 2)
    await site.start()
    await site.stored(3)
    expect(site.messages).toEqual(lines(30_000_001, 1, 2))
    expect(site.gaps).toEqual([])
  })

  it('that is started again and ends at once is read', async () => {
    write('a', 1)
    site.docker.stop('a')
    await site.start()
    // The second pass confirms that nothing follows.
    await site.docker.logsRead('a', 2)
    for (const number of [2, 3]) {
      site.docker.start('a')
      write('a', number)
      site.docker.stop('a')
      await site.stored(number)
    }
    expect(site.messages).toEqual(lines(1, 2, 3))
  })

  it('that was started again and removed before it was read has a gap of unknown size', async () => {
    write('a', 1)
    site.docker.stop('a')
    await site.start()
    await site.stored(1)
    site.docker.start('a')
    write('a', 2)
    site.docker.remove('a')
    await site.until(() => site.ends[0] !== null)
    expect(site.gaps).toMatchObject([{ lines: null, reason: 'deleted' }])
  })

  it.each((['before', 'after'] as const).flatMap(fails => [0, 1, 2].map(storesBefore => ({ fails, storesBefore }))))(
    'is read whole when a batch is too large and the agent is killed: %j',
    async ({ fails, storesBefore }) => {
      write('a', 1, 2, 3, 4, 5)
      Object.assign(site, { maxLines: 2, fails, storesBefore })
      await site.start()
      await site.died()
      await site.start()
      await site.stored(5)
      expect(site.messages).toEqual(lines(1, 2, 3, 4, 5))
      expect(site.gaps).toEqual([])
    }
  )

  it.each([
    ['runs', false],
    ['has stopped', true]
  ])('that %s is read whole when a response ends early', async (_, isStopped) => {
    write('a', 1, 2)
    await site.start()
    await site.stored(2)
    await site.stop()
    write('a', 3, 4, 5)
    if (isStopped) site.docker.stop('a')
    site.docker.shortLogs = [1, 3]
    await site.start()
    await site.stored(5)
    expect(site.messages).toEqual(lines(1, 2, 3, 4, 5))
    expect(site.gaps).toEqual([])
  })

  it('whose noted batch comes with a response that ends early is read whole', async () => {
    write('a', 1, 2, 3)
    site.fails = 'before'
    await site.start()
    await site.died()
    site.docker.shortLogs = [1]
    await site.start()
    await site.stored(3)
    expect(site.messages).toEqual(lines(1, 2, 3))
    expect(site.gaps).toEqual([])
  })
})

describe('containers', () => {
  it('that have stopped do not count as those that are followed', async () => {
    const digits = Array.from({ length: LIMITS.containers + 5 }, (_, i) => (16 + i).toString(16))
    for (const [i, digit] of digits.entries()) {
      site.docker.run(digit)
      write(digit, i)
      if (i > 0) site.docker.stop(digit)
    }
    await site.start()
    await site.stored(digits.length)
    write(digits[0]!, 1_000)
    await site.stored(digits.length + 1)
    expect(site.faults).toEqual([])
  })

  it('beyond the limit of those that run are reported, and read when others stop', async () => {
    const digits = Array.from({ length: LIMITS.containers + 1 }, (_, i) => (16 + i).toString(16))
    for (const [i, digit] of digits.entries()) {
      site.docker.run(digit)
      write(digit, i)
    }
    await site.start()
    await site.until(() => site.faults.length > 0)
    await site.stored(LIMITS.containers)
    expect(site.docker.peakReaders).toBe(LIMITS.containers)
    site.docker.stop(digits[0]!)
    await site.stored(LIMITS.containers + 1)
    expect(new Set(site.messages)).toEqual(new Set(lines(...digits.keys())))
  })
})
