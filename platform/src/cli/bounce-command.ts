import { createLocalBus } from '../kernel/bus/bus.ts'
import { withTransaction } from '../kernel/database/database.ts'
import { Facts } from '../kernel/facts/facts.ts'
import { silentLogger } from '../kernel/logger.ts'
import { noteBounce } from '../modules/outgoing/index.ts'
import { type Command, CommandError, readOptions } from './command.ts'

const bounceBytesMax = 1_048_576

/** `busbar bounce`: for the alias of a mail server, which passes bounced mails on. */
export const bounceCommand: Command = {
  name: ['bounce'],
  summary: 'record a bounced e-mail, read from standard input',
  usage: '  for an alias of the mail server: |busbar bounce',
  prepare(args) {
    readOptions(args, {}, [])
    return async (db) => {
      const bounce = await readInput()
      const facts = new Facts({ db, bus: createLocalBus(silentLogger), logger: silentLogger, now: Date.now })
      const settled = await withTransaction(db, (trx) => noteBounce({ trx, facts, now: Date.now() }, bounce))
      console.log(
        settled === 0
          ? 'The message quotes no e-mail of this platform.'
          : `${settled} recorded as undelivered.`,
      )
    }
  },
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bounceBytesMax) throw new CommandError(`The message is longer than ${bounceBytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}
