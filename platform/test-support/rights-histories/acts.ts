import { access, applications, type Client, machines } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import type { Act } from '../histories/history.ts'
import type { Random } from '../histories/random.ts'
import type { Outcome, RightsModel } from './rights-model.ts'
import type { Application, State } from './state.ts'

/** The people and things of a history. */
export interface Cast {
  readonly people: ReadonlyMap<number, TestUser>
  readonly machines: ReadonlyMap<number, { readonly code: string; readonly name: string }>
}

/** The state from which calls are drawn. */
export interface Drawn {
  readonly cast: Cast
  readonly state: State
  readonly now: number
}

/** One call of one person. Ids are those of the state it was drawn from: their rows may be gone by then. */
export interface Call {
  readonly act: string
  readonly user: number
  /** Makes it as the person's program would. */
  make(client: Client): Promise<unknown>
  /** Makes it in the model. */
  model(model: RightsModel): Outcome
}

/** Every machine of a history has this password. */
export const machinePassword = 'histories-9'

const minutesDrawn = [-1, 10, 10, 60, 600] as const
/** An id of nothing: the first row of a fresh database is 1, which another call may make at that moment. */
const unknownId = 1_000_000
const groupNames = ['Hall 1', 'Hall 2', 'Presses'] as const

/** Draws who calls and what about, so that a call succeeds more often than not. */
class Draw {
  readonly random: Random
  readonly cast: Cast
  readonly now: number
  readonly #state: State

  constructor({ cast, state, now }: Drawn, random: Random) {
    this.random = random
    this.cast = cast
    this.now = now
    this.#state = state
  }

  person = (): number => this.random.pickAny([...this.cast.people.keys()]) ?? 0
  machine = (): number => this.random.pickAny([...this.cast.machines.keys()]) ?? 0
  mode = (): 'ro' | 'rw' => this.random.pick(['ro', 'rw'])
  minutes = (): number => this.random.pick(minutesDrawn)
  account = (user: number) => ({ account: this.cast.people.get(user)?.email ?? '' })
  code = (machine: number): string => this.cast.machines.get(machine)?.code ?? ''

  /** Mostly somebody with a key. */
  key(machine: number): number {
    const keys = [
      this.#state.machines.get(machine)?.owner ?? this.person(),
      ...this.#holders(machine, 'bkey').map(({ user }) => user),
    ]
    return this.#mostly(this.random.pickAny(keys))
  }

  akey = (machine: number): number => this.#mostly(this.#state.machines.get(machine)?.owner)

  #mostly = (user: number | null | undefined): number =>
    this.random.chance(0.85) ? (user ?? this.person()) : this.person()

