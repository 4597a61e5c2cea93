import { timing } from '@busbar/contract'
import { type Application, type Grant, type Pair, pairOf, type State } from './state.ts'

/** The answer to a call: `ok` or the code of its refusal, and of an application where it leads. */
export interface Outcome {
  readonly code: string
  readonly auditState?: number
}

const minuteMs = 60_000
const waits = { usuallyMs: minuteMs, afterRefusalsMs: 5 * minuteMs, refusals: 3 }
const ok: Outcome = { code: 'ok' }

/** Ids that the model gives: negative, and none given twice. */
let lastNewId = 0

/**
 * The state at one instant, with the rules of its changes by calls: the decisions a second time, in the plainest way,
 * without locks or tables. A refused call leaves the state as it is.
 */
export class RightsModel {
  readonly #state: State
  readonly #now: number

  constructor(state: State, now: number) {
    this.#state = state
    this.#now = now
  }

  /** 0 ordinary, 1 visitor, 2 Bkey, 3 Akey. */
  level(machine: number, user: number): number {
    const pair = pairOf(machine, user)
    if (this.#state.machines.get(machine)?.owner === user) return 3
    if (this.#state.blacklist.has(pair)) return 0
    const grant = this.#state.grants.get(pair)
    if (grant?.role === 'bkey') return 2
    return grant && (grant.until === null || grant.until > this.#now) ? 1 : 0
  }

  /**
   * Whether the person is a Bkey with read-only access: they can only give read-only access, change no setting and lift
   * no limit.
   */
  watches(machine: number, user: number): boolean {
    return this.level(machine, user) < 3 && this.#state.grants.get(pairOf(machine, user))?.readOnly === true
  }

  #newId(): number {
    lastNewId--
    return lastNewId
  }

  #untilOf = (minutes: number): number | null => (minutes < 0 ? null : this.#now + minutes * minuteMs)

  #hasGroupNamed = (user: number, name: string): boolean =>
    [...this.#state.groups.values()].some((group) => group.user === user && group.name === name)

  /** An application: answered at once, refused, or waiting for the keys. */
  apply(kind: Application['kind'], user: number, machine: number, wish: 'ro' | 'rw'): Outcome {
    const pair = pairOf(machine, user)
    const level = this.level(machine, user)
    if (level < 3 && this.#state.blacklist.has(pair)) return { code: 'BLACKLIST' }
    if (level >= 2) return { code: 'ADMINISTRATOR' }
    if (!this.#state.listed.has(pair)) return { code: 'GENERAL_USER' }
    const isEnough = level === 1 && (wish === 'ro' || this.#state.grants.get(pair)?.readOnly === false)
    if (kind === 'visit' && isEnough) return { code: 'ok', auditState: 5 }
    if (this.#state.machines.get(machine)?.owner === null) return { code: 'MACHINE_UNOWNED' }
    const open = this.#findOpen(machine, user, kind)
    if (open) return { code: 'ok', auditState: open.state }
    if (this.#mustWait(machine, user, kind, false))
      return { code: kind === 'bind' ? 'BIND_TOO_OFTEN' : 'VISIT_TOO_OFTEN' }
    this.#open({ kind, machine, user, proposedBy: null, wish, state: 0 })
    return { code: 'ok', auditState: 0 }
  }

  verify(
    kind: Application['kind'],
    answer: {
      user: number
      id: number
      pass: boolean
      blacklist: boolean
      minutes: number
      mode: 'ro' | 'rw'
    },
  ): Outcome {
    const application = this.#state.applications.get(answer.id)
    const since = application && this.#state.machines.get(application.machine)?.ownedSince
    if (!application || application.createdAt < (since ?? 0)) return { code: 'GENERAL_USER' }
    const { machine } = application
    const level = this.level(machine, answer.user)
    if (level < 2) return { code: this.#whyNoKey(machine, answer.user, level) }
    if (application.kind !== kind) return { code: 'APPLICATION_GONE' }
    return this.#answer(application, answer)
  }

  #whyNoKey(machine: number, user: number, level: number): string {
    if (this.#state.blacklist.has(pairOf(machine, user))) return 'BLACKLIST'
    return level === 0 ? 'GENERAL_USER' : 'WRONG_ROLE'
  }

  #answer(
    application: Application,
    answer: { user: number; pass: boolean; blacklist?: boolean; minutes?: number; mode?: 'ro' | 'rw' },
  ): Outcome {
    if (application.state >= 3) return { code: 'ok', auditState: application.state }
    const { machine, user, kind } = application
    const isAkey = this.level(machine, answer.user) === 3
    const next =
      kind === 'visit' ? visitNext(isAkey, answer.pass) : this.#bindNext(application, isAkey, answer.pass)
    if (next === undefined) return { code: '01010306' }
    // Out of turn a refusal decides nothing, but blacklisting ends the application.
    const decided = next === application.state && answer.blacklist ? 6 : next
    if (answer.blacklist) {
      const outcome = this.#blacklist(answer.user, machine, user)
      if (outcome.code !== 'ok') return outcome
    }
    application.state = decided
    if (application.state === 5 && kind === 'bind') this.#giveBkey(machine, user)
    if (application.state === 5 && kind === 'visit') {
      const minutes = answer.minutes ?? -1
      const had = this.#state.grants.get(pairOf(machine, user))
      const until = this.#untilOf(minutes)
      const isLonger = had !== undefined && had.until !== null && (until === null || until > had.until)
      // A person with read-write access for at least as long gets no new grant.
      const isGiven = !had || had.readOnly || isLonger
      const isLess = application.wish === 'ro' || (isGiven && this.watches(machine, answer.user))
      this.#giveVisit(machine, user, minutes, isLess ? 'ro' : (answer.mode ?? 'ro'))
    }
    return { code: 'ok', auditState: application.state }
  }

  /** Undefined: a Bkey may not decide in password mode. */
  #bindNext({ machine, state }: Application, isAkey: boolean, pass: boolean): number | undefined {
    const byPassword = this.#state.machines.get(machine)?.checkType === 1
    if (byPassword && !isAkey) return undefined
    if (!isAkey) {
      if (state === 2) return 2
      if (!pass) return 4
      return state === 1 ? 5 : 2
    }
    if (!pass) return state === 1 ? 1 : 3
    const needsBkey = !byPassword && this.#hasBkeys(machine)
    return state === 2 || !needsBkey ? 5 : 1
  }

  #hasBkeys(machine: number): boolean {
    return [...this.#state.grants.keys()].some((pair) => {
      const [of, user] = pair.split('/').map(Number) as [number, number]
      return of === machine && this.level(of, user) === 2
    })
  }

  cancel(user: number, id: number): Outcome {
    const application = this.#state.applications.get(id)
    const isOwn = application && (application.proposedBy ?? application.user) === user
    if (!isOwn || application.state >= 3) return { code: 'APPLICATION_GONE' }
    application.state = 6
    return ok
  }

  addBkey(user: number, machine: number, whom: number): Outcome {
    if (this.level(machine, user) < 2) return { code: '403' }
    const refusal = this.#whyNoCandidate(machine, whom)
    return refusal ? { code: refusal } : this.#makeBkey(user, machine, whom)
  }

  #whyNoCandidate(machine: number, whom: number): string | undefined {
    if (this.level(machine, whom) === 3) return '01010305'
    if (this.#state.blacklist.has(pairOf(machine, whom))) return 'PERSON_BLACKLISTED'
    return this.level(machine, whom) === 2 ? '01010305' : undefined
  }

  #makeBkey(user: number, machine: number, whom: number): Outcome {
    const open = this.#findOpen(machine, whom, 'bind')
    if (this.level(machine, user) === 3) {
      if (open) open.state = 5
      this.#giveBkey(machine, whom)
      return { code: 'ok', auditState: 5 }
    }
    if (this.#state.machines.get(machine)?.checkType === 1) return { code: '01010306' }
    if (open) return this.#answer(open, { user, pass: true })
    if (this.#mustWait(machine, whom, 'bind', true)) return { code: 'BIND_TOO_OFTEN' }
    this.#open({ kind: 'bind', machine, user: whom, proposedBy: user, wish: 'rw', state: 2 })
    return { code: 'ok', auditState: 2 }
  }

  addVisitor(operation: {
    user: number
    machine: number
    whom: number
    minutes: number
    mode: 'ro' | 'rw'
  }): Outcome {
    const { user, machine, whom, minutes, mode } = operation
    if (this.level(machine, user) < 2) return { code: '403' }
    const refusal =
      this.#whyNoCandidate(machine, whom) ?? (this.level(machine, whom) === 1 ? '01010305' : undefined)
    if (refusal) return { code: refusal }
    if (mode === 'rw' && this.watches(machine, user)) return { code: 'GIVER_READ_ONLY' }
    this.#giveVisit(machine, whom, minutes, mode)
    const open = this.#findOpen(machine, whom, 'visit')
    if (open) open.state = 5
    return ok
  }

  updateLevel(user: number, grantId: number, limit: 0 | 2): Outcome {
    const found = this.#findGrant(grantId)
    if (!found || this.level(found.machine, user) < 2) return { code: '403' }
    const { pair, grant, machine, holder } = found
    if (limit === 2)
      return grant.role === 'bkey' ? { code: 'ok', auditState: 5 } : this.#makeBkey(user, machine, holder)
    if (grant.role === 'bkey' && this.level(machine, user) < 3) return { code: '01010306' }
    this.#state.grants.delete(pair)
    return { code: 'ok', auditState: 5 }
  }

  #changeVisitor(
    user: number,
    grantId: number,
    change: (grant: Grant, pair: Pair, machine: number) => Outcome,
  ): Outcome {
    const found = this.#findGrant(grantId)
    const isLet = found && this.level(found.machine, user) >= 2 && found.grant.role === 'visitor'
    return isLet ? change(found.grant, found.pair, found.machine) : { code: '403' }
  }

  endVisitTime(user: number, grantId: number): Outcome {
    return this.#changeVisitor(user, grantId, (grant) => {
      if (grant.until !== null && grant.until <= this.#now) return { code: '01010408' }
      grant.until = this.#now
      return ok
    })
  }

  setVisitTime(user: number, grantId: number, minutes: number): Outcome {
    return this.#changeVisitor(user, grantId, (grant, _, machine) => {
      const until = this.#untilOf(minutes)
      // A longer time is given anew; a Bkey's own right has no end that it could exceed.
      const isLonger = grant.until !== null && (until === null || until > grant.until)
      if (isLonger && !grant.readOnly && this.watches(machine, user)) return { code: 'GIVER_READ_ONLY' }
      grant.until = until
      return ok
    })
  }

  removeVisitor(user: number, grantId: number): Outcome {
    return this.#changeVisitor(user, grantId, (_, pair) => {
      this.#state.grants.delete(pair)
      return ok
    })
  }

