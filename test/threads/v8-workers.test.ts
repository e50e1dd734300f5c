import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { v8Workers } from '../../src/threads/v8-workers.js'
import { nodeFlagsModule, threadsModule } from '../support/compiled-module.js'

/** Makes garbage until one of the threads found has worked, and reports how many there are and how nice they are, and the first thread before and after. */
const CODE = `
  import { readFileSync, readdirSync } from 'node:fs'
  import { getPriority } from 'node:os'
  const { v8Workers } = await import(${JSON.stringify(pathToFileURL(threadsModule('v8-workers')).href)})
  const { nodeFlags } = await import(${JSON.stringify(pathToFileURL(nodeFlagsModule()).href)})
  const { lowerThreadPriority } = await import(${JSON.stringify(pathToFileURL(threadsModule('lower-thread-priority')).href)})
  const own = [getPriority(process.pid)]
  const found = v8Workers(nodeFlags())
  for (const id of found) lowerThreadPriority(id)
  const ticks = id => Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[11])
  const before = new Map(found.map(id => [id, ticks(id)]))
  let kept = []
  while (found.every(id => ticks(id) === before.get(id))) kept = [...kept.slice(-40), Array.from({ length: 20_000 }, (_, i) => ({ i }))]
  console.log(JSON.stringify({ found: found.length, niceness: found.map(id => getPriority(id)), own: [...own, getPriority(process.pid)] }))`

async function notify(flags: readonly string[] = [], nodeOptions = ''): Promise<unknown> {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions }
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--input-type=module', '--eval', CODE], { env })
  return JSON.parse(stdout)
}

const onLinux = process.platform === 'linux' ? describe : describe.skip
onLinux('the threads on which V8 works', () => {
  it('are found, and have a lower priority than the thread that serves requests', async () => {
    const nice = getPriority()
    const stepped = Math.max(5, nice)
    expect(await notify()).toEqual({ found: 4, niceness: Array.from({ length: 4 }, () => stepped), own: [nice, nice] })
  })

  it('are as many as a flag states', async () => {
    expect(await notify(['--v8-pool-size=1'])).toMatchObject({ found: 1 })
    expect(await notify(['--v8_pool_size', '2'], '--v8-pool-size=1')).toMatchObject({ found: 2 })
  })

  it('are as many as the environment states, so that no other thread is taken for one', async () => {
    expect(await notify([], '--v8-pool-size=1')).toMatchObject({ found: 1 })
  })

  it('are not found in a sandbox without /proc', () => {
    expect(v8Workers('', '/nowhere')).toEqual([])
  })
})
