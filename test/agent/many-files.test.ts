import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { OpenFile } from '../../agent/src/files/open-file.js'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'

const FILES = 60
/** All files begin with as many bytes of one content. */
const BANNER = 'banner '.repeat(150)

let temp: Awaited<ReturnType<typeof openTempFolder>>
let agent: FollowedFolder
let spies: readonly { readonly mock: { readonly calls: readonly unknown[] }; mockRestore(): void }[]
beforeEach(async () => {
  temp = await openTempFolder()
  agent = new FollowedFolder(temp.path, { path: `${temp.path}/*.log` })
  spies = [jest.spyOn(OpenFile.prototype, 'read'), jest.spyOn(OpenFile.prototype, 'state')]
})
afterEach(async () => {
  for (const spy of spies) spy.mockRestore()
  await agent.crash()
  await temp.remove()
})

/** Reads and looks at sizes so far. */
function calls(): number {
  return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

async function write(name: string): Promise<void> {
  for (let i = 0; i < FILES; i++) await writeFile(agent.path(`${name}-${i}.log`), `${BANNER}\n${name} ${i}\n${'x'.repeat(i)}`)
}

it('new files that begin alike are read a few times each, not once for each other', async () => {
  await agent.begin()
  await write('a')
  const before = calls()
  await agent.look()
  expect(calls() - before).toBeLessThanOrEqual(7 * FILES)
  await agent.settle()
  expect(agent.stored.size).toBe(FILES)
})

it('so are new files next to files that were read', async () => {
  await write('a')
  await agent.start()
  await write('b')
  const before = calls()
  await agent.look()
  expect(calls() - before).toBeLessThanOrEqual(7 * FILES)
  await agent.settle()
  expect(agent.stored.size).toBe(2 * FILES)
})
