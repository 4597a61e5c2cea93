import { setTimeout as sleep } from 'node:timers/promises'
import {
  applications,
  type Client,
  machines as contract,
  createClient,
  telemetry,
  visits,
} from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  blacklistUser,
  createMachine,
  createUser,
  grantMachine,
  proveSession,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { type ModbusRig, startModbusRig, targetTemperature } from './modbus-rig.ts'
import type { Site } from './site.ts'
import type { Lang } from './texts.ts'

const readyMs = 30_000
const askPauseMs = 250

/** A machine of the demo person of one language, with people and a past, for pictures of visits and rights. */
export interface SceneMachine extends TestMachine {
  readonly name: string
  readonly modbusRig: ModbusRig
  /** Its owner, in the session of the browser's cookies. */
  readonly owner: Client
  /** A visitor with read-write access. */
  readonly guest: Client
  readonly guestName: string
  /** Of the guest's, who may offer it. */
  readonly offered: TestMachine
  readonly ownerId: number
  /** Another one of the owner's that never connected. */
  readonly away: TestMachine
}

export interface VisitScene {
  readonly machines: Readonly<Record<Lang, SceneMachine>>
  /** The code of a machine that these people cannot access. */
  readonly strangersCode: string
  /** The address of a machine's page. */
  visitUrl(code: string): string
  /** Ends every visit and starts what was stopped. */
  rest(): Promise<void>
  close(): Promise<void>
}

type Cookies = { readonly cookies: readonly { readonly name: string; readonly value: string }[] }

const names = {
  cn: {
    machine: '二号杀菌机',
    away: '备用杀菌机',
    guest: '李明',
    over: '周伟',
    bkey: '陈晓燕',
    offered: '旧包装线',
    applicants: ['王海', '刘强'],
    wish: '维修 3 号泵',
    blocked: '孙强',
  },
  en: {
    machine: 'Plate pasteuriser',
    away: 'Spare pasteuriser',
    guest: 'Ben Carter',
    over: 'Olga Petrova',
    bkey: 'Maria Schneider-Lindqvist',
    offered: 'Old packing line',
    applicants: ['Arthur Wellington-Smythe', 'Priya Raman'],
    wish: 'Check pump 3',
    blocked: 'Tom Baker',
  },
} as const

/** Makes the machines and starts their agents. */
export async function startVisitScene(site: Site, cookies: Record<Lang, Cookies>): Promise<VisitScene> {
  const db = await site.openDatabase()
  const open = (lang: Lang) => openMachine(site, db, lang, tokenOf(cookies[lang]))
  const machines = { cn: await open('cn'), en: await open('en') }
  const stranger = await createMachine(db)
  const { protocol, port } = new URL(site.url)
  return {
    machines,
    strangersCode: stranger.code,
    visitUrl: (code) => `${protocol}//${code}.visit.localhost:${port}/`,
    async rest() {
      for (const { owner, guest, machineId, modbusRig } of Object.values(machines)) {
        const { list } = await owner.call(visits.listVisits, { machineId, live: true, pageSize: 200 })
        for (const { sessionId } of list) await owner.call(visits.endVisit, { sessionId })
        modbusRig.setAlarm(false)
        for (const { applyId, mine } of await guest.call(contract.listTransfers, {}))
          if (mine) await guest.call(contract.answerTransfer, { applyId, action: 'withdraw' })
      }
    },
    async close() {
      for (const { modbusRig } of Object.values(machines)) await modbusRig.close()
      await db.destroy()
    },
  }
}

function tokenOf({ cookies }: Cookies): string {
  const cookie = cookies.find(({ name }) => name === 'token')
  if (!cookie) throw new Error('the demo account has no session')
  return cookie.value
}

