import { parseArgs } from 'node:util'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import { type RotationReport, RotationRun } from './rotation-run.js'

/** `npm run crash -- agent --seed 7 --lines 66667`: the long form of rotation.test.ts; false when a promise was broken. */
export async function rotateMany(args: readonly string[], print: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      seeds: { type: 'string', default: '1' },
      lines: { type: 'string', default: '66667' },
      'agent-kills': { type: 'string', default: '10' },
      'state-losses': { type: 'string', default: '2' },
      'service-kills': { type: 'string', default: '3' },
      keep: { type: 'string' }
    }
  })
  let isGood = true
  for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.seeds); seed++) {
    const kills = {
      agentKills: Number(values['agent-kills']),
      stateLosses: Number(values['state-losses']),
      serviceKills: Number(values['service-kills'])
    }
    const run = (folder: string): Promise<RotationReport> =>
      new RotationRun({ folder, seed, lines: Number(values.lines), ...kills, onEvent: print }).run()
    const report = values.keep === undefined ? await withTemporaryFolder('alidade-rotation', run) : await run(values.keep)
    const { missing, doubled, strange, outOfOrder, gaps, log, ...counts } = report
    const faults = { missing, doubled, strange, outOfOrder, gaps }
    print(`seed ${seed}: ${JSON.stringify(counts)}`)
    for (const [fault, lines] of Object.entries(faults)) {
      if (lines.length === 0) continue
      isGood = false
      print(`${fault}: ${lines.length}`)
      for (const line of lines.slice(0, 60)) print(`  ${line}`)
    }
    if (Object.values(faults).some(lines => lines.length > 0)) print(log)
  }
  print(isGood ? 'every line is there once, in the order of its file' : 'BROKEN')
  return isGood
}
