import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js'

/**
 * Makes the driver return all characters of strings. Its decoder takes U+FEFF at the start of a value for a byte order mark and
 * leaves it out, so that two values of a column look the same, and a name that was read does not find its field. To be called
 * before the first read of a process.
 */
export function readWholeStrings(): void {
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) })
}
