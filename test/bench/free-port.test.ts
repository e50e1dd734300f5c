import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { platform } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { freePort } from '../../bench/service/free-port.js'

const onLinux = platform() === 'linux' ? it : it.skip

describe('a free port', () => {
  it('is not given again soon', async () => {
    const ports = new Set<number>()
    while (ports.size < 100) {
      const port = await freePort()
      expect(ports).not.toContain(port)
      ports.add(port)
    }
  })

  it('is not one that a program listens on, even after all others', async () => {
    const port = await freePort()
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    for (let i = 0; i < 1_000; i++) await expect(freePort()).resolves.not.toBe(port)
    server.close()
    await once(server, 'close')
  })

  onLinux('is not one that the system gives to an outgoing connection', async () => {
    const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
    await expect(freePort()).resolves.toBeLessThan(Number(range.split('\t')[0]))
  })
})
