import { parseArgs } from 'node:util'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import { KillRun } from './kill-run.js'
import { alertsMany } from './alerts-many.js'
import { rotateMany } from './rotate-many.js'

// npm run crash -- alerts ...: two gateways with alerts (alerts-many.ts).
// npm run crash -- agent ...: the rotation of files that an agent follows (rotate-many.ts).
// npm run crash -- --kills 200 --seed 7: the long form of kill.test.ts; ends with 1 when a promise was broken.
const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

async function killMany(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) } }
  })
  const report = await withTemporaryFolder('alidade-crash', dataDir =>
    new KillRun({ dataDir, kills: Number(values.kills), seed: Number(values.seed), onRound: print }).run()
  )
  const { violations, surprises, audit, ...counts } = report
  print(`seed ${values.seed}: ${JSON.stringify(counts)}, ${audit.files} segments`)
  const orphans = audit.orphans.map(file => `orphan ${file}`)
  const faults = [...violations, ...surprises, ...orphans, ...audit.missing.map(file => `missing ${file}`)]
  for (const fault of faults) print(fault)
  print(faults.length === 0 ? 'every acknowledged record is there once, no orphan file' : 'BROKEN')
  return faults.length === 0
}

const [first, ...rest] = process.argv.slice(2)
const runs: Readonly<Record<string, typeof rotateMany>> = { agent: rotateMany, alerts: alertsMany }
const run = first === undefined ? undefined : runs[first]
const isGood = await (run ? run(rest, print) : killMany(process.argv.slice(2)))
process.exitCode = isGood ? 0 : 1
