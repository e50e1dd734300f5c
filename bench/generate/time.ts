const NS_PER_SECOND = 1_000_000_000

/** Writes RFC 3339 with nine decimals from whole seconds and nanoseconds; the date part is made once a second. */
export function rfc3339Writer(): (seconds: number, nanoseconds: number) => string {
  let cachedSeconds = -1
  let prefix = ''
  return (seconds, nanoseconds) => {
    if (seconds !== cachedSeconds) {
      cachedSeconds = seconds
      prefix = new Date(seconds * 1000).toISOString().slice(0, 19)
    }
    return `${prefix}.${String(NS_PER_SECOND + nanoseconds).slice(1)}Z`
  }
}
