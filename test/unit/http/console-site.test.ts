import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { basePathOf, MAX_SITE_BYTES, MAX_SITE_FILES, readConsole } from '../../../src/http/console/console-site.js'
import { openTempFolder } from '../../support/temp-folder.js'

const PAGE = '<!doctype html><base href="__ALIDADE_BASE__" />'

let folder: Awaited<ReturnType<typeof openTempFolder>>
beforeEach(async () => {
  folder = await openTempFolder()
  await mkdir(join(folder.path, 'assets'))
  await writeFile(join(folder.path, 'index.html'), PAGE)
})
afterEach(() => folder.remove())

const inFolder = (name: string): string => join(folder.path, name)
const pageOf = async (basePath: string): Promise<string> => (await readConsole(folder.path, basePath))!.page.bytes.toString()

describe('the base of the page', () => {
  it.each([
    [null, '/'],
    ['https://alidade.example.com', '/'],
    ['https://example.com/watch', '/watch/'],
    ['https://example.com/watch//', '/watch/']
  ])('of %s is %s', (publicUrl, base) => expect(basePathOf(publicUrl)).toBe(base))

  it('cannot break out of its attribute', async () => {
    const base = basePathOf(`https://example.com/a"b'c&d<e>`)
    expect(await pageOf(base)).toBe('<!doctype html><base href="/a%22b&#39;c&amp;d%3Ce%3E/" />')
    expect(await pageOf('/"><script>/')).toContain('href="/&quot;&gt;&lt;script&gt;/"')
  })

  it('is not taken for a replacement pattern', async () => {
    expect(await pageOf('/$&$1/')).toContain('href="/$&amp;$1/"')
  })

  it.each([
    ['none', '<base href="/" />'],
    ['two', PAGE + PAGE]
  ])('needs its placeholder exactly once: %s', async (_count, html) => {
    await writeFile(inFolder('index.html'), html)
    await expect(readConsole(folder.path, '/')).rejects.toThrow(
      /index.html has [02] placeholders __ALIDADE_BASE__ \(1 expected\)/
    )
  })
})

describe('the files of a build', () => {
  it('are absent without the folder', async () => {
    expect(await readConsole(inFolder('nowhere'), '/')).toBeNull()
  })

  it('need the page', async () => {
    await expect(readConsole(inFolder('assets'), '/')).rejects.toThrow(/index.html of the build cannot be read: ENOENT/)
  })

  it('are known by their path below assets, with stored codings and not with links', async () => {
    await mkdir(inFolder('assets/fonts'))
    await writeFile(inFolder('assets/a-1.js'), 'plain')
    await writeFile(inFolder('assets/a-1.js.gz'), 'gzip')
    await writeFile(inFolder('assets/b-2.unknown.gz'), 'no plain file')
    await writeFile(inFolder('assets/fonts/c-3.woff2'), 'font')
    await symlink(inFolder('index.html'), inFolder('assets/linked.html'))
    const { assets } = (await readConsole(folder.path, '/'))!
    expect([...assets.keys()].sort()).toEqual(['a-1.js', 'b-2.unknown.gz', 'fonts/c-3.woff2'])
    expect([...assets.get('a-1.js')!.coded.keys()]).toEqual(['gzip'])
    expect(assets.get('b-2.unknown.gz')!.contentType).toBe('application/octet-stream')
  })

  it('work without any asset', async () => {
    await mkdir(inFolder('page'))
    await writeFile(inFolder('page/index.html'), PAGE)
    expect((await readConsole(inFolder('page'), '/'))!.assets.size).toBe(0)
  })

  it('may be so many and no more', async () => {
    const names = Array.from({ length: MAX_SITE_FILES }, (_, i) => inFolder(`assets/${i}.js`))
    await Promise.all(names.map(name => writeFile(name, '')))
    expect((await readConsole(folder.path, '/'))!.assets.size).toBe(MAX_SITE_FILES)
    await writeFile(inFolder('assets/more.js'), '')
    await expect(readConsole(folder.path, '/')).rejects.toThrow(/assets has 2001 files \(limit 2000\)/)
  })

  it('are limited in their total size', async () => {
    await writeFile(inFolder('assets/large.js'), '')
    await truncate(inFolder('assets/large.js'), MAX_SITE_BYTES + 1)
    await expect(readConsole(folder.path, '/')).rejects.toThrow(`assets exceed ${MAX_SITE_BYTES} bytes`)
  })
})
