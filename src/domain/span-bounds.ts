/**
 * Upper bounds of the buckets of `span_duration_seconds_bucket` in milliseconds: OpenTelemetry's for durations of requests. The
 * latency of an SLO has one of them as its threshold.
 */
export const SPAN_BOUNDS_MS: readonly number[] = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000]
