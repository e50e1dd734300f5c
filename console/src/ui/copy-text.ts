/** Copies a value to the clipboard; false when the browser refuses it, for example without a secure context or permission. */
export async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    // The value can still be selected and copied by hand.
    return false
  }
}
