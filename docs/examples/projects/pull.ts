// Pulls the rows of a project and prints each; the file `cursor` remembers the place.
//
// BUSBAR_KEY=… node pull.ts
import { readFileSync, writeFileSync } from 'node:fs'

const address = process.env.BUSBAR_ADDRESS ?? 'https://cloud.example.com'
const project = process.env.BUSBAR_PROJECT ?? '4711'
const login = Buffer.from(`${project}:${process.env.BUSBAR_KEY}`).toString('base64')

interface Answer {
  hwreason: string
  hwdata: { rows?: unknown[]; cursor: string }
  error?: { message: string }
}

async function pull(cursor: string): Promise<Answer> {
  // The platform waits up to 10 s for a first row.
  const query = new URLSearchParams({ wait: '10', limit: '1000', ...(cursor && { cursor }) })
  const headers = { authorization: `Basic ${login}` }
  const response = await fetch(`${address}/api/project/v1/data?${query}`, { headers })
  return (await response.json()) as Answer
}

function readCursor(): string {
  try {
    return readFileSync('cursor', 'utf8')
  } catch {
    return ''
  }
}

for (let cursor = readCursor(); ; ) {
  const { hwreason, hwdata, error } = await pull(cursor)
  if (error) console.error(error.message)
  // After CURSOR_TOO_OLD the rows in between are in history only: from this cursor on they come again.
  if (error && hwreason !== 'CURSOR_TOO_OLD') process.exit(1)
  for (const row of hwdata.rows ?? []) console.log(JSON.stringify(row))
  cursor = hwdata.cursor
  // Kept after the rows are stored: at the next start none is missing.
  writeFileSync('cursor', cursor)
}
