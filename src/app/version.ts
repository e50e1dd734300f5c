import { findPackage } from './package-root.js'

/** Version of the product, as its package says. */
export const VERSION = findPackage().version
