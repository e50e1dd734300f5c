import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from '@jest/globals'
import { openTestStores } from '../support/duckdb-fixture.js'
import { pipeServerModule } from '../support/compiled-module.js'
import { openTempFolder } from '../support/temp-folder.js'

// A close that waited for the process would take its 30 s, and with the start more than a test has.
it('closes at once though the last checkpoint fails, e.g. on a full disk', async () => {
  const folder = await openTempFolder()
  const server = pathToFileURL(pipeServerModule()).href
  const entry = path.join(folder.path, 'entry.mjs')
  await writeFile(
    entry,
    `import { PipeServer } from '${server}'
     const fail = () => { throw new Error('no room') }
     const server = new PipeServer(3, () => process.exit(1))
     server.serve(new Map([['close', fail]]))
     await server.announce({ type: 'ready', detail: '' })`
  )
  const stores = await openTestStores(folder.path, { entry })
  await expect(stores.close()).resolves.toBeUndefined()
  await folder.remove()
})
