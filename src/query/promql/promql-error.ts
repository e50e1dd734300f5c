/** A valid query that cannot be evaluated; Prometheus's `errorType` "execution". */
export class PromqlExecutionError extends Error {}

/** The refusal of a result that takes more bytes than one may. */
export function resultTooLarge(maxBytes: number): PromqlExecutionError {
  return new PromqlExecutionError(`the response exceeds the limit of ${maxBytes} bytes; use a longer step or fewer series`)
}

/** An invalid query; Prometheus's `errorType` "bad_data". */
export class PromqlBadQuery extends Error {
  /** The parameter that is wrong. */
  readonly parameter: 'query' | 'match[]' = 'query'
}

/** An invalid selector of series; Prometheus's `errorType` "bad_data". */
export class PromqlBadSelector extends PromqlBadQuery {
  override readonly parameter = 'match[]'
}
