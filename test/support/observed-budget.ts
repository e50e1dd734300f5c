import { type BodyBytes, type BudgetCaller, ByteBudget } from '../../src/ingest/byte-budget.js'
import { Changes } from './changes.js'

/** A budget that notifies of each change and keeps its highest use. */
export class ObservedBudget extends ByteBudget {
  readonly changes = new Changes()
  /** Most bytes in use at any time since a test set it to 0. */
  peakBytes = 0

  override open(caller: BudgetCaller): BodyBytes {
    return this.#observed(super.open(caller))
  }

  override tryTake(body: BodyBytes, bytes: number): boolean {
    return this.#observed(super.tryTake(body, bytes))
  }

  override wait(body: BodyBytes, bytes: number): Promise<void> {
    return this.#observed(super.wait(body, bytes))
  }

  override give(body: BodyBytes, bytes: number): void {
    this.#observed(super.give(body, bytes))
  }

  override close(body: BodyBytes): void {
    this.#observed(super.close(body))
  }

  #observed<T>(result: T): T {
    this.peakBytes = Math.max(this.peakBytes, this.state.usedBytes)
    this.changes.notify()
    return result
  }
}
