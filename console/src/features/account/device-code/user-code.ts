/** The letters of a device code, without those that are easily confused. */
const codePattern = /^[23456789ABCDEFGHJKMNPQRSTUVWXYZ]{8}$/

/** The typed code as the program shows it, `XXXX-XXXX`; undefined if it cannot be a code. */
export function parseUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '')
  return codePattern.test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : undefined
}
