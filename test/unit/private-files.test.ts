import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { tightenDataFolder } from '../../src/app/private-files.js'
import { openTempFolder } from '../support/temp-folder.js'

let temp: Awaited<ReturnType<typeof openTempFolder>>
let data: string
beforeEach(async () => {
  temp = await openTempFolder()
  data = join(temp.path, 'data')
  await mkdir(join(data, 'telemetry', 'segments'), { recursive: true })
  await writeFile(join(data, 'telemetry', 'segments', 'a.parquet'), 'a')
  await writeFile(join(data, 'first-run.txt'), 'b')
  await chmod(data, 0o2775)
  await chmod(join(data, 'telemetry'), 0o755)
  await chmod(join(data, 'telemetry', 'segments', 'a.parquet'), 0o664)
  await chmod(join(data, 'first-run.txt'), 0o640)
})
afterEach(() => temp.remove())

async function modeOf(...path: readonly string[]): Promise<string> {
  return ((await stat(join(data, ...path))).mode & 0o7777).toString(8)
}

it('takes the data folder and all that is in it from everybody but the owner', async () => {
  await mkdir(join(data, 'lost+found'))
  expect(await tightenDataFolder(data)).toEqual([])
  expect([
    await modeOf(),
    await modeOf('telemetry'),
    await modeOf('telemetry', 'segments', 'a.parquet'),
    await modeOf('first-run.txt')
  ]).toEqual(['700', '700', '600', '600'])
})

it('leaves alone what it did not make, and the folder that holds it', async () => {
  await writeFile(join(data, 'run.sh'), 'c')
  await chmod(join(data, 'run.sh'), 0o755)
  expect(await tightenDataFolder(data)).toEqual([expect.stringContaining('contains files of other owners')])
  expect([await modeOf(), await modeOf('run.sh'), await modeOf('first-run.txt')]).toEqual(['2775', '755', '600'])
})

it('does not follow links out of the folder', async () => {
  const outside = join(temp.path, 'outside')
  await writeFile(outside, 'd')
  await chmod(outside, 0o644)
  await symlink(outside, join(data, 'telemetry', 'link'))
  await tightenDataFolder(data)
  expect((await stat(outside)).mode & 0o777).toBe(0o644)
})

it('reports nothing about a folder that does not exist yet', async () => {
  expect(await tightenDataFolder(join(temp.path, 'none'))).toEqual([])
})
