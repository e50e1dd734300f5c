import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ControlStore } from '../ports/control-store.js'
import { openSqliteControlStore } from './control/open-sqlite.js'

/** File of the embedded control database below its folder. */
export const CONTROL_FILE = 'control.db'
const PRIVATE_MODE = 0o700

/** Opens the embedded control database; the data folder's lock must be held. */
export async function openEmbeddedControl(folder: string, entry: string | undefined): Promise<ControlStore> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_MODE })
  return openSqliteControlStore({ file: join(folder, CONTROL_FILE), ...(entry === undefined ? {} : { entry }) })
}
