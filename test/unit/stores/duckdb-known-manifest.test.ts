import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { KnownManifest, type Listed } from '../../../src/stores/duckdb/segments/known-manifest.js'

const NS = 'a' as NamespaceId

function listed(current: string): Listed {
  return { current, waiting: [], segments: [] }
}

/** A connection of which only the outcome of COMMIT matters. */
function connection(commit: () => Promise<void> = async () => undefined): DuckDBConnection {
  return { run: async (sql: string) => (sql === 'COMMIT' ? commit() : undefined) } as unknown as DuckDBConnection
}

it('reads what is listed once until it changes, apart by kind and namespace', async () => {
  const manifest = new KnownManifest()
  const reads: string[] = []
  const of = async (kind: 'logs' | 'spans', ns: NamespaceId) =>
    manifest.of(kind, ns, async () => (reads.push(`${kind} ${ns}`), listed('one')))
  for (let i = 0; i < 2; i++) {
    await of('logs', NS)
    await of('spans', NS)
    await of('logs', 'b' as NamespaceId)
  }
  expect(reads).toEqual(['logs a', 'spans a', 'logs b'])
  await manifest.change(connection(), async () => undefined)
  await of('logs', NS)
  expect(reads.slice(3)).toEqual(['logs a'])
})

it('keeps nothing that was read while a change was on its way', async () => {
  const manifest = new KnownManifest()
  const before = await manifest.of('logs', NS, async () => {
    await manifest.change(connection(), async () => undefined)
    return listed('before')
  })
  expect(before.current).toBe('before')
  expect((await manifest.of('logs', NS, async () => listed('after'))).current).toBe('after')
})

it('reads again after a change that failed: it may have been committed', async () => {
  const manifest = new KnownManifest()
  await manifest.of('logs', NS, async () => listed('before'))
  const failed = manifest.change(
    connection(() => Promise.reject(new Error('IO Error'))),
    async () => undefined
  )
  await expect(failed).rejects.toThrow('IO Error')
  expect((await manifest.of('logs', NS, async () => listed('after'))).current).toBe('after')
})
