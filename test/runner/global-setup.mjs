import startWantedServers from '../servers/jest-setup.mjs'
import { bundleEntries } from './entries.mjs'

/** Runs once before all test files. */
export default async function setUp() {
  await bundleEntries()
  await startWantedServers()
}
