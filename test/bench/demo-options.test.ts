import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseDemoOptions } from '../../bench/demo/options.js'
import { openTempFolder } from '../support/temp-folder.js'

const FIRST_RUN = `
  operator    operator@alidade.local
  password    secret
  namespace   default
  ingest key  ali_ingest_abc
`
const noFile = (path: string): string => {
  throw new Error(`${path} is not read`)
}

let folder: Awaited<ReturnType<typeof openTempFolder>>
beforeAll(async () => {
  folder = await openTempFolder()
  await writeFile(join(folder.path, 'first-run.txt'), FIRST_RUN)
})
afterAll(() => folder.remove())

describe('the demo', () => {
  it('finds the service by the settings of the environment', () => {
    const env = { ALIDADE_HOST: '0.0.0.0', ALIDADE_PORT: '9000', ALIDADE_INGEST_PORT: '9001', ALIDADE_DATA_DIR: folder.path }
    expect(parseDemoOptions(['--once'], env, noFile)).toEqual({
      url: 'http://127.0.0.1:9000',
      ingestUrl: 'http://127.0.0.1:9001',
      apiKey: 'ali_ingest_abc',
      seconds: 0,
      backfillSeconds: 3_600
    })
  })

  it('finds it by the file of settings, over which flags win', () => {
    const readFile = (): string => `port: 9000\ndata_dir: ${folder.path}\n`
    const argv = ['--config', 'a.yaml', '--port', '9002', '--duration=90s', '--backfill', '10m']
    expect(parseDemoOptions(argv, {}, readFile)).toMatchObject({
      url: 'http://127.0.0.1:9002',
      seconds: 90,
      backfillSeconds: 600
    })
  })

  it('takes an address and a key of a service elsewhere, and refuses what is not a setting', () => {
    const argv = ['--url', 'https://obs.example/', '--key', 'ali_ingest_else']
    const { url, ingestUrl, apiKey } = parseDemoOptions(argv, {}, noFile)
    expect([url, ingestUrl, apiKey]).toEqual(['https://obs.example', 'https://obs.example', 'ali_ingest_else'])
    expect(() => parseDemoOptions(['--prot', '1'], {}, noFile)).toThrow('did you mean --port?')
  })
})
