/** Interpolated quantile of numbers, which are sorted in place, NaN first. Out of [0, 1] it is infinite, as in Prometheus. */
export function quantileOf(values: Float64Array, q: number): number {
  if (values.length === 0 || Number.isNaN(q)) return Number.NaN
  if (q < 0) return -Infinity
  if (q > 1) return Infinity
  const nans = values.filter(Number.isNaN)
  if (nans.length > 0) values.set([...nans, ...values.filter(value => !Number.isNaN(value)).sort()])
  else values.sort()
  const rank = q * (values.length - 1)
  const low = Math.max(0, Math.floor(rank))
  const high = Math.min(values.length - 1, low + 1)
  const weight = rank - Math.floor(rank)
  return values[low]! * (1 - weight) + values[high]! * weight
}
