import { parseArgs } from 'node:util'
import { accessFrom, SERVER_NAMES } from '../servers/variables.js'
import { compareAnswers, fillLogs } from './compare-logs.js'
import { openTwoStores } from './two-stores.js'

// `npm run differential:logs -- --server es8 --questions 10000 --seed 1`: random questions to the embedded store and a search
// store with the same records. Exits with 1 and the shortest question at the first difference.

/** Questions to one set of records; then come others. */
const QUESTIONS_A_SET = 500

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'es8' },
    questions: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' }
  }
})

const server = SERVER_NAMES.find(name => name === values.server)
const access = server && accessFrom(process.env, server)
if (!access) throw new Error(`the environment names no server ${values.server}: see npm run servers`)

const wanted = Number(values.questions)
for (let asked = 0, seed = Number(values.seed); asked < wanted; seed += 10) {
  const two = await openTwoStores(access, fillLogs, { batches: 24, seed })
  try {
    const questions = Math.min(QUESTIONS_A_SET, wanted - asked)
    const [one, other] = two.stores
    await compareAnswers([one.logs, other.logs], two.ns, { questions, seed })
    asked += questions
    process.stdout.write(`${asked} questions answered alike by the embedded store and ${server}, seed ${seed}\n`)
  } finally {
    await two.close()
  }
}
