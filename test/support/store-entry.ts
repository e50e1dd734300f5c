import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = '../../dist/src'

function compiled(path: string): string {
  const file = fileURLToPath(new URL(`${SOURCES}/${path}`, import.meta.url))
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`)
  return file
}

/** The bundle of a compiled entry in a run of Jest (test/runner/entries.mjs), which starts faster; the entry itself otherwise. */
function bundled(name: string, path: string): string {
  const folder = process.env['TEST_ENTRIES']
  return folder === undefined ? compiled(path) : join(folder, `${name}.js`)
}

/** Path of the compiled entry of the store process; `npm run build` makes it. */
export function storeEntry(): string {
  return bundled('store-process', 'stores/duckdb/process/main.js')
}

/** Path of the compiled server of the store process's pipe; `npm run build` makes it. */
export function pipeServerModule(): string {
  return compiled('stores/duckdb/process/pipe-server.js')
}

/** Path of the compiled entry of the control database's thread; `npm run build` makes it. */
export function controlEntry(): string {
  return compiled('stores/control/thread/main.js')
}

/** Path of the compiled entry of the threads that evaluate PromQL; `npm run build` makes it. */
export function promqlEntry(): string {
  return bundled('promql-thread', 'query/promql/thread/main.js')
}

/** Path of the compiled entry of the threads that read rule files; `npm run build` makes it. */
export function ruleEntry(): string {
  return bundled('rule-thread', 'alerting/rule-work/thread/main.js')
}

/** Path of the compiled entry of the threads that read InfluxDB; `npm run build` makes it. */
export function influxReadEntry(): string {
  return compiled('stores/influxdb/read/thread/main.js')
}

/** Path of a compiled module of `src/threads`; `npm run build` makes it. */
export function threadsModule(name: 'lower-thread-priority' | 'v8-workers'): string {
  return compiled(`threads/${name}.js`)
}

/** Path of the compiled module that reads the flags of Node; `npm run build` makes it. */
export function nodeFlagsModule(): string {
  return compiled('config/node-flags.js')
}