async function openMachine(site: Site, db: Database, lang: Lang, token: string): Promise<SceneMachine> {
  const account = lang === 'cn' ? site.demo?.accountCn : site.demo?.account
  const { id: ownerId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', account ?? '')
    .executeTakeFirstOrThrow()
  const clientOf = (one: string): Client =>
    createClient({ baseUrl: site.url, lang: () => lang, token: () => one })
  const machine = await createMachine(db, { name: names[lang].machine, type: 'pasteuriser', owner: ownerId })
  const away = await createMachine(db, { name: names[lang].away, type: 'pasteuriser', owner: ownerId })
  const guest = await createPeople(db, lang, machine.machineId)
  const modbusRig = await startModbusRig(site, machine, {
    tunnelUrl: site.tunnelUrl,
    // Listed targets need not exist.
    targets: [{ name: 'mixer', url: 'http://127.0.0.1:9' }],
  })
  modbusRig.setHoldTemperature(72.5)
  await modbusRig.startAgent()
  const scene: SceneMachine = {
    ...machine,
    name: names[lang].machine,
    modbusRig,
    owner: clientOf(token),
    guest: clientOf(guest.token),
    guestName: names[lang].guest,
    offered: await createMachine(db, { name: names[lang].offered, owner: guest.userId }),
    ownerId,
    away,
  }
  await makePast(scene)
  await makeApplications(scene, lang, async (name) => clientOf((await createUser(db, { name, lang })).token))
  return scene
}

async function createPeople(db: Database, lang: Lang, machineId: number): Promise<TestUser> {
  const person = (name: string) => createUser(db, { name, lang })
  const { guest, over, bkey, blocked } = names[lang]
  const visitor = await person(guest)
  const minutes = (count: number) => new Date(Date.now() + count * 60_000)
  // A person who gives a device away has proved their identity.
  await proveSession(db, visitor.sessionId)
  await grantMachine(db, visitor.userId, machineId, { role: 'visitor', until: minutes(200) })
  await grantMachine(db, (await person(over)).userId, machineId, { role: 'visitor', until: minutes(-1) })
  await grantMachine(db, (await person(bkey)).userId, machineId, { role: 'bkey' })
  await blacklistUser(db, (await person(blocked)).userId, machineId)
  return visitor
}

/** An ended visit and two writes: one that the machine accepted and one that it refused. */
async function makePast({ owner, guest, machineId }: SceneMachine): Promise<void> {
  const tag = await untilFound(async () => {
    const { online } = await owner.call(visits.checkVisit, { machineID: machineId, terminalID: 'screens' })
    const tags = await owner.call(telemetry.listTags, { machineId })
    const isTarget = ({ name }: telemetry.Tag) => Object.values(targetTemperature).some((one) => one === name)
    return online ? tags.find(isTarget) : undefined
  })
  const { sessionId } = await openVisit(guest, machineId)
  await guest.call(visits.endVisit, { sessionId })
  for (const value of [75, 92]) {
    const { commandId } = await owner.call(telemetry.writeTag, { machineId, tagId: tag.tagId, value })
    await untilFound(async () => {
      const { list } = await owner.call(visits.listMachineWrites, { machineId })
      return list.find(({ id, state }) => id === commandId && state !== 'sent')
    })
  }
}

/** People who ask to visit: one was refused and asks to become a Bkey, the other one waits. */
async function makeApplications(
  { owner, machineId, code, name }: SceneMachine,
  lang: Lang,
  makePerson: (name: string) => Promise<Client>,
): Promise<void> {
  const { applicants, wish } = names[lang]
  for (const [place, applicant] of applicants.entries()) {
    const person = await makePerson(applicant)
    await person.call(contract.addMachine, { machineName: name, machineCode: code })
    const visit = { machineID: machineId, terminalID: 'screens', terminalName: 'Chrome 153 · Windows' }
    const { applyId } = await person.call(applications.applyForVisit, { ...visit, message: wish })
    if (place > 0 || applyId === null) continue
    await owner.call(applications.verifyVisit, { applyId, pass: false })
    await person.call(applications.applyForBind, { machineID: machineId })
  }
}

/** Repeats a call, half a minute at most. */
async function untilFound<Found>(ask: () => Promise<Found | undefined>): Promise<Found> {
  for (const until = Date.now() + readyMs; Date.now() < until; await sleep(askPauseMs)) {
    const found = await ask()
    if (found !== undefined) return found
  }
  throw new Error('the machine of the pictures did not get ready')
}

/** Opens a visit without a browser. */
export function openVisit(client: Client, machineID: number) {
  return client.call(visits.openVisit, { machineID, terminalID: 'screens' })
}

/** The guest is inside and in control; the owner watches and gets no requests. */
export async function letGuestControl({ owner, guest, machineId }: SceneMachine): Promise<void> {
  const { sessionId } = await openVisit(guest, machineId)
  await owner.call(visits.controlVisit, { sessionId, action: 'hand' })
}
