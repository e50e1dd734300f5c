import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { FolderNames, originalsOf, siblingsOf } from '../../agent/src/files/siblings.js'
import { openTempFolder } from '../support/temp-folder.js'

it.each([
  ['/l/a.log', ['/l/a.log', '/l/a']],
  ['/l/a.log.1', ['/l/a.log.1', '/l/a', '/l/a.log']],
  ['/l/a.log.1.gz', ['/l/a.log.1.gz', '/l/a', '/l/a.log', '/l/a.log.1']],
  ['/l/a-20260101.log.gz', ['/l/a-20260101.log.gz', '/l/a', '/l/a.log', '/l/a-20260101', '/l/a-20260101.log']],
  ['/l/.hidden', ['/l/.hidden']]
])('%s may be made of %j', (path, originals) => {
  expect(originalsOf(path)).toEqual(originals)
})

it.each([
  ...['a.log.1', 'a.log-20260101', 'a.log.2.gz', 'a-20260101.log', 'a-20260101.log.gz', 'a-2026.11.29.log'],
  'a-2026-11-29T10-00-00.000.log.gz'
])('a sibling %s leads back to the path that it is a sibling of', async name => {
  const temp = await openTempFolder()
  const path = join(temp.path, name)
  await writeFile(path, '')
  expect(await siblingsOf(join(temp.path, 'a.log'))).toEqual({ paths: [path], isOutdated: false })
  expect(originalsOf(path)).toContain(join(temp.path, 'a.log'))
  await temp.remove()
})

it('only a name that is gone has the siblings listed again, not a link that leads nowhere', async () => {
  const temp = await openTempFolder()
  const path = join(temp.path, 'a.log')
  await symlink(join(temp.path, 'nothing'), `${path}.1`)
  expect(await siblingsOf(path)).toEqual({ paths: [], isOutdated: false })
  const folders = new FolderNames()
  await folders.of(temp.path)
  await rm(`${path}.1`)
  expect(await siblingsOf(path, folders)).toEqual({ paths: [], isOutdated: true })
  await temp.remove()
})
