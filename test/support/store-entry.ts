import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SOURCES = '../../dist/src'

function compiled(path: string): string {
  const file = fileURLToPath(new URL(`${SOURCES}/${path}`, import.meta.url))
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`)
  return file
}

/** Path of the compiled entry of the store process; `npm run build` makes it. */
export function storeEntry(): string {
  return compiled('stores/duckdb/process/main.js')
}

/** Path of the compiled entry of the control database's thread; `npm run build` makes it. */
export function controlEntry(): string {
  return compiled('stores/control/thread/main.js')
}

/** Path of the compiled entry of the threads that evaluate PromQL; `npm run build` makes it. */
export function promqlEntry(): string {
  return compiled('query/promql/thread/main.js')
}

/** Path of the compiled entry of the threads that read InfluxDB; `npm run build` makes it. */
export function influxReadEntry(): string {
  return compiled('stores/influxdb/read/thread/main.js')
}

/** Path of a compiled module of `src/threads`; `npm run build` makes it. */
export function threadsModule(name: 'step-back' | 'v8-workers'): string {
  return compiled(`threads/${name}.js`)
}

/** Path of the compiled module that reads the flags of Node; `npm run build` makes it. */
export function nodeFlagsModule(): string {
  return compiled('config/node-flags.js')
}
