/** What the embedded engine writes its log lines with; pino satisfies it. */
export interface StoreLogger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
