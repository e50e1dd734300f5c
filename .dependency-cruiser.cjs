/**
 * The dependency rule of docs/architecture.md, section "Dependency rule": domain <- ports <- use cases <- edges <- app.
 * `from` may not reach `to`; everything that is not forbidden here is allowed.
 */
const USE_CASES = '^src/(ingest|query|access|otlp|remote-write|alerting)/'
const EDGES = '^(resolvers|schema|src/http|src/grpc)/'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^(src/(?!domain/)|resolvers|schema|node_modules/)|^node:', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'ports-see-domain',
      severity: 'error',
      from: { path: '^src/ports/' },
      to: { path: '^(src/(?!domain/|ports/)|resolvers|schema)' }
    },
    {
      name: 'wire-sees-domain',
      severity: 'error',
      from: { path: '^src/wire/' },
      to: { path: '^src/(?!domain/|wire/)|^(resolvers|schema)' }
    },
    {
      name: 'settings-see-domain',
      severity: 'error',
      from: { path: '^src/settings/' },
      to: { path: '^src/(?!domain/|settings/)|^(resolvers|schema)' }
    },
    {
      name: 'use-cases-see-ports',
      severity: 'error',
      from: { path: USE_CASES },
      to: { path: '^(src/(http|grpc|stores|config|app|main)|resolvers|schema)' }
    },
    {
      name: 'alerting-above-other-use-cases',
      severity: 'error',
      from: { path: '^src/(ingest|query|access|otlp|remote-write)/' },
      to: { path: '^src/alerting/' }
    },
    { name: 'edges-see-use-cases', severity: 'error', from: { path: EDGES }, to: { path: '^src/(stores|app|main)' } },
    {
      name: 'resolvers-see-no-ports',
      severity: 'error',
      from: { path: '^(resolvers|schema)/' },
      to: { path: '^src/(ports|stores)/' }
    },
    {
      name: 'engines-stand-alone',
      severity: 'error',
      from: { path: '^src/stores/(?!assemble/|doctor/|shared/|disk/|metrics/)([^/]+)/' },
      to: {
        path: '^src/(?!domain/|ports/|settings/|threads/|stores/$1/|stores/(shared|disk|metrics)/)|^(resolvers|schema)'
      }
    },
    {
      name: 'rooms-below-engines',
      comment: 'shared <- disk, metrics <- engines <- assemble <- doctor',
      severity: 'error',
      from: { path: '^src/stores/(shared|disk|metrics)/' },
      to: { path: '^src/(?!domain/|ports/|settings/|threads/|stores/$1/|stores/shared/)|^(resolvers|schema)' }
    },
    {
      name: 'doctor-on-top',
      severity: 'error',
      from: { path: '^src/stores/assemble/' },
      to: { path: '^src/stores/doctor/' }
    },
    {
      name: 'only-rooms-import-engines',
      severity: 'error',
      from: { pathNot: '^(src/stores/|test/|bench/)' },
      to: { path: '^src/stores/(?!assemble/|doctor/|shared/|disk/)' }
    },
    {
      name: 'console-stands-alone',
      comment: 'the contract between the console and the service is the wire',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(src|resolvers|schema|test|bench)/' }
    },
    {
      name: 'agent-stands-alone',
      comment: 'the contract between the agent and the service is the wire',
      severity: 'error',
      from: { path: '^agent/' },
      to: { path: '^(src|resolvers|schema|test|bench|console)/' }
    },
    {
      name: 'nothing-imports-the-agent',
      severity: 'error',
      from: { path: '^(src|resolvers|schema|console|bench)/' },
      to: { path: '^agent/' }
    },
    {
      name: 'pages-import-no-pages',
      severity: 'error',
      from: { path: '^console/src/(logs|trace|traces|alerts|metrics|apm|errors|rum|services|hosts|otlp|settings)/' },
      to: {
        path: '^console/src/(logs|trace|traces|alerts|metrics|apm|errors|rum|services|hosts|otlp|settings)/',
        pathNot: '^console/src/$1/'
      }
    },
    {
      name: 'service-without-console',
      severity: 'error',
      from: { path: '^(src|resolvers|schema)/' },
      to: { path: '^console/' }
    },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^(test|bench)/' }, to: { path: '^test/' } }
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(agent/)?dist/' }
  }
}
