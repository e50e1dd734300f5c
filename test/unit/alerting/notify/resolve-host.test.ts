import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { AllowedTargets } from '../../../../src/alerting/notify/target/allowed-targets.js'
import { HostResolver, MAX_SYSTEM_LOOKUPS } from '../../../../src/alerting/notify/target/resolve-host.js'
import { TargetClient } from '../../../../src/alerting/notify/target/target-client.js'
import { ManualTime } from '../../../support/manual-time.js'
import { type NameServer, openNameServer } from '../../../support/name-server.js'

let names: NameServer
let looked: string[]
let endLookups: ((addresses: readonly string[]) => void)[]
let onLookup: () => void
const NEVER = new AbortController().signal

beforeEach(async () => {
  names = await openNameServer()
  looked = []
  endLookups = []
  onLookup = () => undefined
})
afterEach(() => names.close())

function resolverOf(allow: readonly string[] = []): HostResolver {
  return new HostResolver({
    allowed: new AllowedTargets(allow),
    servers: [names.address],
    systemLookup: host => {
      looked.push(host)
      queueMicrotask(onLookup)
      return new Promise(resolve => endLookups.push(resolve))
    }
  })
}

/** Resolves when so many lookups of the system have begun. */
async function lookups(count: number): Promise<readonly string[]> {
  while (looked.length < count) await new Promise<void>(resolve => (onLookup = resolve))
  return looked
}

describe('names of targets', () => {
  it('are resolved by DNS, to the addresses of both families', async () => {
    names.plan('hooks.example', ['192.0.2.1', '2001:db8::1', '192.0.2.2'])
    expect(await resolverOf().resolve('hooks.example', NEVER)).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    expect([...names.queries].sort()).toEqual(['A hooks.example', 'AAAA hooks.example'])
    expect(looked).toEqual([])
  })

  it('of one family have the addresses of that one', async () => {
    names.plan('six.example', ['2001:db8::1'])
    expect(await resolverOf().resolve('six.example', NEVER)).toEqual(['2001:db8::1'])
  })

  it('that do not exist, or whose name server fails, have codes of their own', async () => {
    names.plan('failing.example', 'failure')
    const failure = (host: string) => resolverOf().resolve(host, NEVER)
    await expect(failure('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(failure('failing.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  })

  it('stop being resolved when their attempt ends', async () => {
    names.plan('slow.example', 'silent')
    const stop = new AbortController()
    const resolved = resolverOf().resolve('slow.example', stop.signal)
    await names.arrived(0)
    stop.abort()
    await expect(resolved).rejects.toMatchObject({ code: 'EAI_AGAIN' })
    await expect(resolverOf().resolve('slow.example', stop.signal)).rejects.toThrow()
  })

  it('are read from neither /etc/hosts nor search domains unless the operator allows them', async () => {
    const resolver = resolverOf(['alertmanager.internal', '10.0.0.0/8'])
    names.plan('other.internal', ['10.0.0.2'])
    const first = resolver.resolve('AlertManager.internal.', NEVER)
    expect(await lookups(1)).toEqual(['AlertManager.internal.'])
    endLookups[0]!(['10.0.0.1'])
    expect(await first).toEqual(['10.0.0.1'])
    expect(await resolver.resolve('other.internal', NEVER)).toEqual(['10.0.0.2'])
    const local = resolver.resolve('localhost', NEVER)
    expect(await lookups(2)).toEqual(['AlertManager.internal.', 'localhost'])
    endLookups[1]!(['127.0.0.1'])
    expect(await local).toEqual(['127.0.0.1'])
  })

  it('of the operator share a lookup, and few lookups are in progress', async () => {
    const hosts = Array.from({ length: MAX_SYSTEM_LOOKUPS + 1 }, (_, i) => `h${i}.internal`)
    const resolver = resolverOf(hosts)
    const twice = [...hosts, ...hosts].map(host => resolver.resolve(host, NEVER))
    expect(await lookups(MAX_SYSTEM_LOOKUPS)).toEqual(hosts.slice(0, MAX_SYSTEM_LOOKUPS))
    endLookups[0]!(['10.0.0.1'])
    expect(await lookups(hosts.length)).toEqual(hosts)
    for (const end of endLookups.slice(1)) end(['10.0.0.1'])
    expect(await Promise.all(twice)).toEqual(twice.map(() => ['10.0.0.1']))
    expect(looked).toEqual(hosts)
  })
})

it('a name whose second resolution is an internal address is not reached by it', async () => {
  names.plan('rebound.example', ['127.0.0.1'], ['127.0.0.2'])
  const resolver = resolverOf()
  const time = new ManualTime()
  const client = new TargetClient({
    ...{ allowed: new AllowedTargets(['127.0.0.1']), clock: time, timers: time, userAgent: 'x' },
    resolve: (host, signal) => resolver.resolve(host, signal)
  })
  const post = async (): Promise<string | null> =>
    (await client.post({ url: 'http://rebound.example:1/', headers: {}, body: Buffer.from('') })).reason
  expect(await post()).toBe('connection refused')
  expect(await post()).toBe('the host has an address that is not public; the operator can allow it with webhook_allow')
})
