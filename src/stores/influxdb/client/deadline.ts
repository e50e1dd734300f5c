/** A signal that aborts with the caller's, or when the time is over. */
export interface Deadline {
  readonly signal: AbortSignal
  readonly isOver: boolean
  /** Aborts the signal now. */
  stop(): void
  /** To be called when the work has ended. */
  clear(): void
}

/** Starts the time. */
export function startDeadline(timeoutMs: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController()
  let isOver = false
  const stop = (): void => controller.abort()
  const timer = setTimeout(() => {
    isOver = true
    stop()
  }, timeoutMs)
  if (caller?.aborted) stop()
  caller?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    stop,
    clear: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', stop)
    }
  }
}
