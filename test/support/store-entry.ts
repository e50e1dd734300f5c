import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ENTRY = new URL('../../dist/src/stores/duckdb/process/main.js', import.meta.url)

/** Path of the compiled entry of the store process; `npm run build` makes it. */
export function storeEntry(): string {
  const path = fileURLToPath(ENTRY)
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build first`)
  return path
}
