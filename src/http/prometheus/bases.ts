/** Bases under which Prometheus's own paths answer; the first is in the OpenAPI document. */
export const PROMETHEUS_BASES = ['/api/v1/prometheus', '/prometheus', '/api/v1/ns/:namespace/prometheus'] as const
