import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { scanFrames } from '../../../../src/stores/disk/checked-frames.js'
import { SetAside } from '../../../../src/stores/disk/set-aside.js'
import { openSpool } from '../../../../src/stores/spool/open-spool.js'
import { isSpoolFrame } from '../../../../src/stores/spool/spool-frames.js'
import { recoverSpool } from '../../../../src/stores/spool/spool-recovery.js'
import { filesHolding } from '../../../support/planted.js'
import { unavailable } from '../../../support/scripted-engine.js'
import { newBatch, NS, OTHER, SpoolFixture } from '../../../support/spool-fixture.js'
import { openTempFolder } from '../../../support/temp-folder.js'
import { quietJobs, SILENT_LOGGER } from '../../../support/quiet-jobs.js'

let fixture: SpoolFixture | null = null

afterEach(async () => {
  await fixture?.close()
  fixture = null
})

async function opened(limits: Parameters<typeof SpoolFixture.open>[0] = {}): Promise<SpoolFixture> {
  fixture = await SpoolFixture.open({ backoffMs: 1_000, ...limits })
  fixture.script.failWith(unavailable)
  return fixture
}

async function spoolFiles({ folder }: SpoolFixture, ending = '.spool'): Promise<string[]> {
  return (await readdir(folder)).filter(name => name.endsWith(ending)).sort()
}

/** What a start finds in a copy of the folder. */
async function found(folder: string): Promise<{ numbers: number[]; repairs: readonly string[]; aside: string[] }> {
  const { frames, repairs, segments } = await recoverSpool(folder, await SetAside.open(folder))
  for (const segment of segments) await segment.close()
  const aside = await readdir(join(folder, 'set-aside')).catch(() => [])
  return { numbers: frames.map(({ facts }) => facts.number), repairs, aside }
}

