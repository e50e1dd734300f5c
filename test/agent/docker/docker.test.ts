import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { recoverContainers } from '../../../agent/src/docker/container-records.js'
import type { StreamRecord } from '../../../agent/src/files/stream-record.js'
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

describe.each([
  ['with frames', false],
  ['with a terminal', true]
])('the log of a container %s', (_, isTty) => {
  it('is sent in its order, and after a restart from where it was', async () => {
    site.docker.run('a', { isTty })
    write('a', 1, 2, 3, 4, 5, 6, 7)
    await site.start()
    await site.stored(7)
    write('a', 8)
    await site.stored(8)
    await site.stop()
    write('a', 9)
    await site.start()
    await site.stored(9)
    write('a', 10)
    await site.stored(10)
    expect(site.messages).toEqual(lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
    expect(site.gaps).toEqual([])
    expect(site.docker.requests.every(request => request.startsWith('GET '))).toBe(true)
  })

  it.each(['before', 'after'] as const)('has each line once when the agent is killed %s a batch is stored', async fails => {
    site.docker.run('a', { isTty })
    for (let number = 1; number <= 20; number++) {
      write('a', number)
      if (number % 4 !== 0) continue
      site.fails = fails
      await site.start()
      await site.died()
    }
    await site.start()
    await site.stored(20)
    expect(site.messages).toEqual(lines(...Array.from({ length: 20 }, (_value, i) => i + 1)))
    expect(site.gaps).toEqual([])
  })

  it('has each line once where lines share their time and are equal', async () => {
    site.docker.run('a', { isTty })
    const same = (text: string): void => site.docker.write('a', 5, `${text}\n`)
    for (const text of ['x', 'x', 'y', 'x']) same(text)
    await site.start()
    await site.stored(4)
    await site.stop()
    for (const text of ['y', 'x', 'z']) same(text)
    await site.start()
    await site.stored(7)
    expect(site.messages).toEqual(['x', 'x', 'y', 'x', 'y', 'x', 'z'])
  })

  it('goes on where the service is when the state is lost', async () => {
    site.docker.run('a', { isTty })
    write('a', 1, 2, 3)
    await site.start('first')
    await site.stored(3)
    await site.stop()
    write('a', 4)
    await site.start('second', site.ledger)
    await site.stored(4)
    expect(site.messages).toEqual(lines(1, 2, 3, 4))
    expect(site.gaps).toEqual([])
  })
})

describe('a container whose first batch is not in the ledger', () => {
  const FIRST = { nextSeq: 1, bytesTo: 0, lineTo: 0, head: null, anchor: null, pending: { to: 7, anchor: 'aa' } }
  const known = {
    id: 'docker-a',
    path: 'docker:a',
    ...FIRST,
    isEnded: false,
    firstAtMs: 1,
    lastAtMs: 2,
    sealedAtMs: 0,
    recovered: null
  }

  it.each([
    ['beginning', [{ offset: 0, nextSeq: 1, nextLine: 1, recovered: { seq: 1, records: 0 } }]],
    ['end', []]
  ] as const)('is compared with it by an agent without state that reads logs from their %s', async (startAt, expected) => {
    const streams = new Map<string, StreamRecord>()
    const put = async (record: StreamRecord): Promise<void> => void streams.set(record.id, record)
    await recoverContainers({ streams, put }, [known], { startAt })
    expect([...streams.values()]).toMatchObject(expected)
  })
})

describe('containers', () => {
  it('are first read from their end, later ones from their beginning', async () => {
    site.startAt = 'end'
    site.docker.run('a')
    write('a', 1, 2)
    const followed = site.docker.followed('a')
    await site.start()
    await followed
    site.docker.run('b')
    write('b', 3)
    await site.stored(1)
    expect(site.messages).toEqual(lines(3))
  })

  it('have their name, image and service; a service of Compose takes precedence', async () => {
    site.docker.run('a', { name: 'web' })
    site.docker.run('b', { name: 'shop-db-1', labels: { 'com.docker.compose.service': 'db' } })
    write('a', 1)
    site.docker.write('b', 2, 'hello\n', 'stderr')
    await site.start()
    await site.stored(2)
    const bodies = site.bodies.toSorted((a, b) => JSON.stringify(a['defaults']).localeCompare(JSON.stringify(b['defaults'])))
    expect(bodies).toMatchObject([
      {
        stream: { id: `docker-${'b'.repeat(32)}`, kind: 'docker', path: 'docker:bbbbbbbbbbbb' },
        defaults: {
          host: 'web-1',
          service: 'db',
          source: 'docker',
          tags: { container: 'bbbbbbbbbbbb', 'container.name': 'shop-db-1' }
        },
        logs: [{ message: 'hello', timestamp: '2026-11-20T10:00:00.000002000Z', log_fields: { stream: 'stderr' } }]
      },
      {
        defaults: { service: 'web', tags: { 'container.image.name': 'registry/shop:1' } },
        logs: [{ log_fields: { stream: 'stdout' } }]
      }
    ])
  })

  it('that stop and start go on, and end when they are removed', async () => {
    site.docker.run('a')
    write('a', 1)
    await site.start()
    await site.stored(1)
    site.docker.stop('a')
    site.docker.start('a')
    write('a', 2)
    await site.stored(2)
    site.docker.remove('a')
    await site.until(() => site.ends[0] !== null)
    expect([site.messages, site.ends, site.gaps]).toEqual([lines(1, 2), ['deleted'], []])
  })

  it('that were removed while the agent was down are gaps of unknown size', async () => {
    site.docker.run('a')
    write('a', 1)
    await site.start()
    await site.stored(1)
    await site.stop()
    site.docker.remove('a')
    await site.start()
    await site.until(() => site.ends[0] !== null)
    expect(site.gaps).toMatchObject([{ lines: null, reason: 'deleted' }])
  })

  it('whose log was rotated before it was read have a gap of unknown size', async () => {
    site.docker.run('a')
    write('a', 1, 2)
    await site.start()
    await site.stored(2)
    await site.stop()
    write('a', 3, 2_000_000, 2_000_001)
    site.docker.rotate('a', 3)
    await site.start()
    await site.stored(4)
    expect(site.messages).toEqual(lines(1, 2, 2_000_000, 2_000_001))
    expect(site.gaps).toMatchObject([{ lines: null, reason: 'rotated_away' }])
  })

  it('whose noted batch was rotated away have a gap in its place', async () => {
    site.docker.run('a')
    write('a', 1, 2)
    site.fails = 'before'
    await site.start()
    await site.died()
    write('a', 2_000_000)
    site.docker.rotate('a', 2)
    site.docker.stop('a')
    await site.start()
    await site.stored(1)
    expect(site.messages).toEqual(lines(2_000_000))
    // What was behind it is not known.
    expect(site.gaps).toMatchObject([
      { lines: 2, reason: 'rotated_away' },
      { lines: null, reason: 'rotated_away' }
    ])
  })

  it('without a log, and with one that the daemon does not return, are reported', async () => {
    site.docker.run('a', { driver: 'none' })
    site.docker.run('b', { driver: 'syslog' })
    await site.start()
    await site.until(() => site.faults.length >= 2)
    expect(site.faults.toSorted()).toEqual([
      'container has no log: "none"',
      'container not read: "DockerError: configured logging driver does not support reading"'
    ])
  })

  it('are read when the daemon is there again', async () => {
    site.docker.run('a')
    write('a', 1)
    await site.start()
    await site.stored(1)
    const { containers } = site.docker
    await site.docker.close()
    await site.until(() => site.faults.length > 0)
    await site.open()
    for (const [id, container] of containers) site.docker.containers.set(id, { ...container, readers: new Set() })
    write('a', 2)
    await site.stored(2)
    expect(site.messages).toEqual(lines(1, 2))
  })

  it.each([
    ['no frame', Buffer.from('HTTP is not a frame at all')],
    ['a frame without a time', Buffer.from('0100000000000003616263', 'hex')],
    ['a message of the daemon', Buffer.from(`03000000000000046661696c`, 'hex')],
    ['half a frame', Buffer.from('0100000000ffffff', 'hex')]
  ])('with %s are read again from where they were', async (_, garbage) => {
    site.docker.run('a')
    write('a', 1)
    await site.start()
    await site.stored(1)
    await site.stop()
    site.docker.garbage = garbage
    write('a', 2)
    await site.start()
    await site.stored(2)
    expect(site.messages).toEqual(lines(1, 2))
  })
})
