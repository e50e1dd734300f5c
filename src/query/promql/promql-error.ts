/** A query that was read but cannot be answered; Prometheus's `errorType` "execution". */
export class PromqlExecutionError extends Error {}

/** A query that cannot be asked like this; Prometheus's `errorType` "bad_data". */
export class PromqlBadQuery extends Error {}
