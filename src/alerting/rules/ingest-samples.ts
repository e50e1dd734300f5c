import { isGatewayError } from '../../domain/errors.js'
import type { KeyId } from '../../domain/ids.js'
import type { MetricFacts } from '../../domain/metric-facts.js'
import type { Label } from '../../domain/metric-point.js'
import type { Namespace } from '../../domain/namespace.js'
import type { KeyPrincipal } from '../../domain/principal.js'
import type { AcceptRecords } from '../../ingest/ingest-request.js'
import { jsonNumber } from '../../query/promql/go-number.js'
import type { RecordedSample, SampleWriter, WrittenSamples } from '../schedule/recording.js'

const NOTHING_TO_SAY = { namespaceResolved: () => undefined, rateTaken: () => undefined }

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

/** A string in quotes, as Prometheus's text format has it. */
function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\"')}"`
}

function labelText({ name, value }: Label): string {
  return `${quoted(name)}=${quoted(value)}`
}

/** A line of Prometheus's text format, with names in quotes: they may be any UTF-8. */
export function sampleLine({ name, labels, value, atMs }: RecordedSample): string {
  return `{${[quoted(name), ...labels.map(labelText)].join(',')}} ${jsonNumber(value)} ${atMs}`
}

/** The comments of a metric whose name needs no quotes. */
function factLines({ name, kind, help }: MetricFacts): readonly string[] {
  return [...(help === '' ? [] : [`# HELP ${name} ${escaped(help)}`]), `# TYPE ${name} ${kind}`]
}

function principalOf(namespace: Namespace): KeyPrincipal {
  return { kind: 'key', keyId: 'recording-rules' as KeyId, keyKind: 'ingest', namespaces: [namespace.id], allowedOrigins: [] }
}

/** Samples of recording rules, decoded, checked, limited and counted like those of a sender. */
export class IngestSamples implements SampleWriter {
  readonly #metricText: AcceptRecords

  constructor(metricText: AcceptRecords) {
    this.#metricText = metricText
  }

  async write(
    namespace: Namespace,
    samples: readonly RecordedSample[],
    facts: readonly MetricFacts[] = []
  ): Promise<WrittenSamples> {
    const lines = [...facts.flatMap(factLines), ...samples.map(sampleLine)]
    const body = Buffer.from(`${lines.join('\n')}\n`)
    const request = { principal: principalOf(namespace), body, form: 'prometheus-text', route: 'recording-rules' } as const
    try {
      const { reply } = await this.#metricText.accept({ ...request, isDryRun: false, ack: 'durable' }, NOTHING_TO_SAY)
      return { rejected: reply.errors?.[0]?.detail ?? null, overflow: reply.overflow?.detail ?? null }
    } catch (error) {
      // Of a store that is unavailable, of limits: the next steps are written anyway.
      if (isGatewayError(error)) return { rejected: error.message, overflow: null }
      throw error
    }
  }
}
