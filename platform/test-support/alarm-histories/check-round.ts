import type { AlarmModel } from './alarm-model.ts'
import type { Cast } from './cast.ts'
import { isTold, type Rights, type Share, seesAlarms, shareOf } from './rights.ts'
import type { Seen, SeenNote } from './seen.ts'
import type { Step } from './step.ts'
import type { Outcome } from './steps.ts'

/** A round: the state before it, the steps, and the state after it. */
export interface Round {
  readonly cast: Cast
  readonly before: Seen
  readonly after: Seen
  readonly steps: readonly Step[]
  readonly outcomes: readonly Outcome[]
  readonly now: number
}

/** The shares of people before and after a round: with changes in it, either may hold. */
export class Shares {
  readonly #before: Rights
  readonly #after: Rights
  readonly #now: number

  constructor({ before, after, now }: Round) {
    this.#before = before.rights
    this.#after = after.rights
    this.#now = now
  }

  #of(machine: number, user: number): [Share, Share] {
    const at = [this.#before, this.#after] as const
    return [shareOf(at[0], machine, user, this.#now), shareOf(at[1], machine, user, this.#now)]
  }

  must(machine: number, user: number, is: (share: Share) => boolean): boolean {
    return this.#of(machine, user).every(is)
  }

  may(machine: number, user: number, is: (share: Share) => boolean): boolean {
    return this.#of(machine, user).some(is)
  }
}

const changesHands = ({ steps, outcomes }: Round, machine: number): boolean =>
  steps.some(
    (step, place) => step.kind === 'transfer' && step.machine === machine && !outcomes[place]?.refused,
  )

/** People of the cast who may have a share in a machine. */
const peopleOf = ({ people, boss, mender }: Cast) => [...people, boss, mender].map(({ userId }) => userId)

/** People without the right get no row, frame or message; those with it get one by each of their channels. */
export function checkTold(round: Round): string[] {
  const { cast, after } = round
  const faults: string[] = []
  const shares = new Shares(round)
  const isWritten = (share: Share) => share === 'written'
  const neededBy = (channel: string) => (channel === 'sms' || channel === 'email' ? isWritten : isTold)
  for (const note of after.notes)
    if (!shares.may(note.machine, note.user, neededBy(note.channel)))
      faults.push(`${note.user} has no right to ${note.machine}, and has ${JSON.stringify(note)}`)
  for (const { user, machine } of after.frames)
    if (!shares.may(machine, user, isTold)) faults.push(`${user} gets a frame of ${machine} without a right`)
  for (const mail of after.mails)
    if (!shares.may(mail.machine, mail.user, isWritten))
      faults.push(`${mail.user} gets a message of ${mail.machine} without a right: ${JSON.stringify(mail)}`)
  const notes = new Map<string, SeenNote>()
  for (const note of after.notes) notes.set(`${note.fact} ${note.user} ${note.channel}`, note)
  for (const fact of after.facts) {
    if (fact.kind !== 'alarm.raised' || changesHands(round, fact.machine)) continue
    for (const user of peopleOf(cast)) {
      const channels = [
        ...(shares.must(fact.machine, user, isTold) ? ['push', 'message'] : []),
        ...(shares.must(fact.machine, user, isWritten) ? ['sms', 'email'] : []),
      ]
      for (const channel of channels)
        if (!notes.has(`${fact.id} ${user} ${channel}`))
          faults.push(`${user} was not told of alarm ${fact.alarm} of ${fact.machine} by ${channel}`)
    }
  }
  return faults
}

/** The alarms that stand are those of the model, with their counts, levels and confirmations. */
export function checkAlarms(round: Round, model: AlarmModel): string[] {
  const { after, steps, outcomes, cast, now } = round
  const faults: string[] = []
  for (const { id: machine } of cast.machines) {
    if (changesHands(round, machine)) model.changeOwner(machine)
  }
  model.endDue(now - 1)
  for (const step of steps) if (step.kind === 'batch') model.apply(step.events)
  foldRules(after, model)
  for (const [place, step] of steps.entries()) foldAsked(step, outcomes[place] ?? {}, { after, model, now })
  faults.push(...foldConfirmed(round, model))
  for (const { id, machine } of after.hidden)
    faults.push(`alarm ${id} of ${machine} stands, and its owner does not see it`)
  const line = (one: { raisedAt: number; key: string; count: number; level: string }, more: string) =>
    `${one.key} ${one.raisedAt} ${one.count} ${one.level} ${more}`
  for (const { id: machine } of cast.machines) {
    const wanted = model.alarms
      .filter(({ machineId }) => machineId === machine)
      .map((one) => line(one, `${one.isOpen} ${one.isConfirmed}`))
    const seen = after.alarms
      .filter((one) => one.machine === machine)
      .map((one) => line({ ...one, raisedAt: one.raised }, `${one.open} ${one.confirmed}`))
    faults.push(...differences(wanted, seen).map((each) => `alarms of ${machine}: ${each}`))
    const covers = model.shelves.filter(({ machineId }) => machineId === machine).map(({ id }) => String(id))
    const kept = after.shelves.filter((one) => one.machine === machine).map(({ id }) => String(id))
    faults.push(...differences(covers, kept).map((each) => `shelvings of ${machine}: ${each}`))
  }
  const journal = model.events.splice(0)
  const told = after.events
    .filter(({ machine }) => !changesHands(round, machine))
    .map((event) => `${event.machine} ${event.kind} ${event.at}`)
  const wanted = journal
    .filter(({ machineId }) => !changesHands(round, machineId))
    .map((event) => `${event.machineId} ${event.kind} ${event.at}`)
  faults.push(...differences(wanted, told).map((each) => `journal: ${each}`))
  return faults
}

/** The alarms of rules come from the engine, in its own order: each event has to fit the present state. */
function foldRules({ events, alarms }: Seen, model: AlarmModel): void {
  const byId = new Map(alarms.map((alarm) => [alarm.id, alarm]))
  for (const { alarm: id, kind, at, machine } of events) {
    const alarm = id === null ? undefined : byId.get(id)
    if (!alarm || alarm.rule === null || !['raised', 'counted', 'changed', 'cleared'].includes(kind)) continue
    model.apply([
      {
        machineId: machine,
        key: alarm.key,
        ruleId: alarm.rule,
        level: alarm.level,
        text: {},
        state: kind === 'cleared' ? 'cleared' : 'raised',
        isRepeat: kind !== 'counted',
        late: false,
        at,
        receivedAt: at,
        standing: undefined,
      },
    ])
  }
}

/** Shelvings that were requested and not refused. */
function foldAsked(
  step: Step,
  { answer, refused }: Outcome,
  { after, model, now }: { after: Seen; model: AlarmModel; now: number },
): void {
  if (refused) return
  if (step.kind === 'unshelve') {
    const one = model.shelves.find(({ id }) => id === step.id)
    if (one) model.endShelve(one, now)
  }
  if (step.kind !== 'shelve') return
  const alarm = after.alarms.find(({ id }) => id === step.alarm)
  const { id } = answer as { id: number }
  const covered = !alarm
    ? { scope: 'machine' as const }
    : alarm.rule === null
      ? { scope: 'alarm' as const, key: alarm.key }
      : { scope: 'rule' as const, ruleId: alarm.rule }
  const until = step.until ?? Number.POSITIVE_INFINITY
  model.shelve({ id, machineId: step.machine, ...covered, until, at: now })
}

/** Every confirmed alarm is confirmed once, and only by people who see it. */
function foldConfirmed(round: Round, model: AlarmModel): string[] {
  const { after, steps, outcomes } = round
  const faults: string[] = []
  const shares = new Shares(round)
  const byId = new Map(after.alarms.map((alarm) => [alarm.id, alarm]))
  const done = new Set<number>()
  for (const event of after.events) {
    if (event.kind !== 'confirmed') continue
    const seen = byId.get(event.alarm ?? 0)
    const alarm =
      seen &&
      model.alarms.find(
        (one) =>
          one.machineId === seen.machine &&
          one.key === seen.key &&
          one.raisedAt === seen.raised &&
          one.ruleId === seen.rule,
      )
    if (!alarm || alarm.isConfirmed) faults.push(`confirmed twice, or nothing: ${JSON.stringify(event)}`)
    else alarm.isConfirmed = true
    done.add(event.alarm ?? 0)
    model.events.push({ machineId: event.machine, kind: 'confirmed', at: event.at, raisings: 0 })
    if (!shares.may(event.machine, event.user ?? 0, seesAlarms))
      faults.push(`${event.user} confirmed alarm ${event.alarm} without a right`)
  }
  let confirmed = 0
  steps.forEach((step, place) => {
    const { answer, refused } = outcomes[place] ?? {}
    if (step.kind !== 'confirm' || refused) return
    confirmed += (answer as { confirmed: number }).confirmed
    for (const id of step.ids)
      if (byId.get(id)?.confirmed === false) faults.push(`alarm ${id} was confirmed, and is not`)
  })
  if (confirmed !== done.size)
    faults.push(`${confirmed} confirmations were answered, ${done.size} are written`)
  return faults
}

/** Stocks are the sum of their records, and the segments of a member who left came back to the enterprise. */
export function checkStocks({ after, cast }: Round): string[] {
  const faults: string[] = []
  const isMember = (userId: number) =>
    after.rights.members.some(({ user, eid }) => user === userId && eid === cast.eid)
  for (const { id, stock, sum, user, eid } of after.stocks) {
    if (stock !== sum || stock < 0) faults.push(`stock ${id} is ${stock}, its records say ${sum}`)
    if (eid !== null && user !== null && stock !== 0 && !isMember(user))
      faults.push(`${user} left enterprise ${eid} and still has ${stock} segments of it`)
  }
  return faults
}

/** Lines that are missing, and lines that are too many. */
export function differences(wanted: readonly string[], seen: readonly string[]): string[] {
  const left = [...seen]
  const missing = wanted.filter((each) => {
    const place = left.indexOf(each)
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
  return [...missing.map((each) => `expected ${each}`), ...left.map((each) => `seen ${each}`)]
}
