/** Two lines of the configuration of a Collector that make its host appear: what to read, and the name of the host. */
export function collectorLines(): string {
  return [
    'receivers: { hostmetrics: { scrapers: { cpu: {}, memory: {}, filesystem: {}, network: {}, load: {} } } }',
    'processors: { resourcedetection: { detectors: [system] } }'
  ].join('\n')
}
