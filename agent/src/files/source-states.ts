import type { FileStream, StreamPhase } from './file-stream.js'

/** What becomes of a file that the agent reads. */
export interface SourceState {
  readonly path: string
  /** `reading`, `rotated` (its last lines are read), `searching` (its rest is looked for). */
  readonly state: string
  /** Bytes that are not stored yet; null when unknown. */
  readonly lagBytes: number | null
}

const STATES: Readonly<Record<Exclude<StreamPhase, 'ended'>, string>> = {
  live: 'reading',
  leaving: 'rotated',
  copy: 'rotated',
  cut: 'searching'
}

async function lagOf({ file, record }: FileStream): Promise<number | null> {
  if (file === null) return null
  // It may be closed meanwhile.
  const size = await file.state().then(
    state => state.size,
    () => null
  )
  return size === null ? null : Math.max(0, size - record.offset)
}

/** The first `most` of the streams that have not ended. */
export async function sourceStates(streams: readonly FileStream[], most: number): Promise<readonly SourceState[]> {
  const states: SourceState[] = []
  for (const stream of streams) {
    if (states.length === most) break
    const { phase, record } = stream
    if (phase !== 'ended') states.push({ path: record.path, state: STATES[phase], lagBytes: await lagOf(stream) })
  }
  return states
}
