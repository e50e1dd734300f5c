declare module 'snappyjs' {
  /** Decompresses one block; throws when it is invalid, or longer than `maxLength`. */
  export function uncompress(compressed: Buffer, maxLength?: number): Buffer
  /** One block of these bytes. */
  export function compress(uncompressed: Buffer): Buffer
}
