import { randomInt } from 'node:crypto'
import smpp, { type Session } from 'smpp'
import { MessageRefused, type Provider, type Sms } from './message.ts'
import { splitSms } from './split-sms.ts'

const answerMsMax = 20_000
const enquireMs = 30_000
const closeMsMax = 1_000
const usualPorts = { plain: 2775, tls: 3550 } as const
const ucs2 = 8
/** SMPP 3.4, 5.2.12: the short message begins with a user data header. */
const esmClassUdh = 0x40
/** Type of number and numbering plan of an international number (5.2.5, 5.2.6); 5 is alphanumeric. */
const international = { ton: 1, npi: 1 } as const
const alphanumericTon = 5
/** Answers after which another try may do: system error, bad bind state, queue full, throttled (5.1.3). */
const passingStatuses: ReadonlySet<number> = new Set([0x08, 0x04, 0x14, 0x58])

/** A message centre that speaks SMPP 3.4. */
export interface SmppServer {
  readonly host: string
  /** Undefined: 2775, with TLS 3550. */
  readonly port: number | undefined
  readonly tls: boolean
  readonly systemId: string
  readonly password: string
  /** Number or name messages come from; empty: the centre's choice. */
  readonly sender: string
}

/** Sends SMS over one bound connection, opened when it is first needed and again after it was lost. */
export function openSmpp(server: SmppServer): Provider<Sms> {
  let bound: Promise<Session> | undefined

  function bind(): Promise<Session> {
    bound ??= openSession(server, () => {
      bound = undefined
    }).catch((error) => {
      bound = undefined
      throw error
    })
    return bound
  }

  return {
    async send(sms) {
      const session = await bind()
      const text = sms.signature ? `【${sms.signature}】${sms.text}` : sms.text
      const parts = splitSms(text)
      const reference = randomInt(256)
      for (const [place, part] of parts.entries()) {
        const udh =
          parts.length > 1 ? Buffer.from([5, 0, 3, reference, parts.length, place + 1]) : Buffer.alloc(0)
        await submit(session, server.sender, `${sms.countryCode}${sms.phone}`, udh, part)
      }
    },
    async close() {
      const session = await bound?.catch(() => undefined)
      if (!session) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, closeMsMax)
        const left = () => {
          clearTimeout(timer)
          resolve()
        }
        if (!session.unbind(left)) left()
      })
      session.destroy()
    },
  }
}

function openSession(server: SmppServer, lost: () => void): Promise<Session> {
  const session = smpp.connect({
    host: server.host,
    port: server.port ?? (server.tls ? usualPorts.tls : usualPorts.plain),
    tls: server.tls,
    ...(server.tls ? { servername: server.host } : {}),
  })
  const keepAlive = setInterval(() => enquire(session), enquireMs)
  session.on('close', () => {
    clearInterval(keepAlive)
    lost()
  })
  // What the centre sends unasked is answered, so that it does not take this side for dead.
  session.on('enquire_link', (pdu) => session.send(pdu.response()))
  return new Promise((resolve, reject) => {
    const give = (error: Error) => {
      clearTimeout(timer)
      clearInterval(keepAlive)
      session.destroy()
      reject(error)
    }
    const timer = setTimeout(() => give(new Error('the message centre did not answer')), answerMsMax)
    session.on('error', give)
    session.on('close', () => give(new Error('the message centre closed the connection')))
    session.on(server.tls ? 'secureConnect' : 'connect', () => {
      session.bind_transmitter({ system_id: server.systemId, password: server.password }, (pdu) => {
        if (pdu.command_status !== 0)
          return give(new Error(`bind refused: ${formatStatus(pdu.command_status)}`))
        clearTimeout(timer)
        resolve(session)
      })
    })
  })
}

/** A connection nobody answers on any more is given up, so that the next message opens another. */
function enquire(session: Session): void {
  const timer = setTimeout(() => session.destroy(), answerMsMax)
  if (!session.enquire_link(() => clearTimeout(timer))) clearTimeout(timer)
}

function submit(session: Session, sender: string, to: string, udh: Buffer, text: string): Promise<void> {
  const message = Buffer.from(text, 'utf16le').swap16()
  const isNumber = /^\d+$/.test(sender)
  return new Promise((resolve, reject) => {
    const closed = () => end(new Error('the message centre closed the connection'))
    const end = (error?: Error) => {
      clearTimeout(timer)
      session.off('close', closed)
      if (error) reject(error)
      else resolve()
    }
    const timer = setTimeout(() => {
      // An answer that comes later must not be taken for the next message's.
      session.destroy()
      end(new Error('the message centre did not answer'))
    }, answerMsMax)
    session.on('close', closed)
    const parameters = {
      source_addr: sender,
      source_addr_ton: sender && !isNumber ? alphanumericTon : 0,
      destination_addr: to,
      dest_addr_ton: international.ton,
      dest_addr_npi: international.npi,
      data_coding: ucs2,
      esm_class: udh.length > 0 ? esmClassUdh : 0,
      short_message: Buffer.concat([udh, message]),
    }
    const isSent = session.submit_sm(parameters, ({ command_status: status }) => {
      if (status === 0) return end()
      const reason = `the message centre answered ${formatStatus(status)}`
      end(passingStatuses.has(status) ? new Error(reason) : new MessageRefused(reason))
    })
    if (!isSent) closed()
  })
}

const formatStatus = (status: number): string => `0x${status.toString(16).padStart(8, '0')}`
