import { readFileSync } from 'node:fs'
import { mailBounces } from '@busbar/contract'
import { type DeliveryReport, readDeliveryReport } from '../modules/outgoing/index.ts'
import { CommandError, type FileCommand, readOptions } from './command.ts'

const bounceBytesMax = 1_048_576
const answerMsMax = 30_000
/** `EX_TEMPFAIL` of sysexits.h: the mail server tries again later. */
const tryAgain = 75

/**
 * `busbar bounce`: for the alias of a mail server, which passes all mails to the sender on. It sends what delivery reports tell to the
 * platform with a secret that opens nothing else, so that the mail server's user needs no access to the database.
 */
export const bounceCommand: FileCommand = {
  needsDatabase: false,
  name: ['bounce'],
  summary: 'report a bounced e-mail, read from standard input',
  usage: `  for an alias of the mail server: |busbar bounce --token-file FILE

  --token-file   the file of BOUNCE_TOKEN_FILE; unset: the one that this variable names
  --url          the platform; unset: http://127.0.0.1:8080`,
  prepare(args) {
    const options = readOptions(args, { url: { type: 'string' }, 'token-file': { type: 'string' } }, [])
    const { url = 'http://127.0.0.1:8080', 'token-file': file = process.env.BOUNCE_TOKEN_FILE } = options
    if (!file) throw new CommandError('Missing: --token-file')
    if (!URL.canParse(url)) throw new CommandError(`--url: ${url} is not an address`)
    const token = readToken(file)
    return async () => report(url, token, readDeliveryReport(await readInput()))
  },
}

async function report(url: string, token: string, told: DeliveryReport | undefined): Promise<void> {
  if (!told) return console.log('The message reports no result of an e-mail of this platform.')
  let status: number
  try {
    const { method, path } = mailBounces.noteBounces
    const response = await fetch(new URL(path, url), {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, mails: [told] }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerMsMax),
    })
    await response.arrayBuffer()
    status = response.status
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new CommandError(`${url} cannot be reached: ${reason}`, tryAgain)
  }
  if (status === 200) return
  const refusal = status === 403 ? 'does not take this token' : `answered ${status}`
  throw new CommandError(`The platform ${refusal}.`, tryAgain)
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new CommandError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`,
    )
  }
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
