const MAX_CHARS = 100

/** A value of the configuration as errors show it, cut after 100 characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}...` : text
}
