import { access, enterprises, type MemberRight, smsStock } from '@busbar/contract'
import { grantMachine, type TestPlatform, type TestUser } from '@busbar/testkit'
import { type CastMachine, joinEnterprise, memberRightsDrawn } from './cast.ts'
import type { Draw, Step } from './step.ts'

const minuteMs = 60_000

/** The person who holds the keys of a machine, or sometimes anybody. */
export function actorOf({ cast, random, seen }: Draw, { id, isDevice }: CastMachine): TestUser {
  if (random.chance(0.15)) return random.pickAny(cast.people) as TestUser
  const owner = seen.rights.machines.find((machine) => machine.id === id)?.owner
  return isDevice ? cast.boss : (cast.people.find(({ userId }) => userId === owner) ?? cast.boss)
}

/** A person gets a right, or loses one. */
export function drawRight(draw: Draw, machine: CastMachine): Step | undefined {
  const { site, cast, random, seen, now } = draw
  const user = random.pickAny(cast.people) as TestUser
  const { userId } = user
  const grant = seen.rights.grants.find((one) => one.machine === machine.id && one.user === userId)
  const client = cast.clientOf(actorOf(draw, machine))
  const isMember = seen.rights.members.some((member) => member.user === userId)
  const isOwner = seen.rights.machines.some(({ id, owner }) => id === machine.id && owner === userId)
  const ofMachine = { machineID: machine.id, userID: userId }
  const ofList = { deviceId: machine.id, userId }
  const inSpace = { eid: cast.eid, userId }
  const boss = cast.clientOf(cast.boss)
  const window = seen.rights.windows.find((one) => one.machine === machine.id)
  const ways: Readonly<Record<string, (() => Promise<unknown>) | undefined>> = {
    give:
      grant || isOwner
        ? undefined
        : () =>
            giveRight(
              site,
              machine.id,
              userId,
              random.chance(0.5),
              random.chance(0.5) ? now + 8 * minuteMs : undefined,
            ),
    remove: grant && (() => client.call(access.removeVisitor, { visitTimeId: grant.id })),
    endTime:
      grant && (() => client.call(access.endVisitTime, { visitAlidTimeID: grant.id, machineID: machine.id })),
    demote: grant && (() => client.call(access.updateLevel, { id: grant.id, limit: 0 })),
    ban: () => client.call(access.addToBlacklist, ofList),
    unban: () => client.call(access.removeFromBlacklist, ofList),
    mute: () => client.call(access.setAlarmBit, { ...ofMachine, limitAlarm: random.chance(0.6) ? 0 : 1 }),
    rights: isMember
      ? () =>
          boss.call(enterprises.updateMember, {
            ...inSpace,
            rights: [...(random.pickAny(memberRightsDrawn) ?? [])] as MemberRight[],
          })
      : undefined,
    leave: isMember ? () => cast.clientOf(user).call(enterprises.removeMember, inSpace) : undefined,
    join: isMember
      ? undefined
      : () => joinEnterprise(site, cast.eid, userId, random.pickAny(memberRightsDrawn) ?? []),
    endWindow: window && (() => client.call(enterprises.answerMaintenance, { id: window.id, action: 'end' })),
  }
  const does = random.pickAny(Object.keys(ways).filter((way) => ways[way])) ?? 'ban'
  if (does === 'endWindow' && random.chance(0.8)) return undefined
  const run = ways[does]
  return run && { kind: 'right', machine: machine.id, userId, does: `${does} ${userId}`, run }
}

/** A right that a person does not have yet; people on the blacklist get none. */
async function giveRight(
  { db }: TestPlatform,
  machineId: number,
  userId: number,
  isKey: boolean,
  until: number | undefined,
): Promise<void> {
  await db
    .deleteFrom('machine_list_entries')
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .execute()
  const ends = until === undefined ? {} : { until: new Date(until) }
  await grantMachine(db, userId, machineId, isKey ? { role: 'bkey' } : { role: 'visitor', ...ends })
}

/** A stock is recharged or refunded, or a part of it allocated. */
export function drawStock({ cast, random }: Draw): Step {
  const { eid } = cast
  const user = random.pickAny(cast.people) as TestUser
  const count = 1 + random.below(40)
  const type = random.pick(['recharge', 'refund'])
  const direction = random.pick(['give', 'takeBack'])
  const owner = random.chance(0.5) ? { eid } : { userId: user.userId }
  if (random.chance(0.5))
    return {
      kind: 'stock',
      does: `${type} ${JSON.stringify(owner)} ${count}`,
      run: () => cast.clientOf(cast.operator).call(smsStock.changeStock, { ...owner, type, count }),
    }
  return {
    kind: 'stock',
    does: `${direction} ${user.userId} ${count}`,
    run: () =>
      cast.clientOf(cast.boss).call(smsStock.transferStock, { eid, userId: user.userId, count, direction }),
  }
}
