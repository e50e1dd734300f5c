import type { AppendResult } from '../../ports/append.js'

/** The result of an append whose ingest id an earlier one had, out of what that one stored and refused. */
export function repeatOf({ accepted, failures }: Pick<AppendResult, 'accepted' | 'failures'>): AppendResult {
  return { accepted: 0, deduplicated: accepted, ...(accepted === 0 && { isRepeat: true }), failures }
}
