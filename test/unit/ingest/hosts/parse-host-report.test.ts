import { describe, expect, it } from '@jest/globals'
import { isGatewayError } from '../../../../src/domain/errors.js'
import { HOST_LIMITS } from '../../../../src/ingest/hosts/host-limits.js'
import { parseHostReport } from '../../../../src/ingest/hosts/parse-host-report.js'

const LEAST = { name: 'web-1', interval_s: 60 }
const CONTAINER = { id: 'c0ffee', name: 'db' }
const SOCKET = { protocol: 'tcp', address: '::', port: 80 }

function faultOf(body: unknown): readonly [string, string | undefined] {
  try {
    parseHostReport(body, HOST_LIMITS)
  } catch (error) {
    if (isGatewayError(error)) return [error.code, error.field]
    throw error
  }
  throw new Error('it was accepted')
}

describe('the report of a host', () => {
  it('needs a name and an interval', () => {
    expect(parseHostReport(LEAST, HOST_LIMITS)).toEqual({
      ...{ name: 'web-1', intervalMs: 60_000, listeners: null, containers: null },
      machine: { os: null, kernel: null, arch: null, cpuCount: null, memoryBytes: null, bootAtMs: null },
      agent: { version: 'unknown', startedAtMs: null, configHash: null, sources: [] }
    })
  })

  it('has facts, an agent with its sources, and listeners; other members are ignored', () => {
    const machine = {
      os: 'Debian\0 13',
      kernel: '6',
      arch: 'amd64',
      cpu_count: 0,
      memory_bytes: 2 ** 52,
      boot_time: '2026-01-01T00:00:00.5Z'
    }
    const source = { path: '/a', state: 'reading', lag_bytes: 7, inode: 5 }
    const agent = { version: '1', started_at: '2026-01-02T00:00:00Z', config_hash: 'ab', sources: [source, {}] }
    const text = { process: 'p', command: 'c', user: 'u', unit: 'n', container: 'd', service: 's', service_basis: 'port', pid: 9 }
    const body = {
      ...LEAST,
      ...machine,
      agent,
      listeners: [
        { ...SOCKET, ...text },
        { ...SOCKET, service_basis: 'port' }
      ],
      more: []
    }
    const nothing = { pid: null, process: null, command: null, user: null, unit: null, container: null }
    expect(parseHostReport(body, HOST_LIMITS)).toMatchObject({
      machine: { os: 'Debian 13', kernel: '6', cpuCount: 0, memoryBytes: 2 ** 52, bootAtMs: Date.UTC(2026, 0, 1, 0, 0, 0, 500) },
      agent: {
        startedAtMs: Date.UTC(2026, 0, 2),
        sources: [
          { path: '/a', state: 'reading', lagBytes: 7 },
          { path: '', state: 'unknown', lagBytes: null }
        ]
      },
      listeners: [
        { protocol: 'tcp', address: '::', port: 80, process: 'p', service: 's', serviceBasis: 'port', pid: 9 },
        { ...nothing, service: null, serviceBasis: null }
      ]
    })
  })

  it('has containers; other members of them are ignored', () => {
    const full = { ...CONTAINER, image: 'postgres:17', runtime: 'docker', service: 'ledger', state: 'running' }
    const nothing = { image: null, runtime: null, service: null, state: null }
    const hostile = JSON.parse(
      '{"id":"c0ffee","name":"__proto__","image":"","__proto__":{"state":"x"},"constructor":5}'
    ) as unknown
    expect(parseHostReport({ ...LEAST, containers: [full, CONTAINER, hostile] }, HOST_LIMITS).containers).toEqual([
      full,
      { ...CONTAINER, ...nothing },
      { ...CONTAINER, name: '__proto__', ...nothing }
    ])
    expect(parseHostReport({ ...LEAST, containers: [] }, HOST_LIMITS).containers).toEqual([])
  })

  it.each([
    [null, 'invalid_field', undefined],
    [[], 'invalid_field', undefined],
    [{ interval_s: 60 }, 'missing_field', 'name'],
    [{ ...LEAST, name: '\0' }, 'missing_field', 'name'],
    [{ name: 'a' }, 'missing_field', 'interval_s'],
    [{ ...LEAST, name: 7 }, 'invalid_field', 'name'],
    [{ ...LEAST, interval_s: 9 }, 'invalid_field', 'interval_s'],
    [{ ...LEAST, interval_s: 3_601 }, 'invalid_field', 'interval_s'],
    [{ ...LEAST, interval_s: 60.5 }, 'invalid_field', 'interval_s'],
    [{ ...LEAST, cpu_count: -1 }, 'invalid_field', 'cpu_count'],
    [{ ...LEAST, boot_time: 'yesterday' }, 'invalid_field', 'boot_time'],
    [{ ...LEAST, boot_time: 5 }, 'invalid_field', 'boot_time'],
    [{ ...LEAST, agent: [] }, 'invalid_field', 'agent'],
    [{ ...LEAST, agent: { sources: {} } }, 'invalid_field', 'agent.sources'],
    [{ ...LEAST, agent: { sources: [1] } }, 'invalid_field', 'agent.sources[0]'],
    [{ ...LEAST, agent: { sources: [{ lag_bytes: -1 }] } }, 'invalid_field', 'agent.sources[0].lag_bytes'],
    [{ ...LEAST, listeners: {} }, 'invalid_field', 'listeners'],
    [{ ...LEAST, listeners: [null] }, 'invalid_field', 'listeners[0]'],
    [{ ...LEAST, listeners: [SOCKET, { ...SOCKET, port: 0 }] }, 'invalid_field', 'listeners[1].port'],
    [{ ...LEAST, listeners: [{ ...SOCKET, port: 65_536 }] }, 'invalid_field', 'listeners[0].port'],
    [{ ...LEAST, listeners: [{ ...SOCKET, protocol: 'sctp' }] }, 'invalid_field', 'listeners[0].protocol'],
    [{ ...LEAST, listeners: [{ ...SOCKET, address: '<b>' }] }, 'invalid_field', 'listeners[0].address'],
    [{ ...LEAST, listeners: [{ ...SOCKET, address: undefined }] }, 'missing_field', 'listeners[0]'],
    [{ ...LEAST, listeners: [{ ...SOCKET, exe: '/a\n' }] }, 'invalid_field', 'listeners[0].exe'],
    [{ ...LEAST, containers: {} }, 'invalid_field', 'containers'],
    [{ ...LEAST, containers: [null] }, 'invalid_field', 'containers[0]'],
    [{ ...LEAST, containers: [CONTAINER, { id: 'a' }] }, 'missing_field', 'containers[1]'],
    [{ ...LEAST, containers: [{ ...CONTAINER, id: '../a' }] }, 'invalid_field', 'containers[0].id'],
    [{ ...LEAST, containers: [{ ...CONTAINER, id: 'a'.repeat(65) }] }, 'invalid_field', 'containers[0].id'],
    [{ ...LEAST, containers: [{ ...CONTAINER, name: {} }] }, 'invalid_field', 'containers[0].name'],
    [{ ...LEAST, containers: [{ ...CONTAINER, state: 'a\u001b[31m' }] }, 'invalid_field', 'containers[0].state'],
    [{ ...LEAST, listeners: [{ ...SOCKET, service: 's', service_basis: 'x' }] }, 'invalid_field', 'listeners[0].service_basis']
  ])('%j is %s of %s', (body, code, field) => {
    expect(faultOf(body)).toEqual([code, field])
  })

  it('is bounded in every part', () => {
    const longest = { ...LEAST, name: 'n'.repeat(255), os: 'o'.repeat(1_024) }
    const sources = Array.from({ length: HOST_LIMITS.sources }, () => ({ path: 'p'.repeat(256) }))
    const listeners = Array.from({ length: HOST_LIMITS.listeners }, () => ({ ...SOCKET, command: 'c'.repeat(2_048) }))
    const container = { id: 'c'.repeat(64), name: 'n'.repeat(255), image: 'i'.repeat(512), runtime: 'r'.repeat(64) }
    const containers = Array.from({ length: HOST_LIMITS.containers }, () => CONTAINER)
    const whole = { ...longest, agent: { sources }, listeners, containers }
    expect(parseHostReport(whole, HOST_LIMITS).containers).toHaveLength(HOST_LIMITS.containers)
    expect(faultOf({ ...whole, containers: [...containers, CONTAINER] })).toEqual(['invalid_field', 'containers'])
    const bytes = Buffer.byteLength(
      JSON.stringify(parseHostReport({ ...LEAST, containers: [container] }, HOST_LIMITS).containers)
    )
    const bounded = { ...HOST_LIMITS, containerBytes: bytes }
    expect(parseHostReport({ ...whole, containers: [container] }, bounded).containers).toHaveLength(1)
    expect(() => parseHostReport({ ...whole, containers: [{ ...container, service: 'ledger' }] }, bounded)).toThrow(
      `containers must not exceed ${bytes} bytes as JSON (got ${bytes + 4})`
    )
    for (const member of ['name', 'image', 'runtime'] as const)
      expect(faultOf({ ...whole, containers: [{ ...container, [member]: `${container[member]}x` }] })).toEqual([
        'invalid_field',
        `containers[0].${member}`
      ])
    expect(parseHostReport(whole, HOST_LIMITS).listeners).toHaveLength(HOST_LIMITS.listeners)
    expect(faultOf({ ...whole, name: `${longest.name}n` })).toEqual(['invalid_field', 'name'])
    expect(faultOf({ ...whole, os: `${longest.os}o` })).toEqual(['invalid_field', 'os'])
    expect(faultOf({ ...whole, agent: { sources: [...sources, {}] } })).toEqual(['invalid_field', 'agent.sources'])
    expect(faultOf({ ...whole, listeners: [...listeners, SOCKET] })).toEqual(['invalid_field', 'listeners'])
    const long = { ...SOCKET, command: 'c'.repeat(2_049) }
    expect(faultOf({ ...whole, listeners: [long] })).toEqual(['invalid_field', 'listeners[0].command'])
    expect(faultOf({ ...whole, agent: { sources: [{ path: 'p'.repeat(257) }] } })).toEqual([
      'invalid_field',
      'agent.sources[0].path'
    ])
  })
})
