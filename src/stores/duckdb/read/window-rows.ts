import type { SampleWindows } from '../../../ports/metric-store.js'
import type { Params } from './params.js'

const NS_PER_MS = 1_000_000n

/** SQL of a condition on `ts` that leaves out rows next to the windows, those before 1970 excepted; null where windows leave no room. */
export function windowRowsSql({ firstEndMs, stepMs, lengthMs }: SampleWindows, params: Params): string | null {
  const stepNs = BigInt(stepMs) * NS_PER_MS
  const lengthNs = BigInt(lengthMs) * NS_PER_MS
  if (lengthNs >= stepNs) return null
  const startNs = BigInt(firstEndMs - lengthMs + 1) * NS_PER_MS
  // A start in the first step after 1970 means the same windows, and no difference to it overflows.
  const phaseNs = ((startNs % stepNs) + stepNs) % stepNs
  return `(ts - ${params.add(phaseNs)}) % ${params.add(stepNs)} < ${params.add(lengthNs)}`
}
