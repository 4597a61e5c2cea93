import { access, applications, type Client, machines } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import type { Random } from './random.ts'
import type { State } from './state.ts'

/** One call of one person. Ids are those of the state it was drawn from: their rows may be gone by then. */
export type Operation = { readonly user: number } & (
  | {
      readonly call: 'applyForVisit'
      readonly machine: number
      readonly wish: 'ro' | 'rw'
      readonly ticket?: string
    }
  | { readonly call: 'applyForBind'; readonly machine: number; readonly ticket?: string }
  | {
      readonly call: 'verifyVisit'
      readonly id: number
      readonly pass: boolean
      readonly blacklist: boolean
      readonly minutes: number
      readonly mode: 'ro' | 'rw'
    }
  | { readonly call: 'verifyBind'; readonly id: number; readonly pass: boolean; readonly blacklist: boolean }
  | { readonly call: 'cancel'; readonly id: number }
  | { readonly call: 'addBkey'; readonly machine: number; readonly whom: number }
  | {
      readonly call: 'addVisitor'
      readonly machine: number
      readonly whom: number
      readonly minutes: number
      readonly mode: 'ro' | 'rw'
    }
  | { readonly call: 'updateLevel'; readonly grant: number; readonly limit: 0 | 2 }
  | { readonly call: 'endVisitTime'; readonly grant: number; readonly machine: number }
  | { readonly call: 'setVisitTime'; readonly grant: number; readonly minutes: number }
  | { readonly call: 'removeVisitor'; readonly grant: number }
  | {
      readonly call: 'setReadOnly'
      readonly machine: number
      readonly whom: number
      readonly readOnly: boolean
    }
  | { readonly call: 'blacklist'; readonly machine: number; readonly whom: number }
  | { readonly call: 'unblacklist'; readonly machine: number; readonly whom: number }
  | { readonly call: 'setCheckType'; readonly machine: number; readonly checkType: 0 | 1 }
  | { readonly call: 'add'; readonly machine: number; readonly password: boolean }
  | { readonly call: 'remove'; readonly machine: number }
  | { readonly call: 'offer'; readonly machine: number; readonly whom: number }
  | { readonly call: 'answerTransfer'; readonly id: number; readonly action: machines.TransferAction }
  | { readonly call: 'createGroup'; readonly name: string }
  | { readonly call: 'renameGroup'; readonly id: number; readonly name: string }
  | { readonly call: 'fillGroup'; readonly id: number; readonly machineIds: readonly number[] }
  | { readonly call: 'removeGroup'; readonly id: number }
)

/** The people and things of a history. */
export interface Cast {
  readonly people: ReadonlyMap<number, TestUser>
  readonly machines: ReadonlyMap<number, { readonly code: string; readonly name: string }>
}

/** Every machine of a history has this password. */
export const machinePassword = 'histories-9'

const minutesDrawn = [-1, 10, 10, 60, 600] as const
/** An id of nothing: the first row of a fresh database is 1, which another call may make at that moment. */
const unknownId = 1_000_000
const groupNames = ['Hall 1', 'Hall 2', 'Presses'] as const

/** The weight of each call in the draw. */
const weights: Readonly<Record<Operation['call'], number>> = {
  applyForVisit: 10,
  applyForBind: 8,
  verifyVisit: 14,
  verifyBind: 14,
  cancel: 4,
  addBkey: 6,
  addVisitor: 5,
  updateLevel: 6,
  endVisitTime: 3,
  setVisitTime: 4,
  removeVisitor: 3,
  setReadOnly: 8,
  blacklist: 3,
  unblacklist: 4,
  setCheckType: 2,
  add: 12,
  remove: 6,
  offer: 5,
  answerTransfer: 10,
  createGroup: 2,
  renameGroup: 2,
  fillGroup: 3,
  removeGroup: 2,
}
const calls = Object.entries(weights).flatMap(([call, weight]) =>
  Array<Operation['call']>(weight).fill(call as Operation['call']),
)

/** Calls that name a grant by its id. */
const grantCalls = new Set<string>(['updateLevel', 'endVisitTime', 'setVisitTime', 'removeVisitor'])

