import SharedEnvironment from '../runner/environment.mjs'

const NEEDED = ['PG_URL', 'INFLUX_URL', `${(process.env.ALIDADE_TEST_SEARCH ?? 'es8').toUpperCase()}_URL`]

function skipAll(block) {
  block.mode = 'skip'
  for (const child of block.children) {
    if (child.type === 'describeBlock') skipAll(child)
    else child.mode = 'skip'
  }
}

/**
 * The managed profile: services of the tests keep their data in real servers (`service-profile.ts`). Without those every
 * test is skipped and counted as such; with REQUIRE_STORES=1 the missing one is an error of the first service.
 */
export default class ManagedEnvironment extends SharedEnvironment {
  #isPossible = process.env.REQUIRE_STORES === '1' || NEEDED.every(name => process.env[name])

  async setup() {
    await super.setup()
    process.env.ALIDADE_TEST_PROFILE = 'managed'
  }

  async handleTestEvent(event, state) {
    if (event.name === 'run_start' && !this.#isPossible) skipAll(state.rootDescribeBlock)
    await super.handleTestEvent(event)
  }
}
