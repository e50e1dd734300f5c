import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { WaitingBoard, WaitingCount } from '../../../src/ports/waiting-board.js'
import { takeGatewayId } from '../../../src/stores/assemble/gateway-id.js'
import { SharedWaiting } from '../../../src/stores/assemble/shared-waiting.js'
import { ManualTime } from '../../support/manual-time.js'
import { quietJobs } from '../../support/quiet-jobs.js'
import { openTempFolder } from '../../support/temp-folder.js'

const NS = 'nsshop' as NamespaceId
const clock = new ManualTime()

/** As that of the control store, without age. */
class MemoryBoard implements WaitingBoard {
  readonly reported = new Map<string, readonly WaitingCount[]>()
  reports = 0

  async publish(gateway: string, counts: readonly WaitingCount[]): Promise<void> {
    this.reports++
    if (counts.length === 0) this.reported.delete(gateway)
    else this.reported.set(gateway, counts)
  }

  async keptOf(gateway: string): Promise<number> {
    return this.reported.get(gateway)?.length ?? 0
  }

  async ofOthers(gateway: string): Promise<readonly WaitingCount[]> {
    const others = [...this.reported].filter(([of]) => of !== gateway).flatMap(([, counts]) => counts)
    const records = others.reduce((sum, count) => sum + count.records, 0)
    return records === 0 ? [] : [{ namespaceId: NS, signal: 'logs', records }]
  }
}

let folder: Awaited<ReturnType<typeof openTempFolder>>
let board: MemoryBoard
beforeEach(async () => {
  folder = await openTempFolder()
  board = new MemoryBoard()
})
afterEach(() => folder.remove())

/** A start of the gateway whose id file this is, with so many logs in its spool. */
async function start(file: string, records: number): Promise<SharedWaiting> {
  const gateway = await takeGatewayId(join(folder.path, file))
  const own = (): readonly WaitingCount[] => (records === 0 ? [] : [{ namespaceId: NS, signal: 'logs', records }])
  return new SharedWaiting({ board, gateway, own, clock, jobs: quietJobs() })
}

it('counts what waited before a restart once, and not as that of another gateway', async () => {
  await (await start('a', 3)).round()
  const again = await start('a', 3)
  await again.round()
  expect(again.elsewhere(NS, 'logs')).toBe(0)
  const other = await start('b', 0)
  await other.round()
  expect(other.elsewhere(NS, 'logs')).toBe(3)
})

it('takes a copy of a data folder for another gateway, whichever of the two reports last', async () => {
  const original = await start('a', 3)
  await original.round()
  await copyFile(join(folder.path, 'a'), join(folder.path, 'copy'))
  const copy = await start('copy', 4)
  for (const each of [copy, original, copy]) await each.round()
  expect(original.elsewhere(NS, 'logs')).toBe(4)
  expect(copy.elsewhere(NS, 'logs')).toBe(3)
})

it('reports again only what is new or has gone from the board', async () => {
  const gateway = await start('a', 3)
  for (let i = 0; i < 3; i++) await gateway.round()
  expect(board.reports).toBe(1)
  board.reported.clear()
  await gateway.round()
  expect([...board.reported.values()]).toEqual([[{ namespaceId: NS, signal: 'logs', records: 3 }]])
})

it('withdraws what an earlier start reported when the board responds again', async () => {
  await (await start('a', 3)).round()
  const notify = board.publish.bind(board)
  board.publish = () => Promise.reject(new Error('away'))
  await expect((await start('a', 3)).round()).rejects.toThrow('away')
  board.publish = notify
  const third = await start('a', 3)
  await third.round()
  expect(board.reported.size).toBe(1)
  expect(third.elsewhere(NS, 'logs')).toBe(0)
  expect((await readFile(join(folder.path, 'a'), 'utf8')).split('\n')).toHaveLength(2)
})

it('takes ids out of a damaged file as far as they are whole', async () => {
  const file = join(folder.path, 'a')
  await writeFile(file, '0123456789abcdef\nfedc\n\0\0')
  const { id, earlier } = await takeGatewayId(file)
  expect(id).toMatch(/^[0-9a-f]{16}$/)
  expect(earlier).toEqual(['0123456789abcdef'])
})
