/** A process that starts a server and reports its URL; the test kills it. */
import { RunningServer } from '../servers/running-server.js'
import { smallServer } from './small-server.js'

const server = await RunningServer.start(smallServer)
process.send?.(server.access.url)
