import { parseArgs } from 'node:util'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import { RECIPES } from '../servers/recipes.js'
import { RunningServer } from '../servers/running-server.js'
import { openManagedSite } from './managed-site.js'
import { type RotationReport, RotationRun } from './rotation-run.js'
import { openEmbeddedSite, type OpenRotationSite } from './rotation-site.js'

type Run = (folder: string) => Promise<RotationReport>

/** Runs on servers of its own, with two gateways; else on one embedded service. */
async function withSite<Result>(isManaged: boolean, run: (open: OpenRotationSite) => Promise<Result>): Promise<Result> {
  if (!isManaged) return run(openEmbeddedSite)
  const servers = await Promise.all([RunningServer.start(RECIPES.postgres), RunningServer.start(RECIPES.es8)])
  try {
    const [database, search] = servers
    return await run(openManagedSite({ databaseUrl: database.access.url, elasticsearchUrl: search.access.url }))
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
}

/**
 * `npm run crash -- agent --seed 7 --lines 66667`: the long form of rotation.test.ts; `--managed`: two gateways on PostgreSQL
 * and Elasticsearch. False when a promise was broken.
 */
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
      managed: { type: 'boolean', default: false },
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
    const lines = Number(values.lines)
    const run: Run = folder =>
      withSite(values.managed, open => new RotationRun({ folder, open, seed, lines, ...kills, onEvent: print }).run())
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