  setReadOnly(operation: { user: number; machine: number; whom: number; readOnly: boolean }): Outcome {
    const { user, machine, whom, readOnly } = operation
    if (this.level(machine, user) < 2) return { code: '403' }
    const grant = this.#state.grants.get(pairOf(machine, whom))
    if (!grant) return { code: '01010304' }
    if (grant.role === 'bkey' && this.level(machine, user) < 3) return { code: '01010306' }
    if (grant.readOnly && !readOnly && this.watches(machine, user)) return { code: 'GIVER_READ_ONLY' }
    grant.readOnly = readOnly
    return ok
  }

  addToBlacklist(user: number, machine: number, whom: number): Outcome {
    return this.level(machine, user) < 2 ? { code: '403' } : this.#blacklist(user, machine, whom)
  }

  #blacklist(user: number, machine: number, whom: number): Outcome {
    const pair = pairOf(machine, whom)
    if (user === whom) return { code: '400' }
    const grant = this.#state.grants.get(pair)
    const isKey = this.level(machine, whom) === 3 || (grant?.role === 'bkey' && this.level(machine, user) < 3)
    if (isKey) return { code: '01010306' }
    const since = this.#state.machines.get(machine)?.ownedSince
    const isKnown =
      this.#state.listed.has(pair) ||
      grant !== undefined ||
      [...this.#state.applications.values()].some(
        (each) => each.machine === machine && each.user === whom && each.createdAt >= (since ?? 0),
      )
    if (!isKnown) return { code: '01010304' }
    this.#state.grants.delete(pair)
    this.#state.blacklist.add(pair)
    this.#endApplications(machine, whom)
    return ok
  }

  unblacklist(user: number, machine: number, whom: number): Outcome {
    if (this.level(machine, user) < 2) return { code: '403' }
    if (this.watches(machine, user)) return { code: 'GIVER_READ_ONLY' }
    const pair = pairOf(machine, whom)
    if (!this.#state.blacklist.has(pair)) return { code: '404' }
    this.#state.blacklist.delete(pair)
    return ok
  }

  setCheckType(user: number, machine: number, checkType: number): Outcome {
    const known = this.#state.machines.get(machine)
    if (!known || this.level(machine, user) < 2) return { code: '403' }
    if (this.watches(machine, user)) return { code: 'GIVER_READ_ONLY' }
    known.checkType = checkType
    return ok
  }

  /** Adds a machine to a person's list; with its password they become Akey of an unowned one. */
  add(user: number, machine: number, password: boolean): Outcome {
    const pair = pairOf(machine, user)
    if (this.#state.listed.has(pair)) return { code: '04010112' }
    if (this.#state.machines.get(machine)?.owner === null) {
      if (!password) return { code: '505' }
      this.#changeOwner(machine, user)
    }
    this.#state.listed.set(pair, [])
    return ok
  }

  /** Takes a machine out of a list; an Akey gives it up, which others' rights to it prevent. */
  remove(user: number, machine: number): Outcome {
    const pair = pairOf(machine, user)
    const isOwner = this.level(machine, user) === 3
    if (!isOwner && !this.#state.listed.has(pair)) return { code: '04010307' }
    if (isOwner) {
      if (this.#isHeld(machine)) return { code: '04010301' }
      this.#changeOwner(machine, null)
    } else {
      this.#state.grants.delete(pair)
      this.#endApplications(machine, user)
    }
    this.#state.listed.delete(pair)
    return ok
  }

  #isHeld(machine: number): boolean {
    return [...this.#state.grants.keys()].some((pair) => {
      const [of, user] = pair.split('/').map(Number) as [number, number]
      return of === machine && this.level(of, user) > 0
    })
  }

  offer(user: number, machine: number, whom: number): Outcome {
    if (this.level(machine, user) < 3) return { code: '403' }
    const waiting = [...this.#state.transfers.values()].find(
      (each) => each.machine === machine && each.state === 'waiting',
    )
    if (waiting) return { code: 'TRANSFER_WAITING' }
    if (whom === user) return { code: 'TRANSFER_SELF' }
    if (this.#state.blacklist.has(pairOf(machine, whom))) return { code: 'PERSON_BLACKLISTED' }
    const offer = {
      machine,
      from: user,
      to: whom,
      state: 'waiting',
      expiresAt: this.#now + timing.applicationMs,
    }
    this.#state.transfers.set(this.#newId(), offer)
    return ok
  }

  answerTransfer(user: number, id: number, action: 'accept' | 'refuse' | 'withdraw'): Outcome {
    const offer = this.#state.transfers.get(id)
    const by = action === 'withdraw' ? offer?.from : offer?.to
    if (offer?.state !== 'waiting' || by !== user) return { code: 'TRANSFER_GONE' }
    if (action === 'accept' && this.#state.blacklist.has(pairOf(offer.machine, user)))
      return { code: 'TRANSFER_GONE' }
    offer.state = ({ accept: 'accepted', refuse: 'refused', withdraw: 'withdrawn' } as const)[action]
    if (action !== 'accept') return ok
    this.#changeOwner(offer.machine, user)
    const pair = pairOf(offer.machine, user)
    this.#state.listed.set(pair, this.#state.listed.get(pair) ?? [])
    return ok
  }

  createGroup(user: number, name: string): Outcome {
    if (this.#hasGroupNamed(user, name)) return { code: 'GROUP_NAME_TAKEN' }
    this.#state.groups.set(this.#newId(), { user, name })
    return ok
  }

  renameGroup(user: number, id: number, name: string): Outcome {
    const group = this.#state.groups.get(id)
    if (group?.user !== user) return { code: '04010113' }
    if (group.name !== name && this.#hasGroupNamed(user, name)) return { code: 'GROUP_NAME_TAKEN' }
    group.name = name
    return ok
  }

  removeGroup(user: number, id: number): Outcome {
    if (this.#state.groups.get(id)?.user !== user) return { code: '04010113' }
    if ([...this.#state.listed.values()].some((groups) => groups.includes(id)))
      return { code: 'GROUP_NOT_EMPTY' }
    this.#state.groups.delete(id)
    return ok
  }

  fillGroup(user: number, id: number, machineIds: readonly number[]): Outcome {
    if (this.#state.groups.get(id)?.user !== user) return { code: '04010113' }
    if (machineIds.some((machine) => !this.#state.listed.has(pairOf(machine, user)))) return { code: '403' }
    for (const [pair, groups] of this.#state.listed) {
      const [machine, owner] = pair.split('/').map(Number) as [number, number]
      if (owner !== user) continue
      const others = groups.filter((group) => group !== id)
      const held = machineIds.includes(machine) ? [...others, id].sort((a, b) => a - b) : others
      this.#state.listed.set(pair, held)
    }
    return ok
  }

  #changeOwner(machine: number, owner: number | null): void {
    const known = this.#state.machines.get(machine)
    if (!known) return
    // A machine's data from before its first owner belongs to that owner.
    const isFirst = known.owner === null && known.ownedSince === null
    known.owner = owner
    if (!isFirst) {
      // Each owner has a different instant.
      known.ownedSince = Math.max(this.#now, (known.ownedSince ?? 0) + 1)
      known.checkType = 0
    }
    for (const pair of this.#state.grants.keys())
      if (pair.startsWith(`${machine}/`)) this.#state.grants.delete(pair)
    for (const pair of this.#state.blacklist)
      if (pair.startsWith(`${machine}/`)) this.#state.blacklist.delete(pair)
    for (const offer of this.#state.transfers.values())
      if (offer.machine === machine && offer.state === 'waiting') offer.state = 'withdrawn'
    this.#endApplications(machine)
  }

  #giveBkey(machine: number, user: number): void {
    const pair = pairOf(machine, user)
    const had = this.#state.grants.get(pair)
    const id = had?.id ?? this.#newId()
    this.#state.grants.set(pair, { id, role: 'bkey', until: null, readOnly: had?.readOnly ?? false })
    this.#state.listed.set(pair, this.#state.listed.get(pair) ?? [])
    this.#endApplications(machine, user)
  }

  #giveVisit(machine: number, user: number, minutes: number, mode: 'ro' | 'rw'): void {
    const pair = pairOf(machine, user)
    const had = this.#state.grants.get(pair)
    if (had?.role === 'bkey') return
    const id = had?.id ?? this.#newId()
    this.#state.grants.set(pair, {
      id,
      role: 'visitor',
      until: this.#untilOf(minutes),
      readOnly: mode === 'ro',
    })
    this.#state.listed.set(pair, this.#state.listed.get(pair) ?? [])
  }

  #endApplications(machine: number, user?: number): void {
    for (const each of this.#state.applications.values()) {
      const isMeant = each.machine === machine && (user === undefined || each.user === user)
      if (isMeant && each.state < 3) each.state = 6
    }
  }

  #findOpen(machine: number, user: number, kind: Application['kind']): Application | undefined {
    return [...this.#state.applications.values()].find(
      (each) => each.machine === machine && each.user === user && each.kind === kind && each.state < 3,
    )
  }

  #open(application: Omit<Application, 'createdAt' | 'expiresAt'>): void {
    const times = { createdAt: this.#now, expiresAt: this.#now + timing.applicationMs }
    this.#state.applications.set(this.#newId(), { ...application, ...times })
  }

  /** Whether a person recently applied for the same right; applications to a former owner do not count. */
  #mustWait(machine: number, user: number, kind: Application['kind'], isProposed: boolean): boolean {
    const since = this.#state.machines.get(machine)?.ownedSince ?? 0
    const earlier = [...this.#state.applications.values()].filter(
      (each) =>
        each.machine === machine &&
        each.user === user &&
        each.kind === kind &&
        (each.proposedBy !== null) === isProposed &&
        each.createdAt >= since,
    )
    const lastPassedAt = Math.max(
      0,
      ...earlier.filter((each) => each.state === 5).map((each) => each.createdAt),
    )
    const refusals = earlier.filter(
      (each) => (each.state === 3 || each.state === 4) && each.createdAt > lastPassedAt,
    )
    const waitMs = refusals.length >= waits.refusals ? waits.afterRefusalsMs : waits.usuallyMs
    const lastAt = Math.max(Number.NEGATIVE_INFINITY, ...earlier.map((each) => each.createdAt))
    return lastAt + waitMs > this.#now
  }

  #findGrant(id: number) {
    const found = [...this.#state.grants].find(([, grant]) => grant.id === id)
    if (!found) return undefined
    const [pair, grant] = found
    const [machine, holder] = pair.split('/').map(Number) as [number, number]
    return { pair, grant, machine, holder }
  }
}

function visitNext(isAkey: boolean, pass: boolean): number {
  if (pass) return 5
  return isAkey ? 3 : 4
}
