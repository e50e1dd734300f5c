/** The response of the endpoints that hold no samples: any data, cut to the limit when it is a list. */
export function writeData(data: unknown, limit: number, warnings: readonly string[] = []): string {
  const isTruncated = Array.isArray(data) && data.length > limit
  const shown: unknown = isTruncated ? data.slice(0, limit) : data
  const said = [...warnings, ...(isTruncated ? ['results truncated due to limit'] : [])]
  return JSON.stringify({ status: 'success', data: shown, ...(said.length > 0 && { warnings: said }) })
}
