import { elasticsearch } from '../elasticsearch/descriptor.js'
import { influxDb } from '../influxdb/descriptor.js'

/** Every managed engine. A new engine is its folder and its line in this list. */
export const ENGINES = [elasticsearch, influxDb] as const
