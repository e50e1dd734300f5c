import { join } from 'node:path'
import { freePort } from '../../bench/service/free-port.js'
import type { ServerRecipe } from '../servers/server-plan.js'

/** Counts its starts in a file of its folder; a launcher starts the server itself, as those of search servers do. */
const SERVER = `
const fs = require('node:fs')
const [port, folder] = process.argv.slice(1)
fs.appendFileSync(folder + '/starts', '.')
const replies = { '/starts': () => String(fs.statSync(folder + '/starts').size), '/folder': () => folder }
require('node:http')
  .createServer((request, response) => response.end(replies[request.url]?.() ?? ''))
  .listen(Number(port), '127.0.0.1', () => console.log('serving on ' + port))
`
const LAUNCHER = `
const [port, folder] = process.argv.slice(1)
require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(SERVER)}, port, folder], { stdio: 'inherit' })
`

/** A server that starts in milliseconds, for the tests of starting and stopping. */
export const smallServer: ServerRecipe = {
  fetch: () => Promise.resolve(),
  prepare: folder =>
    Promise.resolve({
      account: undefined,
      stopSignal: 'SIGTERM' as const,
      choosePort: freePort,
      command: (port: number) => ({
        file: process.execPath,
        args: ['-e', LAUNCHER, String(port), join(folder)],
        cwd: folder,
        env: {}
      }),
      servingPort: (output: string) => Number(/serving on (\d+)/.exec(output)?.[1] ?? Number.NaN) || undefined,
      accessOn: (port: number) => ({ url: `http://127.0.0.1:${port}` }),
      isReady: async ({ url }: { url: string }) => (await fetch(url)).ok
    })
}
