import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// Bundles the programs of the service into dist/bin, one file each (docs/adr/0068): what `tsc` wrote to dist has 1,500
// modules, and loading them was half of a start.
const DIST = fileURLToPath(new URL('../dist/', import.meta.url))

/** The programs, by the names of their bundles; src/threads/entry-file.ts has those that the service starts itself. */
const PROGRAMS = {
  main: 'src/main.js',
  admin: 'src/admin.js',
  rules: 'src/rules.js',
  'store-process': 'src/stores/duckdb/process/main.js',
  'control-thread': 'src/stores/control/thread/main.js',
  'influxdb-thread': 'src/stores/influxdb/read/thread/main.js',
  'promql-thread': 'src/query/promql/thread/main.js',
  'rule-thread': 'src/alerting/rule-work/thread/main.js'
}

/** Packages that stay in node_modules: those with a compiled part, those that read files next to their own, and optional ones. */
const EXTERNAL = ['@duckdb/node-bindings', 'libsql', '@grpc/grpc-js', 'pg', 'pino', 'class-validator']

await build({
  entryPoints: Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, DIST + file])),
  outdir: `${DIST}bin`,
  ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', external: EXTERNAL },
  // CommonJS packages in a bundle require modules of Node.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: 'warning'
})
