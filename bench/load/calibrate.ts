const MIN_CPU_US = 400_000

/** CPU microseconds that `JSON.parse` of these bodies takes per item, on this machine at this moment. */
export function parseCostUs(samples: readonly string[], itemsPerBody: number): number {
  for (const sample of samples) JSON.parse(sample)
  const before = process.cpuUsage()
  let items = 0
  for (;;) {
    for (const sample of samples) JSON.parse(sample)
    items += samples.length * itemsPerBody
    const used = process.cpuUsage(before)
    if (used.user + used.system >= MIN_CPU_US) return (used.user + used.system) / items
  }
}