/** Draws a call that succeeds more often than not: mostly by a person with the right, on an existing thing. */
export function drawOperation(random: Random, state: State, cast: Cast): Operation {
  const people = [...cast.people.keys()]
  const call = random.pickAny(calls) ?? 'add'
  const user = random.pickAny(people) ?? 0
  const whom = random.pickAny(people) ?? 0
  const application = random.pickAny(
    [...state.applications].filter(
      ([, { kind, state: at }]) =>
        (call === 'cancel' || call.toLowerCase().endsWith(kind)) && (at < 3 || random.chance(0.03)),
    ),
  )
  const held = random.pickAny([...state.grants])
  // A person answers open applications, and changes existing rights.
  const named = { application: application?.[1].machine, grant: held && Number(held[0].split('/')[0]) }
  const anyMachine = random.pickAny([...cast.machines.keys()]) ?? 0
  const machine =
    (call.startsWith('verify') ? named.application : grantCalls.has(call) ? named.grant : undefined) ??
    anyMachine
  const keys = [
    state.machines.get(machine)?.owner ?? user,
    ...[...state.grants]
      .filter(([pair, { role }]) => role === 'bkey' && pair.startsWith(`${machine}/`))
      .map(([pair]) => Number(pair.split('/')[1])),
  ]
  const holders = [...state.grants.keys()]
    .filter((pair) => pair.startsWith(`${machine}/`))
    .map((pair) => Number(pair.split('/')[1]))
  const key = random.chance(0.85) ? (random.pickAny(keys) ?? user) : user
  const akey = random.chance(0.85) ? (state.machines.get(machine)?.owner ?? user) : user
  const mode = random.pick(['ro', 'rw'])
  const minutes = random.pick(minutesDrawn)
  const grant = held?.[1].id ?? unknownId
  const group = random.pickAny([...state.groups].filter(([, each]) => each.user === user))?.[0] ?? unknownId
  const applicationId = application?.[0] ?? unknownId
  const pass = random.chance(0.75)
  const blacklist = !pass && random.chance(0.2)
  switch (call) {
    case 'applyForVisit':
      return { call, user, machine, wish: mode }
    case 'applyForBind':
      return { call, user, machine }
    case 'verifyVisit':
      return { call, user: key, id: applicationId, pass, blacklist, minutes, mode }
    case 'verifyBind':
      return { call, user: key, id: applicationId, pass, blacklist }
    case 'cancel':
      return {
        call,
        user: random.chance(0.8) ? (application?.[1].user ?? user) : user,
        id: applicationId,
      }
    case 'addBkey':
      return { call, user: key, machine, whom }
    case 'addVisitor':
      return { call, user: key, machine, whom, minutes, mode }
    case 'updateLevel':
      return { call, user: key, grant, limit: random.pick([0, 2]) }
    case 'endVisitTime':
      return { call, user: key, grant, machine }
    case 'setVisitTime':
      return { call, user: key, grant, minutes }
    case 'removeVisitor':
      return { call, user: key, grant }
    case 'setReadOnly':
      return {
        call,
        user: key,
        machine,
        // Mostly for a holder, so that Bkeys with read-only access are givers and receivers as well.
        whom: random.chance(0.8) ? (random.pickAny(holders) ?? whom) : whom,
        readOnly: random.chance(0.6),
      }
    case 'blacklist':
    case 'unblacklist':
      return { call, user: key, machine, whom }
    case 'setCheckType':
      return { call, user: key, machine, checkType: random.pick([0, 1]) }
    case 'add':
      return { call, user, machine, password: random.chance(0.7) }
    case 'remove':
      return { call, user: random.chance(0.3) ? akey : user, machine }
    case 'offer':
      return { call, user: akey, machine, whom }
    case 'answerTransfer': {
      const id =
        random.pickAny([...state.transfers].filter(([, each]) => each.state === 'waiting'))?.[0] ?? unknownId
      const offer = state.transfers.get(id)
      const action = random.pick(['accept', 'accept', 'refuse', 'withdraw'])
      const by = action === 'withdraw' ? offer?.from : offer?.to
      return { call, user: random.chance(0.85) ? (by ?? user) : user, id, action }
    }
    case 'createGroup':
      return { call, user, name: random.pick(groupNames) }
    case 'renameGroup':
      return { call, user, id: group, name: random.pick(groupNames) }
    case 'fillGroup':
      return { call, user, id: group, machineIds: [...cast.machines.keys()].filter(() => random.chance(0.5)) }
    case 'removeGroup':
      return { call, user, id: group }
  }
}

