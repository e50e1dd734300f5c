import { arrayOfKey, depthOf, QUOTE, skipLongString, sliceItems, type JsonSlice } from '../../wire/json/json-structure.js'
import { MalformedOtlp } from '../model.js'

/** Names of the three levels of a signal's request. */
export interface GroupNames {
  readonly resources: 'resourceLogs' | 'resourceMetrics' | 'resourceSpans'
  readonly scopes: 'scopeLogs' | 'scopeMetrics' | 'scopeSpans'
  readonly records: 'logRecords' | 'metrics' | 'spans'
}

/** A body without its records, and the positions of the records in it. */
export interface CutBody {
  /** The body with `[n]` in the place of the nth list of records. */
  readonly rest: Buffer
  /** The slices of each list. */
  readonly lists: readonly (readonly JsonSlice[])[]
}

/**
 * Cuts the lists of records out of a body, so that they can be parsed in slices of about `sliceBytes`. Looks at brackets and
 * strings alone, about `sliceBytes` of them between two steps; invalid JSON is found when the parts are parsed, or here
 * when a list does not end (`MalformedOtlp`).
 */
export function* cutRecords(bytes: Buffer, names: GroupNames, sliceBytes: number): Generator<void, CutBody> {
  const path = [names.resources, names.scopes, names.records]
  const parts: Buffer[] = []
  const lists: JsonSlice[][] = []
  let copied = 0
  // How many names of the path lead to the position of the scan: the nth is in an object at depth 2n + 1, before a list.
  let matched = 0
  let depth = 0
  let pauseAt = sliceBytes
  for (let i = 0; i < bytes.length;) {
    if (i >= pauseAt) {
      yield
      pauseAt = i + sliceBytes
    }
    if (bytes[i] !== QUOTE) {
      depth += depthOf(bytes[i]!)
      if (matched > 0 && depth < 2 * matched) matched--
      i++
      continue
    }
    const end = yield* skipLongString(bytes, i, pauseAt, sliceBytes)
    const open = depth === 2 * matched + 1 ? arrayOfKey(bytes, i, end, path[matched]!) : -1
    if (open < 0) i = end
    else if (matched < path.length - 1) {
      matched++
      depth++
      i = open + 1
    } else {
      parts.push(bytes.subarray(copied, open + 1), Buffer.from(String(lists.length)))
      const slices: JsonSlice[] = []
      i = yield* gatherSlices(bytes, open, sliceBytes, slices)
      lists.push(slices)
      copied = i - 1
    }
  }
  return { rest: Buffer.concat([...parts, bytes.subarray(copied)]), lists }
}

/** Gathers the slices of the list that opens at `open`; the position behind it. */
function* gatherSlices(bytes: Buffer, open: number, sliceBytes: number, into: JsonSlice[]): Generator<void, number> {
  const slicing = sliceItems(bytes, open, sliceBytes)
  for (let step = slicing.next(); ; step = slicing.next()) {
    if (step.done && step.value < 0) throw new MalformedOtlp('the body is not JSON')
    if (step.done) return step.value
    if (step.value !== null) into.push(step.value)
    yield
  }
}
