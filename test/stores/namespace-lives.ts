import type { NamespaceId } from '../../src/domain/ids.js'
import { sideBySide } from '../support/side-by-side.js'

/** What happens to one namespace from its first record to its deletion. */
export interface NamespaceLife {
  write(ns: NamespaceId): Promise<void>
  /** Makes visible what was written. */
  settle(ns: NamespaceId): Promise<void>
  /** All that it holds. */
  read(ns: NamespaceId): Promise<unknown>
  expected(ns: NamespaceId): unknown
  /** What `read` gives of an empty one. */
  readonly nothing: unknown
  drop(ns: NamespaceId): Promise<void>
}

/** How many lived, and how long the stages took together. */
export interface ManyReport {
  readonly namespaces: number
  readonly writtenS: number
  readonly readS: number
  readonly deletedS: number
}

async function ofAll(all: readonly NamespaceId[], work: (ns: NamespaceId) => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await sideBySide(all, work)
  return (performance.now() - startedMs) / 1000
}

/** Throws unless both are the same as JSON. */
export function mustEqual(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: ${one}, not ${other}`)
}

/** All namespaces at once: written, then read, then deleted, then read again. Rejects at the first that is not as expected. */
export async function liveMany(
  all: readonly NamespaceId[],
  life: NamespaceLife,
  whileThere: () => Promise<void> = async () => undefined
): Promise<ManyReport> {
  const writtenS = await ofAll(all, async ns => {
    await life.write(ns)
    await life.settle(ns)
  })
  await whileThere()
  const readS = await ofAll(all, async ns => mustEqual(ns, await life.read(ns), life.expected(ns)))
  const deletedS = await ofAll(all, ns => life.drop(ns))
  await ofAll(all, async ns => mustEqual(`${ns}, deleted`, await life.read(ns), life.nothing))
  return { namespaces: all.length, writtenS, readS, deletedS }
}
