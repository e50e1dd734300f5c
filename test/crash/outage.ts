import { parseArgs } from 'node:util'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import { OutageRun } from './outage-run.js'

// npm run outage -- --seconds 60 --rate 5000 --store es8: the long form of outage.test.ts on a server of its own; ends with 1
// when a promise was broken. Both stores, one after the other, without --store.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '5000' },
    store: { type: 'string' }
  }
})

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

let isGood = true
for (const store of ['es8', 'influx'] as const) {
  if (values.store !== undefined && values.store !== store) continue
  const options = { store, outageMs: Number(values.seconds) * 1000, rate: Number(values.rate) }
  const report = await withTemporaryFolder('alidade-outage', dataDir =>
    new OutageRun({ dataDir, ...options, onLine: line => print(`${store}: ${line}`) }).run()
  )
  print(`${store}: ${JSON.stringify(report)}`)
  const isKept = report.lost + report.doubled + report.surprises.length === 0 && report.drainMs <= 2 * report.outageMs
  print(isKept ? `${store}: nothing lost, nothing doubled, drained within twice the outage` : `${store}: BROKEN`)
  isGood &&= isKept
}
process.exitCode = isGood ? 0 : 1
