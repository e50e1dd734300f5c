/** A query that was read but cannot be answered; Prometheus's `errorType` "execution". */
export class PromqlExecutionError extends Error {}
