import type { ControlStore } from '../../ports/control-store.js'

/** Opens (and migrates) the embedded control database. Only one process may have it open: hold the data folder's lock. */
export function openSqliteControlStore(_options: { readonly file: string }): Promise<ControlStore> {
  throw new Error('unbuilt')
}
