/** The two lines that start the host agent against the service at `base`. */
export function agentLines(base: string): string {
  const url = new URL('.', base).href.replace(/\/$/, '')
  return [`export SERVICE_URL='${url}' SERVICE_API_KEY="$INGEST_KEY"`, 'npm run agent'].join('\n')
}
