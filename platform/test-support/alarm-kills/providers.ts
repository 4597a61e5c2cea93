import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import smpp, { type Pdu, type Session } from 'smpp'
import type { Random } from '../histories/random.ts'

/**
 * A provider's treatment of one message. `lost`: it takes the message, and its answer is lost; `cut`: it takes no
 * message.
 */
export const faults = ['fine', 'slow', 'busy', 'refuse', 'lost', 'cut', 'twice', 'silent'] as const
export type Fault = (typeof faults)[number]

/** A message that a provider took, whether or not its answer arrived. */
export interface Taken {
  readonly channel: 'sms' | 'email'
  readonly to: string
  readonly text: string
}

/** The test's decisions while messages arrive. */
export interface ProviderDeps {
  draw(): Fault
  readonly random: Random
  readonly taken: Taken[]
  /** A message is there and not answered yet. */
  arrived(): void
  answered(): void
}

/** A provider of SMS or e-mail in the process of the test. */
export interface StandIn {
  /** The settings with which the platform finds the provider. */
  readonly env: Readonly<Record<string, string>>
  /** Cuts every connection and accepts none until `back`. */
  vanish(): void
  back(): Promise<void>
  /** Whether it has sent all its receipts. */
  isDone(): boolean
  close(): Promise<void>
}

const slowMsMax = 250

const listen = (server: Server | HttpServer, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/** Keeps the connections of a server, to cut them. */
function listenerOf(server: Server | HttpServer, port: number) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const closed = () =>
    new Promise<void>((resolve) => {
      if (!server.listening) return resolve()
      server.close(() => resolve())
      cut()
    })
  return {
    vanish: () => void closed(),
    async back() {
      if (!server.listening) await listen(server, port)
    },
    close: closed,
  }
}

/** A message centre with SMPP, which repeats each receipt until it is acknowledged. */
export async function startSmsCentre(deps: ProviderDeps): Promise<StandIn> {
  const parts = new Map<string, string[]>()
  const receipts = new Set<string>()
  const sessions = new Set<Session>()
  let lastId = 0

  const tell = (session: Session, id: string) => {
    const deliver = (session as Session & { deliver_sm(pdu: object, answered: (pdu: Pdu) => void): boolean })
      .deliver_sm
    const message = `id:${id} sub:001 dlvrd:001 stat:DELIVRD err:000 text:`
    deliver.call(session, { esm_class: 4, short_message: { message } }, ({ command_status: status }) => {
      if (status === 0) receipts.delete(id)
      else setTimeout(() => tell(session, id), 20)
    })
  }

  /** Notes a part; the message is taken when all of its parts are. */
  const take = (pdu: Pdu): string => {
    const { message = '', udh = [] } = pdu.short_message ?? { message: '' }
    const [, , reference = 0, total = 1, place = 1] = udh[0] ? [0, 0, ...udh[0].subarray(-3)] : []
    const to = String(pdu.destination_addr)
    const key = `${to}/${reference}/${total}`
    const all = parts.get(key) ?? []
    all[place - 1] = message
    parts.set(key, all)
    if (all.filter((part) => part !== undefined).length === total) {
      parts.delete(key)
      deps.taken.push({ channel: 'sms', to: to.slice(2), text: all.join('') })
    }
    const id = `part-${++lastId}`
    receipts.add(id)
    return id
  }

  const centre = smpp.createServer((session) => {
    session.on('error', () => {})
    session.on('close', () => sessions.delete(session))
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()))
    session.on('bind_transceiver', (pdu: Pdu) => {
      sessions.add(session)
      session.send(pdu.response())
      for (const id of receipts) tell(session, id)
    })
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response())
      session.close()
    })
    session.on('submit_sm', (pdu: Pdu) => {
      const fault = deps.draw()
      deps.arrived()
      if (fault === 'cut') return session.destroy()
      if (fault === 'busy') return void session.send(pdu.response({ command_status: 0x58 }))
      if (fault === 'refuse') return void session.send(pdu.response({ command_status: 0x0b }))
      const id = take(pdu)
      if (fault === 'lost') return session.destroy()
      if (fault === 'silent') return
      const answer = () => {
        session.send(pdu.response({ message_id: id }))
        if (fault === 'twice') session.send(pdu.response({ message_id: id }))
        deps.answered()
        tell(session, id)
        if (fault === 'twice') tell(session, id)
      }
      if (fault === 'slow') setTimeout(answer, deps.random.below(slowMsMax))
      else answer()
    })
  })
  const port = await listen(centre, 0)
  return {
    env: { SMS_URL: `smpp://busbar@127.0.0.1:${port}` },
    isDone: () => receipts.size === 0,
    ...listenerOf(centre, port),
  }
}