describe('files of the spool', () => {
  it('go when nothing in them waits, and their names do not come back', async () => {
    const { script } = await opened()
    const seen = new Set<string>()
    for (let round = 0; round < 3; round++) {
      script.failWith(unavailable)
      await fixture!.engine.logs.append(NS, newBatch())
      for (const name of await spoolFiles(fixture!)) seen.add(name)
      script.recover()
      await fixture!.engine.logs.settle(NS)
      fixture!.time.pass(1)
      if (round === 1) await fixture!.restart()
    }
    expect(seen.size).toBe(3)
    await fixture!.restart()
    expect(await spoolFiles(fixture!)).toEqual([])
  })

  it('hold nothing of a dropped namespace, waiting, replayed or from before a restart, and all of another', async () => {
    await opened({ segmentBytes: 2_000 })
    const planted = ['first-planted-text', 'second-planted-text', 'third-planted-text']
    for (const text of planted) {
      await fixture!.engine.logs.append(NS, newBatch(1, text))
      await fixture!.engine.logs.append(OTHER, newBatch(1, 'kept'))
      if (text === planted[0]) await fixture!.restart()
      fixture!.script.failWith(unavailable)
    }
    expect(await filesHolding(fixture!.folder, planted)).toHaveLength(3)
    fixture!.script.recover()
    await fixture!.engine.logs.dropNamespace(NS)
    expect(await filesHolding(fixture!.folder, planted)).toEqual([])
    await fixture!.engine.logs.settle(OTHER)
    const kept = fixture!.script.requests.filter(({ ns }) => ns === OTHER)
    expect(new Set(kept.map(({ batch }) => batch.ingestId)).size).toBe(3)
  })

  it('hold what waits over a restart, in order, and what is done stays done', async () => {
    const { engine, script } = await opened({ replayRecords: 2, segmentBytes: 2_000 })
    const batches = Array.from({ length: 30 }, () => newBatch(1))
    for (const batch of batches) await engine.logs.append(NS, batch)
    let stored = 0
    script.script = async (ns, batch) => {
      if (stored++ >= 7) throw unavailable()
      return script.store('logs', ns, batch)
    }
    await engine.logs.settle(NS).catch(() => undefined)
    const before = script.requests.length
    expect(fixture!.storedIds()).toHaveLength(7)
    await fixture!.restart()
    script.recover()
    await fixture!.engine.logs.settle(NS)
    const ids = script.requests.slice(before).map(({ batch }) => batch.ingestId)
    // Of a group of two, one was stored and is sent again; its id makes that harmless.
    expect(ids).toEqual(batches.slice(6).map(({ ingestId }) => ingestId))
    expect(fixture!.storedIds().map(id => id.slice(0, 26))).toEqual(batches.map(({ ingestId }) => ingestId))
  })

  it('belong to one process', async () => {
    const { folder, time } = await opened()
    const options = { folder, clock: time, timers: time, logger: SILENT_LOGGER, jobs: quietJobs() }
    await expect(openSpool({ ...options, lockWaitMs: 0 })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('of a later version are refused', async () => {
    const { folder, engine } = await opened()
    await engine.logs.append(NS, newBatch())
    const [name] = await spoolFiles(fixture!)
    await fixture!.spool.close()
    await writeFile(join(folder, name!), 'alidspl2 and whatever follows')
    await expect(fixture!.start()).rejects.toThrow('has a format that this version does not read')
    await writeFile(join(folder, name!), '')
    await fixture!.start()
  })

  it('that were cut anywhere in the last frame lose that frame alone', async () => {
    const { engine, folder } = await opened()
    for (let i = 0; i < 3; i++) await engine.logs.append(NS, newBatch())
    const [name] = await spoolFiles(fixture!)
    const content = await readFile(join(folder, name!))
    const frameBytes = (content.length - 8) / 3
    for (let cut = 1; cut < frameBytes; cut++) {
      const { frames, damages } = scanFrames(content.subarray(0, content.length - cut), 8, isSpoolFrame)
      expect([frames.length, damages]).toEqual([2, [{ from: 8 + 2 * frameBytes, to: content.length - cut }]])
    }
  })

  it('that were cut have the rest set aside, once, and report it', async () => {
    const { engine, folder } = await opened()
    for (let i = 0; i < 3; i++) await engine.logs.append(NS, newBatch())
    const [name] = await spoolFiles(fixture!)
    const content = await readFile(join(folder, name!))
    const copies = await openTempFolder()
    for (const cut of [1, 50, Math.floor((content.length - 8) / 3) - 1]) {
      const copy = join(copies.path, String(cut))
      await mkdir(copy)
      await writeFile(join(copy, name!), content.subarray(0, content.length - cut))
      const { numbers, repairs, aside } = await found(copy)
      expect([numbers.length, aside.length]).toEqual([2, 1])
      expect(repairs).toEqual([expect.stringContaining(`were set aside as ${name}`)])
      expect(await found(copy)).toEqual({ numbers, repairs: [], aside })
    }
    await copies.remove()
  })

  it('with any byte changed give the frames that are whole, and never one that was not written', async () => {
    const { engine, folder } = await opened()
    for (let i = 0; i < 4; i++) await engine.logs.append(NS, newBatch())
    const [name] = await spoolFiles(fixture!)
    const content = await readFile(join(folder, name!))
    const copies = await openTempFolder()
    const all = (await found(folder)).numbers
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length - 9), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const copy = join(copies.path, String(run++))
        await mkdir(copy)
        const changed = Buffer.from(content)
        changed[8 + at]! ^= bits
        await writeFile(join(copy, name!), changed)
        const { numbers, repairs } = await found(copy)
        expect(all).toEqual(expect.arrayContaining(numbers))
        expect(numbers.length).toBeLessThan(4)
        expect(repairs.length).toBeGreaterThan(0)
      }),
      { numRuns: 20 }
    )
    await copies.remove()
  })

  it('whose marks are torn or made of zeros lose no frame', async () => {
    const { engine, folder, script } = await opened({ replayRecords: 1 })
    for (let i = 0; i < 3; i++) await engine.logs.append(NS, newBatch())
    script.script = async (ns, batch) => {
      if (fixture!.storedIds().length === 2) throw unavailable()
      return script.store('logs', ns, batch)
    }
    await engine.logs.settle(NS).catch(() => undefined)
    await fixture!.spool.close()
    const [marks] = await spoolFiles(fixture!, '.done')
    const file = join(folder, marks!)
    const bytes = await readFile(file)
    expect(bytes).toHaveLength(24)
    await writeFile(file, Buffer.concat([bytes.subarray(0, 12), Buffer.alloc(12), bytes.subarray(12, 17)]))
    expect((await found(folder)).numbers).toHaveLength(2)
    expect(await readFile(file)).toHaveLength(24)
    await fixture!.start()
  })
})
