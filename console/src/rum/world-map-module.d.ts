/** Outlines of countries as paths of SVG, which console/world-map.ts makes from world-atlas while the console is built. */
declare module 'virtual:world-map' {
  export const width: number
  export const height: number
  /** `code` is ISO 3166-1 alpha-2; null for areas without one. */
  export const countries: readonly { readonly code: string | null; readonly name: string; readonly path: string }[]
}
