/** Decision 11's letters: none that is taken for another. */
const codePattern = /^[23456789ABCDEFGHJKMNPQRSTUVWXYZ]{8}$/

/** What was typed as the program shows it, `XXXX-XXXX`; undefined where it can be no code. */
export function parseUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '')
  return codePattern.test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : undefined
}
