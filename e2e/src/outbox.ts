import type { Database } from '@busbar/platform/kernel/database/database.ts'

const deadlineMs = 10_000
/** Four of the letters and digits of codes, a pattern that no other part of a message has. */
const codeForm = /\b[2-9A-HJKMNP-Z]{4}\b/

/** The code in the newest message to a recipient, from the operator's outbox; `after` excludes an earlier one. */
export async function readCode(db: Database, recipient: string, after?: string): Promise<string> {
  const deadlineAt = Date.now() + deadlineMs
  while (Date.now() < deadlineAt) {
    const newest = await db
      .selectFrom('outgoing')
      .select('text')
      .where('recipient', '=', recipient)
      .where('state', '<>', 'withheld')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const code = newest && codeForm.exec(newest.text)?.[0]
    if (code && code !== after) return code
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no code was sent to ${recipient}`)
}
