/** Summary, description and examples of an operation in the OpenAPI document. Its schemas are next to its route. */
export interface OperationDoc {
  /** At most 60 characters, imperative. */
  readonly summary: string
  /** What a caller must know beyond the schemas: defaults, bounds, permissions, effects. */
  readonly description: string
  /** Body of a valid request: a JSON value, or a string for other media types. */
  readonly request?: unknown
  /** Media type of `request`, for a route that checks its body itself. */
  readonly requestType?: string
  /** Body of the success response to such a request, possibly with fewer members. */
  readonly reply?: unknown
}

/** Documentation by operation id. */
export type OperationDocs = Readonly<Record<string, OperationDoc>>
