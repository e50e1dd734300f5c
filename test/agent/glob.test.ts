import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Glob } from '../../agent/src/files/glob.js'
import { openTempFolder } from '../support/temp-folder.js'

const FILES = [
  'app.log',
  'app.log.1',
  'db.log',
  '.hidden.log',
  'a/one.log',
  'a/b/two.log',
  'a/b/three.txt',
  'x[1].log',
  'a+b.log'
]

describe('patterns of paths', () => {
  let temp: Awaited<ReturnType<typeof openTempFolder>>
  beforeAll(async () => {
    temp = await openTempFolder()
    for (const file of FILES) {
      await mkdir(dirname(join(temp.path, file)), { recursive: true })
      await writeFile(join(temp.path, file), '')
    }
  })
  afterAll(() => temp.remove())

  it.each([
    ['app.log', ['app.log']],
    ['*.log', ['a+b.log', 'app.log', 'db.log', 'x[1].log']],
    ['app.log*', ['app.log', 'app.log.1']],
    ['?b.log', ['db.log']],
    ['[ad]*.log', ['a+b.log', 'app.log', 'db.log']],
    ['[!a]*.log', ['db.log', 'x[1].log']],
    ['.*.log', ['.hidden.log']],
    ['*/*.log', ['a/one.log']],
    ['**/*.log', ['a+b.log', 'a/b/two.log', 'a/one.log', 'app.log', 'db.log', 'x[1].log']],
    ['a/**/*.txt', ['a/b/three.txt']],
    ['a+b.log', ['a+b.log']],
    ['none/*.log', []]
  ])('%s', async (pattern, expected) => {
    const found = await new Glob(join(temp.path, pattern)).find()
    expect(found.map(path => relative(temp.path, path))).toEqual(expected)
  })

  it('report what cannot be looked at, but not what is not there', async () => {
    const loop = join(temp.path, 'loop')
    await symlink(loop, loop)
    const unreadableOf = async (pattern: string): Promise<readonly string[]> => {
      const unreadable: string[] = []
      expect(await new Glob(join(temp.path, pattern)).find((path, code) => unreadable.push(`${path} ${code}`))).toEqual([])
      return unreadable
    }
    expect(await unreadableOf('loop/*.txt')).toEqual([`${loop} ELOOP`])
    expect(await unreadableOf('loop/a.txt')).toEqual([`${loop}/a.txt ELOOP`])
    expect(await unreadableOf('none/*.txt')).toEqual([])
    expect(await unreadableOf('app.log/a.txt')).toEqual([])
    await rm(loop)
  })

  it('match whole paths', () => {
    const archives = new Glob('/var/log/*.gz')
    const matched = ['/var/log/a.gz', '/var/log/x/a.gz', '/var/log/a.gz.1', '/var/log/.a.gz'].filter(path =>
      archives.matches(path)
    )
    expect(matched).toEqual(['/var/log/a.gz'])
  })

  it('match any number of folders', () => {
    const glob = new Glob('/var/**/log/**/*.gz')
    const paths = ['/var/log/a.gz', '/var/a/b/log/c/a.gz', '/var/a.gz', '/log/a.gz', '/var/log/a.txt']
    expect(paths.filter(path => glob.matches(path))).toEqual(['/var/log/a.gz', '/var/a/b/log/c/a.gz'])
  })
})
