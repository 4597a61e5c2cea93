import type { messages as contract } from '@busbar/contract'

/** Marks an instant while a text is made. PostgreSQL stores no NUL, so names and notes never contain it. */
const mark = '\0'

/** An instant within a message's text: its reader's console writes it in its time zone. Epoch milliseconds. */
export function markTime(at: number): string {
  return `${mark}${at}${mark}`
}

/** A text with its instants in ISO 8601, and where they stand. */
export function placeTimes(marked: string): Pick<contract.Message, 'body' | 'times'> {
  const times: contract.Message['times'] = []
  let body = ''
  for (const [place, part] of marked.split(mark).entries()) {
    // Every second part is an instant between two marks.
    if (place % 2 === 0) {
      body += part
      continue
    }
    const at = Number(part)
    const start = body.length
    body += new Date(at).toISOString().replace('.000Z', 'Z')
    times.push({ start, end: body.length, at })
  }
  return { body, times }
}
