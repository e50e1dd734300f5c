import { parseArgs } from 'node:util'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import { seededRandom } from '../../bench/generate/random.js'
import { createPostgresDatabases } from '../support/postgres-databases.js'
import { accessFrom } from '../servers/variables.js'
import { ALERT_FAULTS, AlertKillRun } from './alert-kill-run.js'

/**
 * `npm run crash -- alerts --faults 50 --seed 7`: the long form of alert-gateways.test.ts, on the PostgreSQL of `PG_URL`;
 * false when a promise was broken.
 */
export async function alertsMany(args: readonly string[], print: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      faults: { type: 'string', default: '50' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      rules: { type: 'string', default: '20' },
      pause: { type: 'string', default: '60' }
    }
  })
  const server = accessFrom(process.env, 'postgres')
  if (!server) throw new Error('PG_URL is not set: start a server with npm run servers -- postgres')
  const random = seededRandom(Number(values.seed))
  const faults = Array.from({ length: Number(values.faults) }, () => ALERT_FAULTS[random.below(ALERT_FAULTS.length)]!)
  const databases = await createPostgresDatabases(server.url)
  try {
    const databaseUrl = await databases.bare()
    const report = await withTemporaryFolder('alidade-alerts', folder => {
      const options = { folder, databaseUrl, rules: Number(values.rules), seed: Number(values.seed), faults, onEvent: print }
      return new AlertKillRun({ ...options, pauseMs: Number(values.pause) * 1_000 }).run()
    })
    const { faults: found, ...counts } = report
    print(`seed ${values.seed}: ${JSON.stringify(counts)}`)
    for (const fault of found) print(fault)
    print(found.length === 0 ? 'every step is there once, every message arrived with one body' : 'BROKEN')
    return found.length === 0
  } finally {
    await databases.drop()
  }
}
