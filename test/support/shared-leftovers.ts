import pg from 'pg'
import type { ServerAccess } from '../servers/variables.js'

// What a service leaves in servers that others use too: its control database names all of it.

async function column(databaseUrl: string, sql: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(sql)
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

async function call(access: ServerAccess, path: string, method = 'GET'): Promise<unknown> {
  const response = await fetch(`${access.url}${path}`, { method, headers: { authorization: `Token ${access.token}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Deletes the buckets of the service whose control database this is. */
export async function dropBuckets(access: ServerAccess, databaseUrl: string): Promise<void> {
  const places = "SELECT DISTINCT place AS name FROM store_places WHERE store = 'influxdb'"
  for (const name of await column(databaseUrl, places)) {
    const found = (await call(access, `/api/v2/buckets?name=${name}&org=${access.org}`).catch(() => null)) as {
      readonly buckets?: readonly { readonly id: string }[]
    } | null
    for (const { id } of found?.buckets ?? []) await call(access, `/api/v2/buckets/${id}`, 'DELETE')
  }
}

/** Deletes the indices of the service whose control database this is. */
export async function dropIndices({ url, username, password }: ServerAccess, databaseUrl: string): Promise<void> {
  const names = await column(databaseUrl, 'SELECT index_name AS name FROM store_indices')
  if (names.length === 0) return
  const headers = new Headers(username === undefined ? [] : [['authorization', `Basic ${btoa(`${username}:${password}`)}`]])
  const response = await fetch(`${url}/${names.join(',')}?ignore_unavailable=true`, { method: 'DELETE', headers })
  if (!response.ok) throw new Error(`deletion of indices: ${response.status} ${await response.text()}`)
}
