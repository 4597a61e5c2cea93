import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  type BoardChange,
  BoardChangeSchema,
  type Client,
  ClientSchema,
  type DeviceAudit,
  DeviceAuditSchema,
  type DeviceInform,
  DeviceInformSchema,
  type HistoryChange,
  HistoryChangeSchema,
  type MachineCheck,
  MachineCheckSchema,
  type MachineState,
  MachineStateSchema,
  type PlaceChange,
  PlaceChangeSchema,
  PushSchema,
  QrLoginSchema,
  Scene,
  type SiteChange,
  SiteChangeSchema,
  TagsChangeSchema,
  type TagValue,
  TagValuesSchema,
  type UnreadCount,
  UnreadCountSchema,
  type UserLogout,
  UserLogoutSchema,
  type VisitSession,
  VisitSessionSchema,
  type WriteResult,
  WriteResultSchema,
} from '@busbar/contract/push'
import { WebSocket } from 'ws'

const deadlineMs = 10_000

/** A decoded message of a push socket. */
export type PushEvent =
  | { readonly scene: 'heartbeat' }
  | { readonly scene: 'machineState'; readonly id: string; readonly state: MachineState }
  | { readonly scene: 'values'; readonly machineId: string; readonly values: TagValue[] }
  | { readonly scene: 'history'; readonly change: HistoryChange }
  | { readonly scene: 'place'; readonly id: string; readonly place: PlaceChange }
  | { readonly scene: 'tags'; readonly machineId: string }
  | { readonly scene: 'check'; readonly id: string; readonly check: MachineCheck }
  | { readonly scene: 'writeResult'; readonly id: string; readonly result: WriteResult }
  | { readonly scene: 'logout'; readonly logout: UserLogout }
  | { readonly scene: 'spaces' }
  | { readonly scene: 'qrLogin'; readonly state: number }
  | { readonly scene: 'visit'; readonly id: string; readonly visit: VisitSession }
  | {
      readonly scene: 'audit'
      readonly id: string
      readonly kind: 'bind' | 'visit'
      readonly audit: DeviceAudit
    }
  | { readonly scene: 'unread'; readonly id: string; readonly unread: UnreadCount }
  | { readonly scene: 'site'; readonly id: string; readonly change: SiteChange }
  | { readonly scene: 'board'; readonly id: string; readonly change: BoardChange }
  | { readonly scene: 'alarm' | 'voice'; readonly alarm: DeviceInform }

/** An outside page on /echo.io: remembers everything it got, in order. */
export class PushClient {
  readonly events: PushEvent[] = []
  closed: { code: number; reason: string } | undefined
  readonly #ws: WebSocket
  readonly #waiting = new Set<() => void>()

