/** A typed time of day as `HH:MM`: also `7:05`, `2230`, and with the colon of an input method; undefined for other texts. */
export function readTime(typed: string): string | undefined {
  const text = typed.normalize('NFKC').trim()
  if (text === '') return ''
  const parts = /^(\d{1,2}):?(\d{2})$/.exec(text)
  const [, hours = '', minutes = ''] = parts ?? []
  if (!parts || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return `${hours.padStart(2, '0')}:${minutes}`
}
