/**
 * Kept of a phone number, and how many digits are hidden at least: of a short number less is kept (rules/accounts.md:
 * person names).
 */
const phone = { head: 3, tail: 4, hiddenMin: 4 }

/** A phone number with its first 3 and last 4 digits; empty without one. */
export function maskPhone(number: string | null): string {
  if (!number) return ''
  const kept = Math.max(0, Math.min(number.length - phone.hiddenMin, phone.head + phone.tail))
  const head = Math.floor((kept * phone.head) / (phone.head + phone.tail))
  const tail = kept - head
  return `${number.slice(0, head)}${'*'.repeat(number.length - kept)}${number.slice(number.length - tail)}`
}

/** An e-mail address with the first character of its name; empty without one. */
export function maskEmail(email: string | null): string {
  if (!email) return ''
  const at = email.lastIndexOf('@')
  const name = [...email.slice(0, at)]
  return `${name.length > 1 ? name[0] : ''}***${email.slice(at)}`
}
