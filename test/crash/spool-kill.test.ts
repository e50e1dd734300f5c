import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { seededRandom } from '../../bench/generate/random.js'
import { openTempFolder } from '../support/temp-folder.js'

const CHILD = fileURLToPath(new URL('spool-child.mjs', import.meta.url))
const LIVES = 12
const SEED = 20_261
const ID = /^01J\d{6}\d{17}\d{7}$/

/** Starts the next life of the spool; `share` of the engine's responses are failures. */
function live(folder: string, life: number, share: number): ChildProcess {
  const args = [CHILD, join(folder, 'spool'), join(folder, 'stored'), String(life), String(share)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Lets a life go on until it has acknowledged so many records, kills it and returns all that it had acknowledged. */
async function killAfter(child: ChildProcess, count: number): Promise<string[]> {
  const acked: string[] = []
  const lines = createInterface({ input: child.stdout! })
  lines.on('line', line => {
    if (ID.test(line)) acked.push(line)
    if (acked.length === count) child.kill('SIGKILL')
  })
  const [exit] = await Promise.all([once(child, 'exit'), once(lines, 'close')])
  expect(exit).toEqual([null, 'SIGKILL'])
  return acked
}

it('loses no acknowledged record and keeps points in order, killed with kill -9 in the middle of spooling and replaying', async () => {
  const folder = await openTempFolder()
  const random = seededRandom(SEED)
  const acked: string[] = []
  for (let life = 0; life < LIVES; life++) {
    const share = [0.1, 0.5, 0.95][life % 3]!
    acked.push(...(await killAfter(live(folder.path, life, share), 20 + random.below(400))))
  }
  const last = live(folder.path, LIVES, 0)
  expect(await once(last, 'exit')).toEqual([0, null])

  const stored = readFileSync(join(folder.path, 'stored'), 'utf8')
    .split('\n')
    .filter(id => ID.test(id))
  const known = new Set(stored)
  expect(known.size).toBe(stored.length)
  expect(acked.length).toBeGreaterThan(20 * LIVES)
  expect(acked.filter(id => !known.has(id))).toEqual([])
  for (const lane of ['1', '2']) {
    const ofLane = stored.filter(id => id[9] === lane)
    expect(ofLane).toEqual(ofLane.toSorted())
  }
  expect((await readdir(join(folder.path, 'spool'))).filter(name => name.endsWith('.spool') || name.endsWith('.done'))).toEqual(
    []
  )
  await folder.remove()
}, 120_000)
