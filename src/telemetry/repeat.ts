/** Work that is done again and again until it is stopped. */
export interface Repetition {
  /** Resolves when a round that was under way has ended; no other begins. */
  stop(): Promise<void>
}

/** Runs `work` every `everyMs` after the last round has ended; rounds never overlap and a failed one does not end it. */
export function repeat(everyMs: number, work: () => Promise<void>, onError: (error: unknown) => void): Repetition {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  const schedule = (): void => {
    if (isStopped) return
    timer = setTimeout(() => {
      round = work().catch(onError).finally(schedule)
    }, everyMs)
    timer.unref()
  }
  schedule()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await round
    }
  }
}
