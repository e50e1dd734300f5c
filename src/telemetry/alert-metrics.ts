import { Counter, Histogram, type Registry } from 'prom-client'
import type { EvaluationFigures } from '../ports/evaluation-figures.js'

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600, 3600]
const MS_PER_S = 1_000

/** Counts evaluations of alert rules, of all namespaces together. */
export function countEvaluations(registry: Registry): (figures: EvaluationFigures) => void {
  const registers = [registry]
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers })
  const histogram = (name: string, help: string): Histogram => new Histogram({ name, help, buckets: SECONDS, registers })
  const late = histogram('alidade_alert_evaluation_late_seconds', 'Time from the step of an alert rule to its evaluation')
  const duration = histogram('alidade_alert_evaluation_duration_seconds', 'Time of one evaluation of an alert rule')
  const steps = counter('alidade_alert_evaluation_steps_total', 'Evaluated steps of alert rules')
  const failures = counter('alidade_alert_evaluation_failures_total', 'Steps of alert rules whose evaluation failed')
  const skipped = counter('alidade_alert_evaluation_skipped_total', 'Steps of alert rules that were too old to be evaluated')
  return figures => {
    late.observe(figures.lateMs / MS_PER_S)
    duration.observe(figures.durationMs / MS_PER_S)
    steps.inc(figures.steps)
    failures.inc(figures.failed)
    skipped.inc(figures.skipped)
  }
}