/** Makes the call as a person's program would. */
export function callOperation(
  client: Client,
  operation: Operation,
  cast: Cast,
  now: number,
): Promise<unknown> {
  const codeOf = (machine: number) => cast.machines.get(machine)?.code ?? ''
  const accountOf = (user: number) => ({ account: cast.people.get(user)?.email ?? '' })
  const until = (minutes: number) => (minutes < 0 ? minutes : now + minutes * 60_000)
  switch (operation.call) {
    case 'applyForVisit':
      return client.call(applications.applyForVisit, {
        machineID: operation.machine,
        terminalID: 'histories',
        mode: operation.wish,
        ticket: operation.ticket,
      })
    case 'applyForBind':
      return client.call(applications.applyForBind, {
        machineID: operation.machine,
        ticket: operation.ticket,
      })
    case 'verifyVisit':
      return client.call(applications.verifyVisit, {
        applyId: operation.id,
        pass: operation.pass,
        blacklist: operation.blacklist,
        mode: operation.mode,
        validTime: operation.minutes,
      })
    case 'verifyBind':
      return client.call(applications.verifyBind, {
        applyId: operation.id,
        pass: operation.pass,
        blacklist: operation.blacklist,
      })
    case 'cancel':
      return client.call(applications.cancelApplication, { applyId: operation.id })
    case 'addBkey':
      return client.call(access.addBkey, { machineID: operation.machine, ...accountOf(operation.whom) })
    case 'addVisitor':
      return client.call(access.addVisitor, {
        machineID: operation.machine,
        ...accountOf(operation.whom),
        validTime: operation.minutes,
        mode: operation.mode,
      })
    case 'updateLevel':
      return client.call(access.updateLevel, { id: operation.grant, limit: operation.limit })
    case 'endVisitTime':
      return client.call(access.endVisitTime, {
        visitAlidTimeID: operation.grant,
        machineID: operation.machine,
      })
    case 'setVisitTime':
      return client.call(access.setVisitTime, {
        visitTimeId: operation.grant,
        visitTime: until(operation.minutes),
      })
    case 'removeVisitor':
      return client.call(access.removeVisitor, { visitTimeId: operation.grant })
    case 'setReadOnly':
      return client.call(access.setReadOnly, {
        machineID: operation.machine,
        userID: operation.whom,
        limitRead: operation.readOnly ? 1 : 0,
      })
    case 'blacklist':
      return client.call(access.addToBlacklist, { deviceId: operation.machine, userId: operation.whom })
    case 'unblacklist':
      return client.call(access.removeFromBlacklist, { deviceId: operation.machine, userId: operation.whom })
    case 'setCheckType':
      return client.call(access.updateMachineInfo, {
        machineCode: codeOf(operation.machine),
        checkType: operation.checkType,
        password: machinePassword,
      })
    case 'add':
      return client.call(machines.addMachine, {
        machineCode: codeOf(operation.machine),
        machineName: cast.machines.get(operation.machine)?.name ?? '',
        ...(operation.password ? { machinePwd: machinePassword } : {}),
      })
    case 'remove':
      return client.call(machines.removeMachine, { delMachineID: operation.machine })
    case 'offer':
      return client.call(machines.offerMachine, {
        machineID: operation.machine,
        ...accountOf(operation.whom),
      })
    case 'answerTransfer':
      return client.call(machines.answerTransfer, { applyId: operation.id, action: operation.action })
    case 'createGroup':
      return client.call(machines.createUserGroup, { name: operation.name })
    case 'renameGroup':
      return client.call(machines.updateUserGroup, { id: operation.id, name: operation.name })
    case 'fillGroup':
      return client.call(machines.updateUserGroup, {
        id: operation.id,
        machineIds: [...operation.machineIds],
      })
    case 'removeGroup':
      return client.call(machines.removeUserGroup, { id: operation.id })
  }
}
