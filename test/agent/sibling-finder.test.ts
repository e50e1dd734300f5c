import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
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

it('looks again at the siblings of a path when one was renamed during the look', async () => {
  const temp = await openTempFolder()
  const path = join(temp.path, 'a.log')
  const source = new Source({ path, exclude: [] } as unknown as FileSource)
  const begun: string[] = []
  let nowMs = Date.now() + 60_000
  const finder = new SiblingFinder({
    sources: [source],
    clock: { nowMs: () => nowMs, elapsedMs: () => nowMs },
    rotateWaitMs: WAIT_MS,
    streams: new FollowedStreams(),
    settled: new SettledFiles(),
    begin: async sibling => {
      begun.push(sibling)
      return 'decided'
    }
  })
  await writeFile(`${path}.1`, 'one')
  await rename(`${path}.1`, `${path}.2`)
  finder.schedule({ path, source, sinceMs: 0 })
  nowMs += WAIT_MS
  await finder.take(nowMs, nowMs, new EarlierNames(['a.log.1']))
  expect(begun).toEqual([])
  expect(finder.knownUntilMs(source, nowMs)).toBe(0)
  nowMs += WAIT_MS
  await finder.take(nowMs, nowMs, new FolderNames())
  expect(begun).toEqual([`${path}.2`])
  await temp.remove()
})
