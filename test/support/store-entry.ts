import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const STORES = '../../dist/src/stores'

function compiled(path: string): string {
  const file = fileURLToPath(new URL(`${STORES}/${path}`, import.meta.url))
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`)
  return file
}

/** Path of the compiled entry of the store process; `npm run build` makes it. */
export function storeEntry(): string {
  return compiled('duckdb/process/main.js')
}

/** Path of the compiled entry of the control database's thread; `npm run build` makes it. */
export function controlEntry(): string {
  return compiled('control/thread/main.js')
}
