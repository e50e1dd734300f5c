import { type AgentConfig, ConfigError } from './config/config.js'
import { LOGS_PATH } from './deliver/batch-body.js'
import type { HttpPost, Reply } from './deliver/http-post.js'
import type { Log } from './fault-log.js'

const TIMEOUT_MS = 5_000

/** Sends a batch without records that is not stored. @param namespace null: that of the key. */
async function tryBatch(post: Pick<HttpPost, 'compress' | 'send'>, namespace: string | null): Promise<Reply> {
  const body = JSON.stringify({ ...(namespace !== null && { namespace }), logs: [] })
  return post.send(`${LOGS_PATH}?dry_run=true`, await post.compress(body), TIMEOUT_MS)
}

/** The namespace of the key; null when it has none, or the service cannot be reached. */
async function namespaceOfKey(post: Pick<HttpPost, 'compress' | 'send'>): Promise<string | null> {
  // The error is about another namespace; the name of this one is a hint.
  const reply = await tryBatch(post, null).catch(() => null)
  const name = reply?.status === 200 ? reply.json['namespace'] : null
  return typeof name === 'string' ? name : null
}

/**
 * Throws for a namespace that the key may not write to: its lines would wait forever. Returns when the service cannot be
 * reached.
 */
export async function checkNamespace(
  post: Pick<HttpPost, 'compress' | 'send'>,
  { namespace, url }: Pick<AgentConfig, 'namespace' | 'url'>,
  log: Log
): Promise<void> {
  const reply = await tryBatch(post, namespace?.name ?? null).catch((error: unknown) => {
    log('service not reached', { url, err: String(error) })
    return null
  })
  if (reply?.status !== 403 || namespace === null) return
  const { name, from } = namespace
  const { code, detail } = reply.json
  if (code !== 'namespace_not_allowed')
    throw new ConfigError(`the API key cannot be used for the namespace ${name} (from ${from}): ${String(detail ?? code)}`)
  const own = await namespaceOfKey(post)
  const remedy = own === null ? 'use a key for it' : `it is one of ${own}; use a key for ${name}, or leave ${from} empty`
  throw new ConfigError(`the API key is not authorized for the namespace ${name} (from ${from}); ${remedy}`)
}
