/** Work on a request's records that stops now and then; what it gives in the end is its result. */
export type DecodeSteps<Item> = Generator<void, Item[]>

/** Records that are read in one go; between two goes the caller may let others work. */
export const RECORDS_PER_TURN = 500

/** The request holds more records than one may: nothing of it is taken. */
export class TooManyRecords extends Error {
  constructor(max: number) {
    super(`a request must not exceed ${max} records`)
  }
}
