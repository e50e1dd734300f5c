import type { VitalName } from '../src/domain/rum-event.js'
import type { WindowBounds } from '../src/query/answer.js'
import type { RumConditions } from '../src/query/conditions.js'
import type { VitalsAnswer, VitalsQuery, VitalSummary } from '../src/query/rum-answer.js'
import { Distinct, OneTurn } from './one-turn.js'

interface RumWants {
  /** Null: all of them. */
  vitals: Distinct<VitalName> | null
  readonly percentiles: Distinct<number>
}

/** What stands behind `rum`: the question, and one request for everything that looks at all events together. */
export class RumSource {
  readonly question: WindowBounds & { readonly conditions: RumConditions }
  readonly #turn: OneTurn<RumWants, VitalsAnswer>

  constructor(
    question: WindowBounds & { readonly conditions: RumConditions },
    ask: (query: VitalsQuery) => Promise<VitalsAnswer>
  ) {
    this.question = question
    this.#turn = new OneTurn(
      (): RumWants => ({ vitals: new Distinct(), percentiles: new Distinct() }),
      async ({ vitals, percentiles }) => ask({ ...question, vitals: vitals?.values, percentiles: percentiles.values })
    )
  }

  /** Window, counts and facts over all events. */
  async overall(): Promise<VitalsAnswer> {
    return this.#turn.want(() => undefined)
  }

  /** All vitals, and the place of the percentile in them. */
  async vitals(percentile: number): Promise<{ readonly vitals: readonly VitalSummary[]; readonly at: number }> {
    let at = 0
    const answer = await this.#turn.want(wants => {
      wants.vitals = null
      at = wants.percentiles.place(percentile)
    })
    return { vitals: answer.groups[0]?.vitals ?? [], at }
  }

  /** One vital, and the place of the percentile in it. */
  async vital(name: VitalName, percentile: number): Promise<{ readonly vital: VitalSummary | undefined; readonly at: number }> {
    let at = 0
    const answer = await this.#turn.want(wants => {
      wants.vitals?.place(name)
      at = wants.percentiles.place(percentile)
    })
    return { vital: answer.groups[0]?.vitals.find(({ vital }) => vital === name), at }
  }
}
