import { openSocket } from '../open-socket.ts'
import { NoAnswer } from '../polled/protocol.ts'
import type { ModbusRequest } from './pdu.ts'
import { exceptionBytes, exceptionFlag, isEcho } from './pdu.ts'
import type { ModbusTransport } from './transport.ts'
import { modbusTransport } from './transport.ts'

/** Whether an answer has to have the id that it should have (Modbus Messaging on TCP/IP 1.0b, 3.1.3). */
export const idChecks = ['check', 'ignore'] as const
type IdCheck = (typeof idChecks)[number]

export interface ModbusTcpOptions {
  host: string
  port: number
  unit: number
  /** For the connection and for each answer. */
  timeoutMs: number
  pauseMs: number
  /** Its request's number; some gateways count by themselves. */
  transactionIds: IdCheck
  /** 0, for Modbus. */
  protocolIds: IdCheck
  /** Its request's unit; some devices always answer as 255. */
  unitIds: IdCheck
}

/** Transaction, protocol, length (Modbus Messaging on TCP/IP 1.0b, 3.1.3); the length counts the unit behind it. */
const headBytes = 6
const lengthMax = 254

interface Frame {
  transaction: number
  protocol: number
  unit: number
  pdu: Buffer
}

/** Connects; rejects if the connection is not open within `timeoutMs`. */
export async function openTcpTransport(options: ModbusTcpOptions): Promise<ModbusTransport> {
  const { unit, timeoutMs, pauseMs } = options
  const socket = await openSocket(options)
  let transaction = 0
  let received: Buffer = Buffer.alloc(0)
  let onFrame: (frame: Frame) => void = () => undefined
  let onEnd: (reason: Error) => void = () => undefined

  socket.once('close', () => onEnd(new Error('connection closed')))
  socket.on('end', () => socket.destroy())
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    while (received.length >= headBytes) {
      const end = headBytes + received.readUInt16BE(4)
      if (end < headBytes + 1 + exceptionBytes || end > headBytes + lengthMax) {
        onEnd(new Error('the answer is none of Modbus TCP'))
        return socket.destroy()
      }
      if (received.length < end) return
      const frame = received.subarray(0, end)
      received = received.subarray(end)
      onFrame({
        transaction: frame.readUInt16BE(0),
        protocol: frame.readUInt16BE(2),
        unit: frame.readUInt8(headBytes),
        pdu: frame.subarray(headBytes + 1),
      })
    }
  })

  function ask(request: ModbusRequest): Promise<Buffer> {
    if (socket.destroyed) return Promise.reject(new Error('connection closed'))
    transaction = (transaction + 1) & 0xffff
    const own = transaction
    return new Promise((resolve, reject) => {
      let hint = ''
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        onFrame = () => undefined
        onEnd = () => undefined
        settle()
      }
      const timer = setTimeout(() => end(() => reject(new NoAnswer(timeoutMs, hint))), timeoutMs)
      onEnd = (reason) => end(() => reject(reason))
      onFrame = (frame) => {
        if (options.transactionIds === 'check' && frame.transaction !== own)
          hint = ', only one with another transaction id'
        else if (options.protocolIds === 'check' && frame.protocol !== 0)
          end(() => reject(new Error(`an answer of protocol id ${frame.protocol}, where Modbus has 0`)))
        else if (options.unitIds === 'check' && frame.unit !== unit)
          end(() => reject(new Error(`unit ${frame.unit} answered for unit ${unit}`)))
        else {
          const wrong = whatIsWrong(frame.pdu, request)
          end(() => (wrong === null ? resolve(frame.pdu) : reject(new Error(wrong))))
        }
      }
      socket.write(encodeFrame({ transaction: own, unit, pdu: request.pdu }))
    })
  }

  return modbusTransport({
    ask,
    pauseMs,
    isOpen: () => !socket.destroyed,
    close: () => void socket.destroy(),
  })
}

function encodeFrame({ transaction, unit, pdu }: Omit<Frame, 'protocol'>): Buffer {
  const head = Buffer.alloc(headBytes + 1)
  head.writeUInt16BE(transaction, 0)
  head.writeUInt16BE(1 + pdu.length, 4)
  head.writeUInt8(unit, headBytes)
  return Buffer.concat([head, pdu])
}

function whatIsWrong(answer: Buffer, { pdu, answerBytes }: ModbusRequest): string | null {
  const [asked, answered] = [pdu.readUInt8(0), answer.readUInt8(0)]
  if (answered === (asked | exceptionFlag)) return null
  if (answered !== asked) return `function ${answered} was answered where ${asked} was asked`
  if (answer.length !== answerBytes)
    return `an answer of ${answer.length} bytes where ${answerBytes} were asked for`
  return asked <= 4 || isEcho(answer, pdu) ? null : 'another address was answered'
}
