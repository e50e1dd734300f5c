import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { checkConfig } from '../../agent/src/check.js'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { openTempFolder } from '../support/temp-folder.js'

let temp: Awaited<ReturnType<typeof openTempFolder>>
beforeEach(async () => {
  temp = await openTempFolder()
})
afterEach(() => temp.remove())

it('states which of the paths can be read', async () => {
  await writeFile(join(temp.path, 'a.log'), '')
  await mkdir(join(temp.path, 'b.log'))
  const files = ['*.log', 'none.log'].map(name => ({ path: join(temp.path, name) }))
  const config = parseConfig(JSON.stringify({ logs: { files } }), { SERVICE_API_KEY: 'key' })
  const lines = await checkConfig(config)
  expect(lines.map(line => line.replaceAll(temp.path, '').replace(/ {2,}/g, ' ')).slice(4)).toEqual([
    'files /*.log (plain): 2 found',
    ' /a.log: readable',
    ' /b.log: a folder, which is not read; its files are those of a pattern such as *.log',
    'files /none.log (plain): none yet'
  ])
})
