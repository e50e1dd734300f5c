/** A value that JSON can contain. Integers beyond 2^53 arrive as strings of their digits (see ingest/lossless-json). */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
/** A JSON object. Made with `JSON.parse` or a null prototype, never by assigning tenant keys to a plain object. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}
/** A flattened value: a scalar, or many scalars. */
export type FlatValue = string | number | boolean | null | readonly FlatValue[]
/** `{a:{b:1}}` as `{"a.b":1}`. */
export interface FlatObject {
  readonly [path: string]: FlatValue
}
