import { listOutbox } from '../modules/outgoing/index.ts'
import { type Command, CommandError, readOptions } from './command.ts'

const countDefault = 10
const countMax = 200

/** `busbar outbox` */
export const outboxCommand: Command = {
  name: ['outbox'],
  summary: 'show stored SMS and e-mails with their codes, newest first',
  usage: `  --count ${countDefault}           number of messages, at most ${countMax}`,
  prepare(args) {
    const given = readOptions(args, { count: { type: 'string' } }, [])
    const count = Number(given.count ?? countDefault)
    if (!Number.isInteger(count) || count < 1 || count > countMax) {
      throw new CommandError(`--count: 1 to ${countMax}`)
    }
    return async (db) => {
      const messages = await listOutbox(db, count)
      if (messages.length === 0) console.log('There are no stored messages.')
      for (const message of messages) {
        const to = message.country_code ? `+${message.country_code} ${message.recipient}` : message.recipient
        const state = message.state === 'failed' ? `  not sent: ${message.error}` : ''
        console.log(printable(`${message.created_at.toISOString()}  ${to}  ${message.subject}${state}`))
        if (message.text) console.log(`${printable(message.text.trim()).replaceAll(/^/gm, '    ')}\n`)
      }
    }
  },
}

/** Text from strangers must not control the terminal that shows it. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, '')
}
