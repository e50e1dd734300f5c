/** Sends InfluxDB and the embedded engine the same random queries: `npm run differential:metrics -- [queries] [seed]`. */
import { openTestStores } from '../support/duckdb-fixture.js'
import { openInfluxSite } from '../support/influx-fixture.js'
import { accessFrom } from '../servers/variables.js'
import { openTempFolder } from '../support/temp-folder.js'
import { type MetricTally, metricRound } from './metric-rounds.js'

const BASE_NS = BigInt(Math.floor(Date.now() / 1000) - 3_600) * 1_000_000_000n
const [queries = '10000', firstSeed = '1'] = process.argv.slice(2)

const access = accessFrom(process.env, 'influx')
if (!access) throw new Error('INFLUX_URL, INFLUX_TOKEN and INFLUX_ORG must name a server')
const folder = await openTempFolder()
const embedded = await openTestStores(folder.path)
const site = await openInfluxSite(access)
try {
  const places = [await site.open(), await site.open({ limits: { maxDedicated: 0 } })]
  const tally: MetricTally = { queries: 0, appends: 0, deletions: 0, differences: [] }
  for (let seed = Number(firstSeed); tally.queries < Number(queries) && tally.differences.length === 0; seed++) {
    await metricRound(seed, BASE_NS, [embedded.metrics, places[seed % 2]!.metrics], tally)
  }
  const { differences, ...counts } = tally
  process.stdout.write(`${JSON.stringify(counts)}\n${differences.length} differences\n`)
  for (const difference of differences) process.stdout.write(`${JSON.stringify(difference, null, 2)}\n`)
  process.exitCode = differences.length > 0 ? 1 : 0
} finally {
  await site.close()
  await embedded.close()
  await folder.remove()
}
