/** Name in `StorePlaces` of the bucket of each namespace. */
export const PLACES = 'influxdb'
/** Name in `StorePlaces` of the namespaces that are deleted. */
export const DROPPED = 'influxdb-dropped'
/** Name in `StorePlaces` of when the bucket of a namespace was first seen, in Unix milliseconds. */
export const MADE = 'influxdb-made'
/** Name in `StorePlaces` of when the bucket of a namespace was last found missing, in Unix milliseconds. */
export const LOST = 'influxdb-lost'
