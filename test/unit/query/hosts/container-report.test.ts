import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import type { Namespace } from '../../../../src/domain/namespace.js'
import type { HostContainers } from '../../../../src/domain/reported-host.js'
import { ContainerReport } from '../../../../src/query/hosts/container-report.js'

const NOW_MS = 1_000_000_000
const NS = { id: 'a' as NamespaceId } as Namespace

function listOf(name: string): HostContainers {
  const seen = { firstSeenMs: NOW_MS, lastSeenMs: NOW_MS, listenersSeenMs: null, intervalMs: 60_000 }
  const container = { id: 'c0ffee', name: `on ${name}`, image: null, runtime: null, service: null, state: null }
  return { namespaceId: NS.id, id: name, name, ...seen, listed: { atMs: NOW_MS, containers: [container] } }
}

it('reads the lists of few hosts at once', async () => {
  const names = Array.from({ length: 50 }, (_, i) => `host-${i}`)
  const sizes: number[] = []
  const report = new ContainerReport(
    {
      containers: async (_, some) => {
        sizes.push(some.length)
        return some.map(listOf)
      }
    },
    { containers: async () => [] },
    { nowMs: () => NOW_MS }
  )
  const found = await report.of(NS, names, new AbortController().signal)
  expect(sizes).toEqual([20, 20, 10])
  expect(names.map(name => found.get(name)!.map(container => container.name))).toEqual(names.map(name => [`on ${name}`]))
})
