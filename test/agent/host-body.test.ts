import { describe, expect, it } from '@jest/globals'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { agentFacts } from '../../agent/src/host/agent-facts.js'
import { hostBody } from '../../agent/src/host/host-body.js'
import { hostFacts, parseOsName } from '../../agent/src/host/host-facts.js'
import type { Listener } from '../../agent/src/listeners/listener.js'

const config = parseConfig('agent:\n  api_key: k\n  host: web-1\n  namespace: prod\n')
const LISTENER: Listener = {
  ...{ protocol: 'tcp', address: '0.0.0.0', port: 80, pid: 7, process: 'nginx', command: 'nginx -g', user: 'root' },
  ...{ exe: '/usr/sbin/nginx', unit: null, container: null, service: 'nginx', serviceBasis: 'process' }
}
const CONTAINER = { id: 'c0ffee', name: 'db', image: 'postgres:17', runtime: 'docker', service: null, state: 'running' }
const host = { os: 'Debian', kernel: '6', arch: 'amd64', cpuCount: 2, memoryBytes: 5, bootAtMs: 1_000 }
const agent = { version: '1', startedAtMs: 2_000, configHash: 'ab' }
const MIB = 1024 * 1024

function sent(listeners: readonly Listener[] | null, maxBytes = MIB, containers: readonly (typeof CONTAINER)[] | null = null) {
  const sources = [{ path: `/${'p'.repeat(300)}`, state: 'reading', lagBytes: 3 }]
  return JSON.parse(hostBody({ host, agent, sources, listeners, containers }, config, maxBytes)) as Record<string, unknown> & {
    readonly listeners: readonly Record<string, unknown>[]
    readonly containers: readonly unknown[]
    readonly agent: { readonly sources: readonly Record<string, unknown>[] }
  }
}

describe('the report of a host', () => {
  it('states the machine, the agent and its sources, listeners and containers', () => {
    expect(sent([LISTENER], MIB, [CONTAINER])).toEqual({
      ...{ namespace: 'prod', name: 'web-1', interval_s: 60, os: 'Debian', kernel: '6', arch: 'amd64', cpu_count: 2 },
      ...{ memory_bytes: 5, boot_time: '1970-01-01T00:00:01.000Z' },
      agent: {
        ...{ version: '1', started_at: '1970-01-01T00:00:02.000Z', config_hash: 'ab' },
        sources: [{ path: `/${'p'.repeat(255)}`, state: 'reading', lag_bytes: 3 }]
      },
      listeners: [
        {
          ...{ protocol: 'tcp', address: '0.0.0.0', port: 80, pid: 7, process: 'nginx', command: 'nginx -g', user: 'root' },
          ...{ exe: '/usr/sbin/nginx', unit: null, container: null, service: 'nginx', service_basis: 'process' }
        }
      ],
      containers: [CONTAINER]
    })
    expect([sent(null).listeners, sent(null).containers]).toEqual([null, null])
  })

  it('is made smaller until it fits', () => {
    const many = Array.from({ length: 1_000 }, () => ({ ...LISTENER, command: 'c'.repeat(1_024) }))
    const short = sent(many)
    expect([short.listeners.length, short.listeners[0]!['command'], short.agent.sources.length]).toEqual([
      1_000,
      'c'.repeat(256),
      1
    ])
    expect([short.listeners[0]!['exe'], short.containers]).toEqual(['/usr/sbin/nginx', null])
    const containers = Array.from({ length: 500 }, () => CONTAINER)
    const bare = sent(many, 300 * 1024, containers)
    expect([bare.listeners.length, bare.listeners[0]!['command'], bare.agent.sources.length]).toEqual([1_000, null, 0])
    expect([bare.listeners[0]!['exe'], bare.containers.length]).toEqual([null, 100])
    expect(sent(many, 1_000).listeners).toHaveLength(100)
  })
})

describe('facts', () => {
  it('of the system are read from os-release', () => {
    expect(parseOsName('NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n')).toBe('Debian GNU/Linux 13 (trixie)')
    expect(parseOsName("PRETTY_NAME='Alpine'")).toBe('Alpine')
    expect(parseOsName('PRETTY_NAME=Arch')).toBe('Arch')
    expect(parseOsName('NAME=Arch')).toBeNull()
  })

  it('of a machine that hides them are null', () => {
    expect(hostFacts(() => '')).toMatchObject({ os: null, bootAtMs: null, cpuCount: expect.any(Number) })
    expect(hostFacts(() => 'cpu 1\nbtime 1700000000\n').bootAtMs).toBe(1_700_000_000_000)
  })

  it('of the agent have a hash of the configuration without the key', () => {
    const other = parseConfig('agent:\n  api_key: other\n  host: web-1\n  namespace: prod\n')
    const changed = parseConfig('agent:\n  api_key: k\n  host: web-2\n  namespace: prod\n')
    const [one, same, different] = [config, other, changed].map(each => agentFacts(each, 5).configHash)
    expect([one === same, one === different]).toEqual([true, false])
    expect(agentFacts(config, 5)).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), startedAtMs: 5 })
  })
})
