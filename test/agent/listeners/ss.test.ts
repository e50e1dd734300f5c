import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { endianness } from 'node:os'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { ListenerCollector } from '../../../agent/src/listeners/collect-listeners.js'
import { PROC_FILES } from '../../../agent/src/proc-files.js'

const run = promisify(execFile)
const SS = ['/usr/bin/ss', '/usr/sbin/ss', '/bin/ss', '/sbin/ss'].find(existsSync)

/** `tcp 443 7`: protocol, port and process of each line of `ss` that names a process. */
async function shownBySs(): Promise<ReadonlySet<string>> {
  const { stdout } = await run(SS!, ['-H', '-ltnup'])
  const lines = stdout.split('\n').flatMap(line => {
    const [protocol, , , , local] = line.split(/\s+/)
    const pids = [...line.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid))
    return pids.length === 0 ? [] : [`${protocol} ${local!.slice(local!.lastIndexOf(':') + 1)} ${Math.min(...pids)}`]
  })
  return new Set(lines)
}

const onSs = SS === undefined ? it.skip : it

onSs('reports every listener that ss shows, with its process', async () => {
  const servers = ['127.0.0.1', '0.0.0.0'].map(host => createServer().listen(0, host))
  const udp = createSocket('udp4').bind(0, '127.0.0.1')
  await Promise.all([...servers, udp].map(one => once(one, 'listening')))
  try {
    const deps = { files: PROC_FILES, elapsedMs: () => performance.now(), isLittleEndian: endianness() === 'LE' }
    const before = await shownBySs()
    const listeners = await new ListenerCollector({
      ...deps,
      namedContainers: async () => [],
      onFault: () => undefined
    }).collect()
    const after = await shownBySs()
    const found = new Set(listeners.map(({ protocol, port, pid }) => `${protocol} ${port} ${pid}`))
    // Others open and close theirs meanwhile.
    const lasting = [...before].filter(one => after.has(one))
    expect(lasting.filter(one => !found.has(one))).toEqual([])
    expect(lasting.filter(one => one.endsWith(` ${process.pid}`)).length).toBeGreaterThanOrEqual(3)
  } finally {
    for (const server of servers) server.close()
    udp.close()
  }
})
