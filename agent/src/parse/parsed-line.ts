/** What a line states; parts that it does not have are absent. */
export interface ParsedLine {
  readonly message: string
  /** RFC 3339. */
  readonly timestamp?: string
  readonly host?: string
  readonly service?: string
  readonly level?: string
  readonly traceId?: string
  readonly spanId?: string
  readonly fields?: Readonly<Record<string, unknown>>
}
