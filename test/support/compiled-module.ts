import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SOURCES = '../../dist/src'

function compiled(path: string): string {
  const file = fileURLToPath(new URL(`${SOURCES}/${path}`, import.meta.url))
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`)
  return file
}

/** Path of the compiled server of the store process's pipe; `npm run build` makes it. */
export function pipeServerModule(): string {
  return compiled('stores/duckdb/process/pipe-server.js')
}

/** Path of a compiled module of `src/threads`; `npm run build` makes it. */
export function threadsModule(name: 'lower-thread-priority' | 'v8-workers'): string {
  return compiled(`threads/${name}.js`)
}

/** Path of the compiled module that reads the flags of Node; `npm run build` makes it. */
export function nodeFlagsModule(): string {
  return compiled('config/node-flags.js')
}
