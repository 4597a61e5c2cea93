import { createServer, type Socket } from 'node:net'
import { steadyNowMs } from '../src/clock.ts'
import { serve } from '../src/rpc.ts'

/* A mail server and a message centre in one process, which accept everything at once and note when they did. Messages
   name their alarm by its value, a number of six digits that begins with a 1. */

/** The moment of acceptance by the steady clock, and the number that the message names; 0 if it names none. */
export interface Accepted {
  readonly at: number
  readonly number: number
  readonly recipient: string
}

const submitResponse = 0x80000004
const responseBit = 0x80000000
const submit = 0x00000004
const submitHeaderBytes = 16

let sms: Accepted[] = []
let email: Accepted[] = []

const numberIn = (text: string): number => Number(/Pressure (1\d{5})/.exec(text)?.[1] ?? 0)

/** Enough of SMTP for a client that sends one message after the other over a connection that it keeps. */
function serveMail(socket: Socket): void {
  let rest = ''
  let recipient = ''
  let isContent = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes: Buffer) => {
    rest += bytes.toString('latin1')
    for (;;) {
      const mark = isContent ? '\r\n.\r\n' : '\r\n'
      const end = rest.indexOf(mark)
      if (end < 0) return
      const said = rest.slice(0, end)
      rest = rest.slice(end + mark.length)
      if (isContent) {
        isContent = false
        email.push({ at: steadyNowMs(), number: numberIn(said), recipient })
        say('250 accepted')
      } else if (/^EHLO/i.test(said)) socket.write('250-bench\r\n250 8BITMIME\r\n')
      else if (/^RCPT TO:<([^>]*)>/i.test(said)) {
        recipient = /<([^>]*)>/.exec(said)?.[1] ?? ''
        say('250 ok')
      } else if (/^DATA/i.test(said)) {
        isContent = true
        say('354 go on')
      } else say('250 ok')
    }
  })
  say('220 bench')
}

/** Enough of SMPP for a client that binds and submits. */
function serveSms(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0)
  let lastId = 0
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    while (rest.length >= submitHeaderBytes && rest.length >= rest.readUInt32BE(0)) {
      const pdu = rest.subarray(0, rest.readUInt32BE(0))
      rest = rest.subarray(pdu.length)
      const [command, sequence] = [pdu.readUInt32BE(4), pdu.readUInt32BE(12)]
      if (command >= responseBit) continue
      const isSubmit = command === submit
      if (isSubmit) sms.push({ at: steadyNowMs(), ...readSubmit(pdu) })
      // A bind is answered with the centre's name, a submission with the id of the message; both end with a zero.
      const words = isSubmit ? `${process.pid}-${++lastId}-${sms.length}` : 'bench'
      const body = command === 0x15 || command === 0x06 ? Buffer.alloc(0) : Buffer.from(`${words}\0`)
      const head = Buffer.alloc(submitHeaderBytes)
      head.writeUInt32BE(head.length + body.length, 0)
      head.writeUInt32BE(isSubmit ? submitResponse : (command | responseBit) >>> 0, 4)
      head.writeUInt32BE(sequence, 12)
      socket.write(Buffer.concat([head, body]))
    }
  })
}

/** The fields before the text have different lengths (SMPP 3.4, 4.4.1). */
function readSubmit(pdu: Buffer): { number: number; recipient: string } {
  let at = submitHeaderBytes
  const word = () => {
    const end = pdu.indexOf(0, at)
    const said = pdu.toString('latin1', at, end)
    at = end + 1
    return said
  }
  word()
  at += 2
  word()
  at += 2
  const recipient = word()
  at += 3
  word()
  word()
  at += 4
  const text = Buffer.from(pdu.subarray(at + 1, at + 1 + pdu.readUInt8(at)))
  return { number: numberIn(text.swap16().toString('utf16le')), recipient }
}

async function listen(serveOne: (socket: Socket) => void): Promise<number> {
  const server = createServer(serveOne)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}

serve({
  async listen() {
    return { smtpPort: await listen(serveMail), smppPort: await listen(serveSms) }
  },

  counts: () => ({ sms: sms.length, email: email.length }),

  /** The messages accepted since the last call. */
  take() {
    const taken = { sms, email }
    sms = []
    email = []
    return taken
  },
})
