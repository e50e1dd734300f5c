import { parseArgs } from 'node:util'
import { accessFrom, SERVER_NAMES } from '../servers/variables.js'
import { type Fill, openTwoStores, type TwoStores } from './two-stores.js'

/** Queries on one set of records; then follow others. */
const QUERIES_A_SET = 500

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'es8' },
    queries: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' }
  }
})

/**
 * Queries the embedded store and the search store that the command line names (`--server es8 --queries 10000 --seed 1`) the
 * same random queries over the same records. Rejects with the shortest query at the first difference.
 */
export async function requestMany(
  fill: Fill,
  compare: (two: TwoStores, options: { readonly queries: number; readonly seed: number }) => Promise<void>
): Promise<void> {
  const server = SERVER_NAMES.find(name => name === values.server)
  const access = server && accessFrom(process.env, server)
  if (!access) throw new Error(`the environment names no server ${values.server}: see npm run servers`)
  const expected = Number(values.queries)
  for (let requested = 0, seed = Number(values.seed); requested < expected; seed += 10) {
    const two = await openTwoStores(access, fill, { batches: 24, seed })
    try {
      const queries = Math.min(QUERIES_A_SET, expected - requested)
      await compare(two, { queries, seed })
      requested += queries
      process.stdout.write(`${requested} queries with equal results of the embedded store and ${server}, seed ${seed}\n`)
    } finally {
      await two.close()
    }
  }
}
