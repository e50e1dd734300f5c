import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { FileSource } from '../../agent/src/config/config.js'
import { FollowedStreams } from '../../agent/src/files/followed-streams.js'
import { SettledFiles } from '../../agent/src/files/settled-files.js'
import { SiblingFinder } from '../../agent/src/files/sibling-finder.js'
import { FolderNames } from '../../agent/src/files/siblings.js'
import { Source } from '../../agent/src/files/source.js'
import { openTempFolder } from '../support/temp-folder.js'

const WAIT_MS = 1_000

/** Names of a folder as they were before files were renamed. */
class EarlierNames extends FolderNames {
  readonly #names: readonly string[]

  constructor(names: readonly string[]) {
    super()
    this.#names = names
  }

  override async of(): Promise<readonly string[]> {
    return this.#names
  }
}

let temp: Awaited<ReturnType<typeof openTempFolder>>
let path: string
let begun: string[]
let nowMs: number
let finder: SiblingFinder
beforeEach(async () => {
  temp = await openTempFolder()
  path = join(temp.path, 'a.log')
  begun = []
  nowMs = Date.now() + 60_000
  const source = new Source({ path, exclude: [] } as unknown as FileSource)
  finder = new SiblingFinder({
    sources: [source],
    undecidedSinceMs: () => Number.POSITIVE_INFINITY,
    clock: { nowMs: () => nowMs, elapsedMs: () => nowMs },
    rotateWaitMs: WAIT_MS,
    streams: new FollowedStreams(),
    settled: new SettledFiles(),
    begin: async sibling => {
      begun.push(await readFile(sibling, 'utf8'))
      return 'decided'
    }
  })
  finder.schedule({ path, source, sinceMs: 0 })
})
afterEach(() => temp.remove())

async function take(folders: FolderNames): Promise<void> {
  nowMs += WAIT_MS
  await finder.take(nowMs, nowMs, folders)
}

it('looks again at the siblings of a path when one was renamed during the look', async () => {
  await writeFile(`${path}.2`, 'one')
  await take(new EarlierNames(['a.log.1']))
  expect(begun).toEqual([])
  await take(new FolderNames())
  expect(begun).toEqual(['one'])
})

it('looks again at them when a rotation during the look has left a file under each name', async () => {
  await writeFile(`${path}.2`, 'undecided')
  await writeFile(`${path}.1`, 'was live')
  await take(new EarlierNames(['a.log', 'a.log.1']))
  await take(new FolderNames())
  expect(begun).toContain('undecided')
})
