import type { MuteTime } from '../../../domain/alerts/silence.js'
import { isInIntervals, parseIntervals } from '../route/mute-time.js'

/**
 * Whether the mute time of a name contains `nowMs`. Parses each mute time once, however many groups name it; unknown names
 * mute nothing.
 */
export function mutedAt(muteTimes: readonly MuteTime[], nowMs: number): (name: string) => boolean {
  const byName = new Map(muteTimes.map(muteTime => [muteTime.name, muteTime]))
  const known = new Map<string, boolean>()
  return name => {
    const muteTime = byName.get(name)
    if (muteTime === undefined) return false
    const isMuted = known.get(name) ?? isInIntervals(parseIntervals(JSON.parse(muteTime.intervals), 'intervals'), nowMs)
    known.set(name, isMuted)
    return isMuted
  }
}
