import {
  readFlag,
  readList,
  readNumber,
  readObject,
  readOneOf,
  readText,
  ShapeError,
} from './checked-json.ts'
import type { Lang, ListedMachine, ListedPort, Mode } from './model.ts'
import { isPortKind } from './port-kind.ts'

const timeoutMs = 15_000
const answerBytesMax = 8 * 1024 * 1024
const pageSize = 100
const pagesMax = 50
/** No tunnel of the machine answers; spelled as the platform does. */
const machineAway = 'ClOUD_VISIT_TIMEOUT'

/** A call that did not succeed. `http` is 0 when no answer came. */
export class ApiFailure extends Error {
  readonly http: number
  readonly code: string
  /** The person in control, where the platform names them. */
  readonly who: string

  constructor(http: number, code: string, message: string, who = '') {
    super(message)
    this.http = http
    this.code = code
    this.who = who
  }

  /** The same call may succeed in a moment; also where the machine is away. */
  get isPassing(): boolean {
    const isAway = this.code === machineAway
    return isAway || this.http === 0 || this.http === 408 || this.http === 429 || this.http >= 500
  }
}

export interface DeviceCode {
  readonly deviceCode: string
  readonly userCode: string
  readonly verifyUrl: string
  readonly expireInS: number
  readonly intervalS: number
}

/** A visit of ports, and the next line's way in. */
export interface OpenedVisit {
  readonly sessionId: number
  readonly connectUrl: string
  readonly ticket: string
  readonly expireAt: number
  readonly mode: Mode
}

/** A visit that can be handed control. */
export interface Taker {
  readonly sessionId: number
  readonly name: string
  readonly asks: boolean
}

export interface ApiOptions {
  readonly server: string
  readonly lang: Lang
  readonly token?: string
  readonly fetch?: typeof fetch
}

/** The few calls of the platform that the program makes. */
export class Api {
  readonly #options: ApiOptions

  constructor(options: ApiOptions) {
    this.#options = options
  }

  get server(): string {
    return this.#options.server
  }

