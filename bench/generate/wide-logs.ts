import { type Random, seededRandom } from './random.js'
import { rfc3339Writer } from './time.js'

/** Fields with few values, and fields with many numbers. */
const CATEGORIES = 20
const MEASURES = 8
const SERVICES = ['cart', 'checkout', 'orders', 'payments', 'search']
/** Of the logs of a deployment: which are of the new release, and which of those fail. */
const NEW_SHARE = 0.3
const FAILING_SHARE = 0.05

/** Logs of a shop with 30 fields; after a deployment some are of a release that is slow and fails. */
export class WideLogs {
  readonly #random: Random
  readonly #isDeployed: boolean
  readonly #time = rfc3339Writer()
  #made = 0

  constructor(seed: number, isDeployed: boolean) {
    this.#random = seededRandom(seed)
    this.#isDeployed = isDeployed
  }

  /** One log as JSON. */
  next(seconds: number, nanos: number): string {
    const random = this.#random
    const isNew = this.#isDeployed && random.next() < NEW_SHARE
    const fails = isNew && random.next() < FAILING_SHARE
    const order = random.below(1_000_000)
    const fields = [`"release":"${isNew ? 'v2' : 'v1'}"`, `"sequence":${this.#made++}`]
    for (let i = 0; i < CATEGORIES; i++) fields.push(`"category${i}":"value ${random.below(3 + 2 * i)}"`)
    for (let i = 0; i < MEASURES; i++) {
      const slow = i === 0 && isNew ? 3 : 1
      fields.push(`"measure${i}":${Math.round(slow * 100_000 * random.next() ** 3) / 1000}`)
    }
    const message = fails ? `order ${order} failed: no stock` : `order ${order} was paid in ${random.below(500)} ms`
    return (
      `{"timestamp":"${this.#time(seconds, nanos)}","service":"${random.pick(SERVICES)}","host":"h${random.below(20)}",` +
      `"level":"${fails ? 'error' : 'info'}","message":"${message}","log_fields":{${fields.join(',')}}}`
    )
  }
}
