import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from '@jest/globals'
import { RunningServer } from '../../servers/running-server.js'
import { smallServer } from '../../support/small-server.js'

describe('a server of a test', () => {
  let server: RunningServer | undefined
  afterEach(() => server?.stop())

  it('starts again on its port and data after it was killed', async () => {
    server = await RunningServer.start(smallServer)
    expect(await starts(server)).toBe(1)
    await server.kill()
    await expect(fetch(server.access.url)).rejects.toThrow('fetch failed')
    await server.startAgain()
    expect(await starts(server)).toBe(2)
  })

  it('takes its children along and leaves no folder', async () => {
    server = await RunningServer.start(smallServer)
    const folder = await text(server, '/folder')
    const { closed } = await connectTo(server.access.url)
    await server.stop()
    await closed
    expect(existsSync(folder)).toBe(false)
  })

  it('ends when the process that started it dies, however it dies', async () => {
    const owner = fork(fileURLToPath(new URL('../../support/small-server-owner.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx']
    })
    const [url] = (await once(owner, 'message')) as [string]
    const { closed } = await connectTo(url)
    owner.kill('SIGKILL')
    await closed
  })

  it('reports the output of a server that does not start', async () => {
    const broken = {
      ...smallServer,
      prepare: async (folder: string) => ({ ...(await smallServer.prepare(folder, {})), ...failing(folder) })
    }
    await expect(RunningServer.start(broken)).rejects.toThrow('cannot open the database')
  })
})

function failing(cwd: string) {
  const script = 'console.error("cannot open the database"); process.exit(1)'
  return { command: () => ({ file: process.execPath, args: ['-e', script], cwd, env: {} }) }
}

async function text(server: RunningServer, path: string): Promise<string> {
  return (await fetch(`${server.access.url}${path}`)).text()
}

async function starts(server: RunningServer): Promise<number> {
  return Number(await text(server, '/starts'))
}

/** A connection to the server: it closes when the server is gone. */
async function connectTo(url: string): Promise<{ closed: Promise<void> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  // A killed server resets the connection, which is an error before it is a close.
  socket.on('error', () => undefined).resume()
  return { closed }
}
