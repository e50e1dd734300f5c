const HOUR_S = 3_600
/** How much longer than the namespace its bucket keeps: clocks may differ so much without a point being refused there. */
const SLACK_S = HOUR_S

/**
 * The retention of a namespace's bucket in seconds, 0 forever. It frees the disk; what a reader sees and a writer may
 * write is bounded by the namespace's own retention.
 */
export function retentionSeconds(keptMs: number | null): number {
  return keptMs === null ? 0 : Math.ceil(keptMs / 1000) + SLACK_S
}
