import { afterAll, beforeAll, describe } from '@jest/globals'
import type { Stores } from '../../src/ports/stores.js'

export { BASE_NS, EVERY_TIME, NEVER, newIngestId, newNamespace } from './fresh-ids.js'

/** Opens the telemetry stores of one engine, empty or not: every test works in namespaces of its own. */
export type OpenStores = () => Promise<{ readonly stores: Stores; close(): Promise<void> }>

/** Opens the stores once for all groups of cases inside the group that calls it. */
export function openedOnce(open: OpenStores): OpenStores {
  let opening: ReturnType<OpenStores> | undefined
  afterAll(async () => {
    await (await opening)?.close()
  })
  return async () => {
    opening ??= open()
    return { stores: (await opening).stores, close: () => Promise.resolve() }
  }
}

/** Opens the stores once for a group of cases; `of()` gives them inside a case. */
export function describeStores(title: string, open: OpenStores, cases: (of: () => Stores) => void): void {
  describe(title, () => {
    let opened: Awaited<ReturnType<OpenStores>> | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(async () => {
      await opened?.close()
    })
    cases(() => {
      if (!opened) throw new Error('the stores did not open')
      return opened.stores
    })
  })
}
