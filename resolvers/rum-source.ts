import type { VitalName } from '../src/domain/records/rum.js'
import type { WindowBounds } from '../src/query/result.js'
import type { RumConditions } from '../src/query/conditions.js'
import type { VitalsResult, VitalsQuery, VitalSummary } from '../src/query/rum-result.js'
import { Distinct, FieldBatch } from './field-batch.js'

interface RumSelection {
  /** Null: all of them. */
  vitals: Distinct<VitalName> | null
  readonly percentiles: Distinct<number>
}

/** Source of `rum`: the query, and one request for all fields that cover all events. */
export class RumSource {
  readonly query: WindowBounds & { readonly conditions: RumConditions }
  readonly #batch: FieldBatch<RumSelection, VitalsResult>

  constructor(query: WindowBounds & { readonly conditions: RumConditions }, load: (query: VitalsQuery) => Promise<VitalsResult>) {
    this.query = query
    this.#batch = new FieldBatch(
      (): RumSelection => ({ vitals: new Distinct(), percentiles: new Distinct() }),
      async ({ vitals, percentiles }) => load({ ...query, vitals: vitals?.values, percentiles: percentiles.values })
    )
  }

  /** Window, counts and facts over all events. */
  async overall(): Promise<VitalsResult> {
    return this.#batch.select(() => undefined)
  }

  /** All vitals, and the place of the percentile in them. */
  async vitals(percentile: number): Promise<{ readonly vitals: readonly VitalSummary[]; readonly at: number }> {
    let at = 0
    const result = await this.#batch.select(selection => {
      selection.vitals = null
      at = selection.percentiles.place(percentile)
    })
    return { vitals: result.groups[0]?.vitals ?? [], at }
  }

  /** One vital, and the place of the percentile in it. */
  async vital(name: VitalName, percentile: number): Promise<{ readonly vital: VitalSummary | undefined; readonly at: number }> {
    let at = 0
    const result = await this.#batch.select(selection => {
      selection.vitals?.place(name)
      at = selection.percentiles.place(percentile)
    })
    return { vital: result.groups[0]?.vitals.find(({ vital }) => vital === name), at }
  }
}