  async createDeviceCode(terminal: { readonly name: string; readonly id: string }): Promise<DeviceCode> {
    const body = { terminalName: terminal.name, terminalUUID: terminal.id, program: 'connect' }
    const data = readObject(await this.#call('POST', '/api/user/v1/deviceCode', body))
    return {
      deviceCode: readText(data.deviceCode),
      userCode: readText(data.userCode),
      verifyUrl: readText(data.verifyUrl),
      expireInS: readNumber(data.expireIn),
      intervalS: readNumber(data.interval),
    }
  }

  /** The token, or why there is none yet. */
  async redeemDeviceCode(deviceCode: string): Promise<{ token: string } | { state: string }> {
    const data = readObject(await this.#call('POST', '/api/user/v1/deviceCode/token', { deviceCode }))
    return typeof data.token === 'string' ? { token: data.token } : { state: readText(data.state) }
  }

  async whoAmI(): Promise<{ name: string; account: string }> {
    const data = readObject(await this.#call('POST', '/api/user/selectInfo', {}))
    return { name: readText(data.name), account: readText(data.account) }
  }

  async signOut(): Promise<void> {
    await this.#call('POST', '/api/user/logout', {})
  }

  /** The person's devices, and those of their enterprises, by name or code; each once. */
  async listMachines(search: string): Promise<ListedMachine[]> {
    const found = new Map<number, ListedMachine>()
    for (let page = 1; page <= pagesMax; page++) {
      const asked = { page, pageSize, search }
      const data = readObject(await this.#call('POST', '/api/device/v1/detail/page', asked))
      const list = readList(data.list, (item) => {
        const row = readObject(item)
        return {
          id: readNumber(row.deviceId),
          name: readText(row.alias),
          code: readText(row.machineCode),
          online: readFlag(row.online),
        }
      })
      for (const machine of list) found.set(machine.id, machine)
      if (list.length < pageSize) break
    }
    for (const machine of await this.#listOfEnterprises(search))
      if (!found.has(machine.id)) found.set(machine.id, machine)
    return [...found.values()]
  }

  async listPorts(machineId: number): Promise<ListedPort[]> {
    const data = readObject(await this.#call('GET', `/api/v1/visits/ports?machineId=${machineId}`))
    return readList(data.ports, (item) => {
      const port = readObject(item)
      const kind = readText(port.kind)
      return {
        name: readText(port.name),
        // A platform of a later version may know more kinds.
        kind: isPortKind(kind) ? kind : 'other',
        note: readText(port.note),
        roundTripMs: port.roundTripMs === null ? null : readNumber(port.roundTripMs),
        mayChange: readFlag(port.mayChange),
        mayLook: readFlag(port.mayLook),
      }
    })
  }

  /** Opens a visit of ports, or joins the one that this session has at the machine. */
  async openPorts(machineId: number, terminal: string, mode: Mode): Promise<OpenedVisit> {
    const body = { machineID: machineId, terminalID: terminal, mode }
    const data = readObject(await this.#call('POST', '/api/v1/visits/tcp', body))
    const url = new URL(readText(data.connectUrl))
    const isSecure = new URL(this.#options.server).protocol === 'https:'
    // Its tickets would pass in clear, or lead to something that is not a WebSocket.
    if (url.protocol !== 'wss:' && (isSecure || url.protocol !== 'ws:')) throw new ShapeError('connectUrl')
    return {
      sessionId: readNumber(data.sessionId),
      connectUrl: url.href,
      ticket: readText(data.ticket),
      expireAt: readNumber(data.expireAt),
      mode: readOneOf(data.mode, ['ro', 'rw']),
    }
  }

  async endVisit(sessionId: number): Promise<void> {
    await this.#call('DELETE', `/api/v1/visits/${sessionId}`)
  }

  /** The person in control then. */
  async control(
    sessionId: number,
    action: 'take' | 'release' | 'hand',
    to?: number,
  ): Promise<{ isMine: boolean; who: string }> {
    const body = { action, ...(to === undefined ? {} : { to }) }
    const data = readObject(await this.#call('POST', `/api/v1/visits/${sessionId}/control`, body))
    const controller = readObject(data.controller)
    return {
      isMine: readFlag(controller.me),
      who: controller.who === null ? '' : readText(controller.who),
    }
  }

  /** The visits to which this one can hand control over; those that asked for it first. */
  async listTakers(sessionId: number): Promise<Taker[]> {
    const data = readObject(await this.#call('GET', `/api/v1/visits/${sessionId}/takers`))
    return readList(data.takers, (item) => {
      const taker = readObject(item)
      return {
        sessionId: readNumber(taker.sessionId),
        name: readText(readObject(taker.user).name),
        asks: readFlag(taker.asks),
      }
    })
  }

  async #listOfEnterprises(search: string): Promise<ListedMachine[]> {
    const enterprises = readList(
      await this.#call('POST', '/api/enterprises/userEnterpriseList', {}),
      (item) => readNumber(readObject(item).eid),
    )
    const wanted = search.toLowerCase()
    const machines: ListedMachine[] = []
    // Devices of its own, and those that it maintains.
    for (const eid of enterprises)
      for (const type of [1, 2])
        for (let page = 1; page <= pagesMax; page++) {
          const asked = { eid, type, page, pageSize }
          const data = readObject(await this.#call('POST', '/api/enterprises/enterpriseDeviceList', asked))
          const list = readList(data.list, (item) => {
            const row = readObject(item)
            return {
              id: readNumber(row.machineId),
              name: readText(row.deviceName),
              code: readText(row.pn),
              online: readFlag(row.online),
            }
          })
          machines.push(...list)
          if (list.length < pageSize) break
        }
    return machines.filter(({ name, code }) => name.toLowerCase().includes(wanted) || code.includes(wanted))
  }

  /** @throws ApiFailure, ShapeError */
  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const { server, lang, token, fetch: send = fetch } = this.#options
    let http = 0
    let text: string
    try {
      const answer = await send(new URL(path, server), {
        method,
        headers: {
          'accept-language': lang === 'cn' ? 'zh-CN' : 'en',
          'user-agent': 'busbar-connect',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        // Elsewhere somebody else would get the token.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      http = answer.status
      text = await readShort(answer)
    } catch (error) {
      if (error instanceof ShapeError) throw error
      throw new ApiFailure(0, 'network', reasonOf(error))
    }
    let envelope: Readonly<Record<string, unknown>>
    try {
      envelope = readObject(JSON.parse(text))
    } catch {
      // A proxy's own page, for one.
      throw new ApiFailure(http, String(http), `HTTP ${http}`)
    }
    if (http < 400 && envelope.hwcode === 0) return envelope.hwdata
    throw failureOf(http, envelope)
  }
}

function failureOf(http: number, envelope: Readonly<Record<string, unknown>>): ApiFailure {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  const fieldsOf = (value: unknown) => (typeof value === 'object' && value !== null ? readObject(value) : {})
  const error = fieldsOf(envelope.error)
  const code = textOf(error.code) || String(envelope.hwcode)
  const message = textOf(error.message) || textOf(envelope.hwreason) || `HTTP ${http}`
  const data = Array.isArray(envelope.hwdata) ? {} : fieldsOf(envelope.hwdata)
  return new ApiFailure(http, code, message, textOf(data.who))
}

/** @throws ShapeError for an answer that is longer than any of the platform */
async function readShort(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > answerBytesMax) throw new ShapeError('a long answer')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** The system's word for it: `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof Error)
    return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  return error.message
}
