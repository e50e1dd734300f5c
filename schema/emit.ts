import { writeFileSync } from 'node:fs'
import { createSchema, printSorted } from './build.js'

// Runs as dist/schema/emit.js, from the repository's root.
writeFileSync('schema/schema.graphql', printSorted(createSchema()))
