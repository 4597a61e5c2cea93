import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from '@busbar/testkit/free-port.ts'

const host = '127.0.0.1'
const systemId = 'busbar'
const password = 'a-secret'
const waitMs = 30_000
const ucs2 = 8
/** The text begins with a user data header (SMPP 3.4, 5.2.12). */
const esmClassUdh = 0x40

type Event =
  | { readonly type: 'listening' | 'bound' | 'refused' }
  | { readonly type: 'receiptAnswered'; readonly status: number }
  | {
      readonly type: 'message'
      readonly id: string
      readonly to: string
      readonly esmClass: number
      readonly coding: number
      readonly wantsReceipt: number
      readonly bytes: string
    }

/** An SMS as the centre received it, put together from its parts. */
export interface ReceivedSms {
  readonly to: string
  readonly text: string
  readonly parts: number
}

/** A message centre of Perl's Net::SMPP, which shares no code with the platform's client. */
export interface SmppServer {
  /** Settings by which a platform sends through it. */
  readonly env: Readonly<Record<string, string>>
  /** Every complete SMS so far, the earliest first. */
  received(): ReceivedSms[]
  waitForSms(count: number): Promise<ReceivedSms[]>
  /** Receipts that the platform accepted. */
  receiptsTaken(): number
  close(): Promise<void>
}

/** Starts the centre. It accepts everything and sends a receipt for each part. */
export async function startSmppServer(): Promise<SmppServer> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-smpp-'))
  const secret = join(dir, 'secret')
  await writeFile(secret, password)
  const port = await findFreePort(host)
  const script = join(import.meta.dirname, 'smpp-server.pl')
  const child = spawn('perl', [script, String(port), systemId, password], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const events: Event[] = []
  let complaints = ''
  let hasEnded = false
  let wake = () => {}
  createInterface(child.stdout).on('line', (line) => {
    events.push(JSON.parse(line) as Event)
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const exited = once(child, 'exit').then(() => {
    hasEnded = true
    wake()
  })

  async function until(wanted: string, isThere: () => boolean): Promise<void> {
    const isLate = AbortSignal.timeout(waitMs)
    isLate.addEventListener('abort', () => wake())
    while (!isThere()) {
      if (hasEnded || isLate.aborted)
        throw new Error(`The message centre has no ${wanted}: ${JSON.stringify(events)}\n${complaints}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const close = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(dir, { recursive: true, force: true })
  }
  const received = () => joinParts(events.flatMap((event) => (event.type === 'message' ? [event] : [])))
  try {
    await until('open port', () => events.some(({ type }) => type === 'listening'))
  } catch (error) {
    await close()
    throw error
  }
  return {
    env: { SMS_URL: `smpp://${systemId}@${host}:${port}`, SMS_SECRET_FILE: secret },
    received,
    async waitForSms(count) {
      await until(`SMS number ${count}`, () => received().length >= count)
      return received()
    },
    receiptsTaken: () =>
      events.filter((event) => event.type === 'receiptAnswered' && event.status === 0).length,
    close,
  }
}

/** Parts of one message bear the same reference, and come one after the other. */
function joinParts(messages: readonly Extract<Event, { type: 'message' }>[]): ReceivedSms[] {
  const whole: ReceivedSms[] = []
  let open: { key: string; texts: string[] } | undefined
  for (const { to, esmClass, coding, bytes } of messages) {
    const data = Buffer.from(bytes, 'hex')
    const header = esmClass & esmClassUdh ? (data[0] ?? 0) + 1 : 0
    const text = readText(data.subarray(header), coding)
    if (header === 0) {
      whole.push({ to, text, parts: 1 })
      continue
    }
    const [reference, total] = [data[3], data[4] ?? 1]
    const key = `${to} ${reference}`
    if (open?.key !== key) open = { key, texts: [] }
    open.texts.push(text)
    if (open.texts.length === total) whole.push({ to, text: open.texts.join(''), parts: total })
  }
  return whole
}

const readText = (data: Buffer, coding: number): string =>
  coding === ucs2 ? Buffer.from(data).swap16().toString('utf16le') : data.toString('latin1')