/** An SMS service that is called by signed HTTP. It sends no receipts. */
export async function startSmsService(deps: ProviderDeps, secretFile: string): Promise<StandIn> {
  let lastId = 0
  const server = createHttp(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    const fault = deps.draw()
    deps.arrived()
    const cut = () => request.socket.destroy()
    const answer = (json: object, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
      deps.answered()
    }
    if (fault === 'cut') return cut()
    if (fault === 'busy') return answer({ Code: 'isv.BUSINESS_LIMIT_CONTROL' })
    if (fault === 'refuse') return answer({ Code: 'isv.MOBILE_NUMBER_ILLEGAL' })
    const { text = '', device = '', alarm = '', count = '' } = JSON.parse(form.get('TemplateParam') ?? '{}')
    deps.taken.push({
      channel: 'sms',
      to: form.get('PhoneNumbers') ?? '',
      text: text || (count ? `${device}: ${count} alarms` : `${device}: ${alarm}`),
    })
    if (fault === 'lost') {
      // In front of the service stands a proxy that gives up before the service answers.
      if (deps.random.chance(0.5)) return cut()
      response.writeHead(504, { 'content-type': 'text/html' }).end('<html>Gateway Timeout</html>')
      return
    }
    if (fault === 'silent') return
    const id = `biz-${++lastId}`
    const accept = () => {
      answer({ Code: 'OK', BizId: id })
      if (fault === 'twice')
        request.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{"Code":"OK"}')
    }
    if (fault === 'slow') setTimeout(accept, deps.random.below(slowMsMax))
    else accept()
  })
  const port = await listen(server, 0)
  return {
    env: {
      SMS_URL: `http://busbar@127.0.0.1:${port}`,
      SMS_SECRET_FILE: secretFile,
      SMS_TEMPLATE: 'SMS_1',
    },
    isDone: () => true,
    ...listenerOf(server, port),
  }
}

/** An SMTP server. `env` has its port. */
export async function startMailServer(deps: ProviderDeps): Promise<StandIn> {
  const server = createServer((socket) => {
    let rest = ''
    let mail: string | undefined
    let to = ''
    let fault: Fault = 'fine'
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 mail.example.test ESMTP')
    const finish = (text: string) => {
      deps.arrived()
      if (fault === 'cut') return socket.destroy()
      if (fault === 'busy') return say('451 try again later')
      if (fault === 'refuse') return say('554 not this one')
      deps.taken.push({ channel: 'email', to, text: text.replaceAll('=\r\n', '') })
      if (fault === 'lost') return socket.destroy()
      if (fault === 'silent') return
      const answer = () => {
        say('250 queued')
        if (fault === 'twice') say('250 queued')
        deps.answered()
      }
      if (fault === 'slow') setTimeout(answer, deps.random.below(slowMsMax))
      else answer()
    }
    const read = (line: string) => {
      if (mail !== undefined) {
        if (line === '.') {
          const text = mail
          mail = undefined
          finish(text)
        } else mail += `${line}\r\n`
        return
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'EHLO' || command === 'HELO') say('250 mail.example.test')
      else if (command === 'MAIL') {
        fault = deps.draw()
        say('250 ok')
      } else if (command === 'RCPT') {
        to = /<(.*)>/.exec(line)?.[1] ?? ''
        say('250 ok')
      } else if (command === 'DATA') {
        mail = ''
        say('354 go on')
      } else if (command === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
    socket.on('data', (bytes) => {
      rest += bytes.toString()
      const lines = rest.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) read(line)
    })
  })
  const port = await listen(server, 0)
  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, EMAIL_SENDER: 'no-reply@example.test' },
    isDone: () => true,
    ...listenerOf(server, port),
  }
}
