import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { entryFile } from '../../src/threads/entry-file.js'

const SOURCES = '../../dist/src'

function compiled(path: string): string {
  const file = fileURLToPath(new URL(`${SOURCES}/${path}`, import.meta.url))
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`)
  return file
}

/** Path of the compiled entry of the store process; `npm run build` makes it. */
export function storeEntry(): string {
  return entryFile('store-process')
}

/** Path of the compiled server of the store process's pipe; `npm run build` makes it. */
export function pipeServerModule(): string {
  return compiled('stores/duckdb/process/pipe-server.js')
}

/** Path of the compiled entry of the control database's thread; `npm run build` makes it. */
export function controlEntry(): string {
  return entryFile('control-thread')
}

/** Path of the compiled entry of the threads that evaluate PromQL; `npm run build` makes it. */
export function promqlEntry(): string {
  return entryFile('promql-thread')
}

/** Path of the compiled entry of the threads that read rule files; `npm run build` makes it. */
export function ruleEntry(): string {
  return entryFile('rule-thread')
}

/** Path of the compiled entry of the threads that read InfluxDB; `npm run build` makes it. */
export function influxReadEntry(): string {
  return entryFile('influxdb-thread')
}

/** Path of a compiled module of `src/threads`; `npm run build` makes it. */
export function threadsModule(name: 'lower-thread-priority' | 'v8-workers'): string {
  return compiled(`threads/${name}.js`)
}

/** Path of the compiled module that reads the flags of Node; `npm run build` makes it. */
export function nodeFlagsModule(): string {
  return compiled('config/node-flags.js')
}