  #holders = (machine: number, role?: 'bkey') =>
    [...this.#state.grants]
      .map(([pair, grant]) => ({
        ...grant,
        machine: Number(pair.split('/')[0]),
        user: Number(pair.split('/')[1]),
      }))
      .filter((each) => each.machine === machine && (role === undefined || each.role === role))

  /** Mostly for a holder, so that Bkeys with read-only access are givers and receivers as well. */
  holder = (machine: number): number =>
    this.random.chance(0.8)
      ? (this.random.pickAny(this.#holders(machine))?.user ?? this.person())
      : this.person()

  grant(): { readonly grant: number; readonly machine: number } {
    const held = this.random.pickAny([...this.#state.grants])
    if (!held) return { grant: unknownId, machine: this.machine() }
    return { grant: held[1].id, machine: Number(held[0].split('/')[0]) }
  }

  /** Mostly an open one. */
  application(kind?: Application['kind']): {
    readonly id: number
    readonly machine: number
    readonly user: number
  } {
    const found = this.random.pickAny(
      [...this.#state.applications].filter(
        ([, one]) => (kind === undefined || one.kind === kind) && (one.state < 3 || this.random.chance(0.03)),
      ),
    )
    if (!found) return { id: unknownId, machine: this.machine(), user: this.person() }
    return { id: found[0], machine: found[1].machine, user: found[1].user }
  }

  transfer() {
    const waiting = [...this.#state.transfers].filter(([, { state }]) => state === 'waiting')
    const [id, offer] = this.random.pickAny(waiting) ?? [unknownId, undefined]
    const action = this.random.pick(['accept', 'accept', 'refuse', 'withdraw'])
    return { id, action, user: this.#mostly(action === 'withdraw' ? offer?.from : offer?.to) }
  }

  group = (user: number): number =>
    this.random.pickAny([...this.#state.groups].filter(([, each]) => each.user === user))?.[0] ?? unknownId

  verdict(kind: Application['kind']) {
    const { id, machine } = this.application(kind)
    const pass = this.random.chance(0.75)
    return { user: this.key(machine), id, pass, blacklist: !pass && this.random.chance(0.2) }
  }
}

/** An act from its arguments, its call, and its meaning in the model. */
function act<Args extends { readonly user: number }>(
  name: string,
  weight: number,
  parts: {
    draw(draw: Draw): Args
    make(client: Client, args: Args, draw: Draw): Promise<unknown>
    model(model: RightsModel, args: Args): Outcome
  },
): readonly [string, Act<Drawn, Call>] {
  const draw = (world: Drawn, random: Random): Call => {
    const drawn = new Draw(world, random)
    const args = parts.draw(drawn)
    return {
      ...args,
      act: name,
      make: (client) => parts.make(client, args, drawn),
      model: (model) => parts.model(model, args),
    }
  }
  return [name, { weight, draw }]
}

/** Draws a person with a key of a machine, and somebody else. */
const keyAndPerson = (draw: Draw) => {
  const machine = draw.machine()
  return { user: draw.key(machine), machine, whom: draw.person() }
}
const keyAndGrant = (draw: Draw) => {
  const { grant, machine } = draw.grant()
  return { user: draw.key(machine), grant, machine }
}

export const acts: Readonly<Record<string, Act<Drawn, Call>>> = Object.fromEntries([
  act('applyForVisit', 10, {
    draw: (draw) => ({ user: draw.person(), machine: draw.machine(), wish: draw.mode() }),
    make: (client, { machine, wish }) =>
      client.call(applications.applyForVisit, { machineID: machine, terminalID: 'histories', mode: wish }),
    model: (model, { user, machine, wish }) => model.apply('visit', user, machine, wish),
  }),
  act('applyForBind', 8, {
    draw: (draw) => ({ user: draw.person(), machine: draw.machine() }),
    make: (client, { machine }) => client.call(applications.applyForBind, { machineID: machine }),
    model: (model, { user, machine }) => model.apply('bind', user, machine, 'rw'),
  }),
  act('verifyVisit', 14, {
    draw: (draw) => ({ ...draw.verdict('visit'), minutes: draw.minutes(), mode: draw.mode() }),
    make: (client, { id, pass, blacklist, mode, minutes }) =>
      client.call(applications.verifyVisit, { applyId: id, pass, blacklist, mode, validTime: minutes }),
    model: (model, verdict) => model.verify('visit', verdict),
  }),
  act('verifyBind', 14, {
    draw: (draw) => draw.verdict('bind'),
    make: (client, { id, pass, blacklist }) =>
      client.call(applications.verifyBind, { applyId: id, pass, blacklist }),
    model: (model, verdict) => model.verify('bind', { ...verdict, minutes: -1, mode: 'rw' }),
  }),
  act('cancel', 4, {
    draw: (draw) => {
      const { id, user } = draw.application()
      return { id, user: draw.random.chance(0.8) ? user : draw.person() }
    },
    make: (client, { id }) => client.call(applications.cancelApplication, { applyId: id }),
    model: (model, { user, id }) => model.cancel(user, id),
  }),
  act('addBkey', 6, {
    draw: keyAndPerson,
    make: (client, { machine, whom }, draw) =>
      client.call(access.addBkey, { machineID: machine, ...draw.account(whom) }),
    model: (model, { user, machine, whom }) => model.addBkey(user, machine, whom),
  }),
  act('addVisitor', 5, {
    draw: (draw) => ({ ...keyAndPerson(draw), minutes: draw.minutes(), mode: draw.mode() }),
    make: (client, { machine, whom, minutes, mode }, draw) =>
      client.call(access.addVisitor, {
        machineID: machine,
        ...draw.account(whom),
        validTime: minutes,
        mode,
      }),
    model: (model, given) => model.addVisitor(given),
  }),
  act('updateLevel', 6, {
    draw: (draw) => ({ ...keyAndGrant(draw), limit: draw.random.pick([0, 2]) }),
    make: (client, { grant, limit }) => client.call(access.updateLevel, { id: grant, limit }),
    model: (model, { user, grant, limit }) => model.updateLevel(user, grant, limit),
  }),
  act('endVisitTime', 3, {
    draw: keyAndGrant,
    make: (client, { grant, machine }) =>
      client.call(access.endVisitTime, { visitAlidTimeID: grant, machineID: machine }),
    model: (model, { user, grant }) => model.endVisitTime(user, grant),
  }),
  act('setVisitTime', 4, {
    draw: (draw) => ({ ...keyAndGrant(draw), minutes: draw.minutes() }),
    make: (client, { grant, minutes }, { now }) =>
      client.call(access.setVisitTime, {
        visitTimeId: grant,
        visitTime: minutes < 0 ? minutes : now + minutes * 60_000,
      }),
    model: (model, { user, grant, minutes }) => model.setVisitTime(user, grant, minutes),
  }),
  act('removeVisitor', 3, {
    draw: keyAndGrant,
    make: (client, { grant }) => client.call(access.removeVisitor, { visitTimeId: grant }),
    model: (model, { user, grant }) => model.removeVisitor(user, grant),
  }),
  act('setReadOnly', 8, {
    draw: (draw) => {
      const machine = draw.machine()
      const readOnly = draw.random.chance(0.6)
      return { user: draw.key(machine), machine, whom: draw.holder(machine), readOnly }
    },
    make: (client, { machine, whom, readOnly }) =>
      client.call(access.setReadOnly, { machineID: machine, userID: whom, limitRead: readOnly ? 1 : 0 }),
    model: (model, given) => model.setReadOnly(given),
  }),
  act('blacklist', 3, {
    draw: keyAndPerson,
    make: (client, { machine, whom }) =>
      client.call(access.addToBlacklist, { deviceId: machine, userId: whom }),
    model: (model, { user, machine, whom }) => model.addToBlacklist(user, machine, whom),
  }),
  act('unblacklist', 4, {
    draw: keyAndPerson,
    make: (client, { machine, whom }) =>
      client.call(access.removeFromBlacklist, { deviceId: machine, userId: whom }),
    model: (model, { user, machine, whom }) => model.unblacklist(user, machine, whom),
  }),
  act('setCheckType', 2, {
    draw: (draw) => {
      const machine = draw.machine()
      return { user: draw.key(machine), machine, checkType: draw.random.pick([0, 1]) }
    },
    make: (client, { machine, checkType }, draw) =>
      client.call(access.updateMachineInfo, {
        machineCode: draw.code(machine),
        checkType,
        password: machinePassword,
      }),
    model: (model, { user, machine, checkType }) => model.setCheckType(user, machine, checkType),
  }),
  act('add', 12, {
    draw: (draw) => ({ user: draw.person(), machine: draw.machine(), password: draw.random.chance(0.7) }),
    make: (client, { machine, password }, draw) =>
      client.call(machines.addMachine, {
        machineCode: draw.code(machine),
        machineName: draw.cast.machines.get(machine)?.name ?? '',
        ...(password ? { machinePwd: machinePassword } : {}),
      }),
    model: (model, { user, machine, password }) => model.add(user, machine, password),
  }),
  act('remove', 6, {
    draw: (draw) => {
      const machine = draw.machine()
      return { user: draw.random.chance(0.3) ? draw.akey(machine) : draw.person(), machine }
    },
    make: (client, { machine }) => client.call(machines.removeMachine, { delMachineID: machine }),
    model: (model, { user, machine }) => model.remove(user, machine),
  }),
  act('offer', 5, {
    draw: (draw) => {
      const machine = draw.machine()
      return { user: draw.akey(machine), machine, whom: draw.person() }
    },
    make: (client, { machine, whom }, draw) =>
      client.call(machines.offerMachine, { machineID: machine, ...draw.account(whom) }),
    model: (model, { user, machine, whom }) => model.offer(user, machine, whom),
  }),
  act('answerTransfer', 10, {
    draw: (draw) => draw.transfer(),
    make: (client, { id, action }) => client.call(machines.answerTransfer, { applyId: id, action }),
    model: (model, { user, id, action }) => model.answerTransfer(user, id, action),
  }),
  act('createGroup', 2, {
    draw: (draw) => ({ user: draw.person(), name: draw.random.pick(groupNames) }),
    make: (client, { name }) => client.call(machines.createUserGroup, { name }),
    model: (model, { user, name }) => model.createGroup(user, name),
  }),
  act('renameGroup', 2, {
    draw: (draw) => {
      const user = draw.person()
      return { user, id: draw.group(user), name: draw.random.pick(groupNames) }
    },
    make: (client, { id, name }) => client.call(machines.updateUserGroup, { id, name }),
    model: (model, { user, id, name }) => model.renameGroup(user, id, name),
  }),
  act('fillGroup', 3, {
    draw: (draw) => {
      const user = draw.person()
      const machineIds = [...draw.cast.machines.keys()].filter(() => draw.random.chance(0.5))
      return { user, id: draw.group(user), machineIds }
    },
    make: (client, { id, machineIds }) => client.call(machines.updateUserGroup, { id, machineIds }),
    model: (model, { user, id, machineIds }) => model.fillGroup(user, id, machineIds),
  }),
  act('removeGroup', 2, {
    draw: (draw) => {
      const user = draw.person()
      return { user, id: draw.group(user) }
    },
    make: (client, { id }) => client.call(machines.removeUserGroup, { id }),
    model: (model, { user, id }) => model.removeGroup(user, id),
  }),
])
