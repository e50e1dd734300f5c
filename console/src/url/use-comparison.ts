import { useMemo } from 'react'
import { useApi } from '../api/context.js'
import { readComparison, type ReadComparison } from './comparison.js'
import { one } from './search-codec.js'
import { useAddress } from './use-address.js'
import { usePageWindow } from './use-window.js'

/** The window that the page is compared with, as the address has it. */
export function useComparison(): ReadComparison {
  const api = useApi()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const cmp = one(search, 'cmp')
  return useMemo(() => readComparison(cmp === null ? {} : { cmp }, window, api.nowMs()), [api, cmp, window])
}
