import { parseArgs } from 'node:util'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import { KillRun } from './kill-run.js'

// npm run crash -- --kills 200 --seed 7: the long form of kill.test.ts; ends with 1 when a promise was broken.
const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) } }
})

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const report = await withTemporaryFolder('alidade-crash', dataDir =>
  new KillRun({ dataDir, kills: Number(values.kills), seed: Number(values.seed), onRound: print }).run()
)
const { violations, surprises, audit, ...counts } = report
print(`seed ${values.seed}: ${JSON.stringify(counts)}, ${audit.files} segments`)
for (const text of [
  ...violations,
  ...surprises,
  ...audit.orphans.map(f => `orphan ${f}`),
  ...audit.missing.map(f => `missing ${f}`)
]) {
  print(text)
}
const isGood = violations.length + surprises.length + audit.orphans.length + audit.missing.length === 0
print(isGood ? 'every acknowledged record is there once, no orphan file' : 'BROKEN')
process.exitCode = isGood ? 0 : 1
