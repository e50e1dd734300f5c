import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A process or a thread that the service starts. */
export type Entry = 'store-process' | 'control-thread' | 'influxdb-thread' | 'promql-thread' | 'rule-thread'

/** Where `npm run build` puts the bundles, seen from a bundle, from dist/src/threads and from src/threads. */
const FOLDERS = ['./', '../../bin/', '../../dist/bin/']

/** Path of the bundle of an entry (build/bundle.mjs). Throws if it was not built. */
export function entryFile(entry: Entry): string {
  const places = FOLDERS.map(folder => fileURLToPath(new URL(`${folder}${entry}.js`, import.meta.url)))
  const file = places.find(place => existsSync(place))
  if (file === undefined) throw new Error(`dist/bin/${entry}.js is missing: run npm run build`)
  return file
}
