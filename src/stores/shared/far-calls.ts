/** Parents that are looked for beyond ten minutes, whole traces by their index. */
export const MAX_FAR_PARENTS = 200

/** Calls whose calling span is stored, but begins more than ten minutes outside of a range. */
export interface FarCalls {
  readonly calls: number
  /** More parents are missing than were looked for. */
  readonly isCut: boolean
}

/** What a service map says about such calls; nothing when there are none. */
export function farCallsWarning({ calls, isCut }: FarCalls): readonly string[] {
  if (calls === 0) return []
  const count = `${isCut ? 'at least ' : ''}${calls} ${calls === 1 ? 'call is' : 'calls are'}`
  return [`${count} omitted: the calling span starts more than ten minutes outside of the range; use a longer range`]
}