  private constructor(ws: WebSocket) {
    this.#ws = ws
    ws.binaryType = 'nodebuffer'
    ws.on('message', (data: Buffer) => {
      this.events.push(decode(data))
      this.#wake()
    })
    ws.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
      this.#wake()
    })
  }

  /** Opens a socket; resolves once the handshake is done. */
  static async open(baseUrl: string, sid: string): Promise<PushClient> {
    const ws = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/echo.io?sid=${encodeURIComponent(sid)}`)
    const client = new PushClient(ws)
    await new Promise<void>((resolve, reject) => {
      ws.once('open', () => resolve())
      ws.once('error', reject)
    })
    return client
  }

  watch(machineId: number, tagIds: readonly number[] = []): void {
    this.#send({ case: 'watch', value: { machineId: String(machineId), tagIds: tagIds.map(String) } })
  }

  unwatch(machineId: number): void {
    this.#send({ case: 'unwatch', value: { machineId: String(machineId) } })
  }

  attend(visitId: number): void {
    this.#send({ case: 'attend', value: { sessionId: String(visitId) } })
  }

  unattend(visitId: number): void {
    this.#send({ case: 'unattend', value: { sessionId: String(visitId) } })
  }

  resume(id: string): void {
    this.#send({ case: 'resume', value: { id } })
  }

  heartbeat(): void {
    this.#send({ case: 'heartbeat', value: {} })
  }

  sendRaw(data: Buffer | string): void {
    this.#ws.send(data)
  }

  /** The first event, including past ones, for which `pick` returns a value. */
  async find<T>(pick: (event: PushEvent) => T | undefined): Promise<T> {
    return this.#until(() => {
      for (const event of this.events) {
        const found = pick(event)
        if (found !== undefined) return found
      }
      return undefined
    }, 'an event that did not come')
  }

  /** Waits until the server has closed the socket. */
  async waitForClose(): Promise<{ code: number; reason: string }> {
    return this.#until(() => this.closed, 'a close that did not come')
  }

  close(): void {
    this.#ws.terminate()
  }

  async #until<T>(look: () => T | undefined, what: string): Promise<T> {
    const found = look()
    if (found !== undefined) return found
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(check)
        reject(new Error(`waited ${deadlineMs} ms for ${what}; got ${JSON.stringify(this.events.slice(-5))}`))
      }, deadlineMs)
      const check = () => {
        const now = look()
        if (now === undefined) return
        clearTimeout(timer)
        this.#waiting.delete(check)
        resolve(now)
      }
      this.#waiting.add(check)
    })
  }

  #wake(): void {
    for (const check of [...this.#waiting]) check()
  }

  #send(kind: { case: string; value: object }): void {
    this.#ws.send(toBinary(ClientSchema, create(ClientSchema, { kind } as unknown as Client)))
  }
}

function decode(data: Buffer): PushEvent {
  const push = fromBinary(PushSchema, data)
  if (push.scene === Scene.MACHINE_STATE) {
    return { scene: 'machineState', id: push.id, state: fromBinary(MachineStateSchema, push.body) }
  }
  if (push.scene === Scene.TAG_VALUES) {
    const { machineId, values } = fromBinary(TagValuesSchema, push.body)
    return { scene: 'values', machineId, values }
  }
  if (push.scene === Scene.HISTORY_CHANGE)
    return { scene: 'history', change: fromBinary(HistoryChangeSchema, push.body) }
  if (push.scene === Scene.WRITE_RESULT) {
    return { scene: 'writeResult', id: push.id, result: fromBinary(WriteResultSchema, push.body) }
  }
  if (push.scene === Scene.VISIT_SESSION)
    return { scene: 'visit', id: push.id, visit: fromBinary(VisitSessionSchema, push.body) }
  if (push.scene === Scene.USER_LOGOUT)
    return { scene: 'logout', logout: fromBinary(UserLogoutSchema, push.body) }
  if (push.scene === Scene.BIND || push.scene === Scene.VISIT) {
    const kind = push.scene === Scene.BIND ? 'bind' : 'visit'
    return { scene: 'audit', id: push.id, kind, audit: fromBinary(DeviceAuditSchema, push.body) }
  }
  if (push.scene === Scene.UNREAD)
    return { scene: 'unread', id: push.id, unread: fromBinary(UnreadCountSchema, push.body) }
  if (push.scene === Scene.TAGS_CHANGE)
    return { scene: 'tags', machineId: fromBinary(TagsChangeSchema, push.body).machineId }
  if (push.scene === Scene.PLACE_CHANGE)
    return { scene: 'place', id: push.id, place: fromBinary(PlaceChangeSchema, push.body) }
  if (push.scene === Scene.MACHINE_CHECK)
    return { scene: 'check', id: push.id, check: fromBinary(MachineCheckSchema, push.body) }
  if (push.scene === Scene.BOARD_CHANGE)
    return { scene: 'board', id: push.id, change: fromBinary(BoardChangeSchema, push.body) }
  if (push.scene === Scene.SITE_CHANGE)
    return { scene: 'site', id: push.id, change: fromBinary(SiteChangeSchema, push.body) }
  if (push.scene === Scene.SPACE_CHANGE) return { scene: 'spaces' }
  if (push.scene === Scene.QR_LOGIN)
    return { scene: 'qrLogin', state: fromBinary(QrLoginSchema, push.body).state }
  // Tests mark a place in the stream by one without a body.
  if ((push.scene === Scene.DEVICE_ALARM || push.scene === Scene.VOICE) && push.body.length > 0) {
    const alarm = fromBinary(DeviceInformSchema, push.body)
    return { scene: push.scene === Scene.VOICE ? 'voice' : 'alarm', alarm }
  }
  return { scene: 'heartbeat' }
}
