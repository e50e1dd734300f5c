// A later version of the embedded engine, as far as its columns go: the compiled engine of this version with one more step of
// its format, or several. Does what its parent says to a folder and prints what the folder then holds, as JSON.
import { DEFAULT_DUCKDB_LIMITS } from '../../dist/src/stores/duckdb/limits.js'
import { StoreEngine } from '../../dist/src/stores/duckdb/process/engine.js'
import { Params } from '../../dist/src/stores/duckdb/read/params.js'
import { allRowsSql } from '../../dist/src/stores/duckdb/read/source.js'
import { runStatement } from '../../dist/src/stores/duckdb/read/statement.js'
import { TableLayout } from '../../dist/src/stores/duckdb/table-layout.js'
import { FORMAT_STEPS, TABLES } from '../../dist/src/stores/duckdb/tables.js'
import { packAppend, unpackAppend } from '../../dist/src/stores/duckdb/wire/packed-append.js'

const { dataDir, steps, changes, failPoint, limits, ns, actions } = JSON.parse(process.argv[2])
const { signal } = new AbortController()
const EVER = { startNs: -(2n ** 62n), endNs: 2n ** 62n }

// Columns of this version with the changes of the later one: null takes a column away.
const tables = Object.fromEntries(
  Object.entries(TABLES).map(([kind, columns]) => {
    const later = { ...columns, ...changes[kind] }
    return [kind, Object.fromEntries(Object.entries(later).filter(([, type]) => type !== null))]
  })
)
const layout = new TableLayout(tables, [
  ...FORMAT_STEPS,
  ...steps.map((columns, i) => ({ format: FORMAT_STEPS.at(-1).format + i + 1, columns }))
])

function plain(_name, value) {
  return typeof value === 'bigint' ? String(value) : Number.isNaN(value) ? 'NaN' : value
}

async function rowsOf(engine, kind) {
  return engine.snapshots.withSnapshot(kind, ns, EVER, { heavy: false, signal }, async (snapshot, range) => {
    const scope = { snapshot, kind, ns, range, signal }
    const params = new Params()
    const names = layout.names(kind)
    const order = names.map(name => `"${name}"`).join(', ')
    return runStatement(scope, `SELECT ${order} FROM ${allRowsSql(scope, params)} ORDER BY ${order}`, params)
  })
}

async function append(engine, { kind, ingestId, rows, columns }) {
  const typed = Object.fromEntries(
    Object.entries(columns).map(([name, values]) => {
      const type = tables[kind][name]
      if (type === 'BIGINT') return [name, BigInt64Array.from(values, BigInt)]
      if (type === 'INTEGER') return [name, Int32Array.from(values)]
      return [name, { shared: Buffer.from(values) }]
    })
  )
  const packed = packAppend({ kind, ns, ingestId, rows, columns: typed }, layout.format)
  const payload = Buffer.alloc(packed.bytes)
  packed.write(payload, 0)
  await engine.append(unpackAppend(payload, layout), payload)
}

const engine = await StoreEngine.open({
  layout,
  dataDir,
  limits: { ...DEFAULT_DUCKDB_LIMITS, ...limits },
  lockWaitMs: 5_000,
  failPoint: failPoint ?? null,
  nowMs: () => Date.now(),
  onTrouble: (message, error) => process.stderr.write(`${message}: ${error}\n`),
  onGaps: () => undefined,
  onJob: () => undefined
})
const output = { detail: engine.detail, rows: {} }
for (const action of actions) {
  if (action === 'seal') await engine.sealAll()
  else if (action === 'upkeep') await engine.upkeep()
  else if (action === 'dump') for (const kind of Object.keys(tables)) output.rows[kind] = await rowsOf(engine, kind)
  else if (action === 'end') process.kill(process.pid, 'SIGKILL')
  else await append(engine, action)
}
await engine.close()
process.stdout.write(JSON.stringify(output, plain))
