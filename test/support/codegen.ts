import { writeClient } from './client-code.js'

// `npm run codegen`, from the repository's root.
await writeClient(process.cwd())
