import { randomInt } from 'node:crypto'
import { signSms, splitSms } from '@busbar/contract'
import smpp, { type Pdu, type Session } from 'smpp'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import { AnswerLost, MessageRefused, type Provider, type Receipt, type Sms } from './message.ts'
import { readReceipt } from './smpp-receipt.ts'

const answerMsMax = 20_000
const enquireMs = 30_000
const closeMsMax = 1_000
/** A listening connection that was lost is opened again after this long. */
const rebindMs = 30_000
const usualPorts = { plain: 2775, tls: 3550 } as const
const ucs2 = 8
/** A header counts its parts in one byte. */
const partsMax = 255
/** SMPP 3.4, 5.2.12: the short message begins with a user data header. */
const esmClassUdh = 0x40
/** Type of number and numbering plan of an international number (5.2.5, 5.2.6); 5 is alphanumeric. */
const international = { ton: 1, npi: 1 } as const
const alphanumericTon = 5
/** Answers after which another try may do: system error, bad bind state, queue full, throttled (5.1.3). */
const passingStatuses: ReadonlySet<number> = new Set([0x08, 0x04, 0x14, 0x58])
/** The centre binds this account for sending only (ESME_RBINDFAIL). */
const bindFailed = 0x0d
/** A receipt that could not be stored now must be sent again (ESME_RX_T_APPN). */
const temporaryError = 0x64
/** Requests a final receipt of each part (5.2.17). */
const finalReceipt = 1

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

type Note = (receipts: readonly Receipt[]) => Promise<void>

/**
 * Sends SMS over one bound connection, opened when it is first needed and again after it was lost. Listening keeps it open:
 * receipts come over the same connection.
 */
export function openSmpp(server: SmppServer, logger: Pick<Logger, 'error'>): Provider<Sms> {
  let bound: Promise<Session> | undefined
  let note: Note | undefined
  let rebind: NodeJS.Timeout | undefined
  let isClosed = false

  function bind(): Promise<Session> {
    bound ??= openSession(server, {
      logger,
      note: (receipts) => note?.(receipts) ?? Promise.resolve(),
      lost: () => {
        bound = undefined
        listenLater()
      },
    }).catch((error) => {
      bound = undefined
      listenLater()
      throw error
    })
    return bound
  }

  function listenLater(): void {
    if (!note || isClosed) return
    clearTimeout(rebind)
    rebind = setTimeout(() => bind().catch(() => {}), rebindMs)
    rebind.unref()
  }

  return {
    async send(sms) {
      const session = await bind()
      const parts = splitSms(signSms(sms.signature, sms.text))
      if (parts.length > partsMax) throw new RangeError(`An SMS has at most ${partsMax} parts.`)
      const reference = randomInt(256)
      const ids: string[] = []
      for (const [place, part] of parts.entries()) {
        const udh =
          parts.length > 1 ? Buffer.from([5, 0, 3, reference, parts.length, place + 1]) : Buffer.alloc(0)
        try {
          ids.push(await submit(session, server.sender, `${sms.countryCode}${sms.phone}`, udh, part))
        } catch (error) {
          // The parts before it are on their way.
          if (place === 0 || error instanceof MessageRefused) throw error
          throw new AnswerLost((error as Error).message, { cause: error })
        }
      }
      return ids.filter((id) => id !== '')
    },
    receive(listener) {
      note = listener
      bind().catch(() => {})
    },
    async close() {
      isClosed = true
      clearTimeout(rebind)
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

interface Listener {
  readonly logger: Pick<Logger, 'error'>
  note: Note
  lost(): void
}

/** The centre refused to bind, with this status. */
class BindRefused extends Error {
  override name = 'BindRefused'
  readonly status: number

  constructor(status: number) {
    super(`bind refused: ${formatStatus(status)}`)
    this.status = status
  }
}

/** A connection that sends and receives; where the centre allows this account only to send, one that does. */
async function openSession(server: SmppServer, listener: Listener): Promise<Session> {
  try {
    return await openBound(server, listener, 'bind_transceiver')
  } catch (error) {
    if (!(error instanceof BindRefused) || error.status !== bindFailed) throw error
    return openBound(server, listener, 'bind_transmitter')
  }
}

function openBound(
  server: SmppServer,
  listener: Listener,
  how: 'bind_transceiver' | 'bind_transmitter',
): Promise<Session> {
  const session = smpp.connect({
    host: server.host,
    port: server.port ?? (server.tls ? usualPorts.tls : usualPorts.plain),
    tls: server.tls,
    ...(server.tls ? { servername: server.host } : {}),
  })
  // Each message under way listens for the end of its connection.
  session.setMaxListeners(0)
  const keepAlive = every(enquireMs, () => enquire(session), listener.logger)
  let isBound = false
  session.on('close', () => {
    clearInterval(keepAlive)
    if (isBound) listener.lost()
  })
  // Messages from the centre are answered, so that it does not count this side as dead.
  session.on('enquire_link', (pdu) => session.send(pdu.response()))
  session.on('deliver_sm', (pdu) => void answerDelivery(session, pdu, listener.note))
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
      session[how]({ system_id: server.systemId, password: server.password }, (pdu) => {
        if (pdu.command_status !== 0) return give(new BindRefused(pdu.command_status))
        clearTimeout(timer)
        isBound = true
        resolve(session)
      })
    })
  })
}

/** Answers a receipt once it is stored; an SMS that a person sent back is accepted and dropped. */
async function answerDelivery(session: Session, pdu: Pdu, note: Note): Promise<void> {
  try {
    const receipt = readReceipt(pdu)
    if (receipt) await note([receipt])
    session.send(pdu.response())
  } catch {
    session.send(pdu.response({ command_status: temporaryError }))
  }
}

/** A silent connection is closed, so that the next message opens another. */
function enquire(session: Session): void {
  const timer = setTimeout(() => session.destroy(), answerMsMax)
  if (!session.enquire_link(() => clearTimeout(timer))) clearTimeout(timer)
}

/** Answers the centre's id of the part. Throws AnswerLost where the part was written and no answer came. */
function submit(session: Session, sender: string, to: string, udh: Buffer, text: string): Promise<string> {
  const message = Buffer.from(text, 'utf16le').swap16()
  const isNumber = /^\d+$/.test(sender)
  return new Promise((resolve, reject) => {
    const closed = () => end(new AnswerLost('the message centre closed the connection'))
    const end = (error: Error | undefined, id = '') => {
      clearTimeout(timer)
      session.off('close', closed)
      if (error) reject(error)
      else resolve(id)
    }
    const timer = setTimeout(() => {
      // An answer that comes later must not be taken for the next message's.
      session.destroy()
      end(new AnswerLost('the message centre did not answer'))
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
      registered_delivery: finalReceipt,
      short_message: Buffer.concat([udh, message]),
    }
    const isSent = session.submit_sm(parameters, ({ command_status: status, message_id: id }) => {
      if (status === 0) return end(undefined, id)
      const reason = `the message centre answered ${formatStatus(status)}`
      end(passingStatuses.has(status) ? new Error(reason) : new MessageRefused(reason))
    })
    if (!isSent) end(new Error('the connection to the message centre is gone'))
  })
}

const formatStatus = (status: number): string => `0x${status.toString(16).padStart(8, '0')}`
