import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))
/** Compiled entries of processes and threads that most tests start, by the name of the bundle. */
const ENTRIES = {
  'store-process': join(DIST, 'src/stores/duckdb/process/main.js'),
  'promql-thread': join(DIST, 'src/query/promql/thread/main.js'),
  'rule-thread': join(DIST, 'src/alerting/rule-work/thread/main.js')
}
/** Packages with a compiled part, which stays where it is. */
const NATIVE = ['@duckdb/node-bindings']

/** Two runs of tests in one checkout may write the same file, while a third reads it. */
function writeWhole(path, content) {
  const part = `${path}.${process.pid}`
  writeFileSync(part, content)
  renameSync(part, path)
}

/**
 * Bundles the compiled entries into one file each and puts the folder into the environment of the run (`TEST_ENTRIES`), where
 * `test/support/store-entry.ts` finds it. The store process has 382 modules; loading them is two thirds of its start, which
 * the tests do some thousand times. Without compiled sources, as in a run of unit tests, there is nothing to bundle.
 */
export async function bundleEntries() {
  if (!Object.values(ENTRIES).every(entry => existsSync(entry))) return
  const folder = join(DIST, 'test-entries')
  const { outputFiles } = await build({
    entryPoints: ENTRIES,
    outdir: folder,
    ...{ bundle: true, write: false, platform: 'node', format: 'esm', target: 'node20', external: NATIVE },
    // CommonJS packages in the bundle require modules of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }
  })
  mkdirSync(folder, { recursive: true })
  for (const { path, contents } of outputFiles) writeWhole(path, contents)
  process.env.TEST_ENTRIES = folder
}
