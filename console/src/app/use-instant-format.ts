import { useMemo } from 'react'
import { useApi } from '../api/context.js'
import { createInstantFormat, type InstantFormat, resolveZone } from '../format/instant.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'

/** Formats times in the zone of the address; in the local one when the address names none, or none that exists. */
export function useInstantFormat(): InstantFormat {
  const api = useApi()
  const { search } = useAddress()
  const tz = one(search, 'tz') ?? 'local'
  return useMemo(() => createInstantFormat(resolveZone(tz) ?? resolveZone('local')!, () => api.nowMs()), [api, tz])
}
