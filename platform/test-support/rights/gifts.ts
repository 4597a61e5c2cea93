import { access, applications, boards, visits } from '@busbar/contract'
import {
  blacklistUser,
  createEnterprise,
  createUser,
  listMachine,
  openWindow,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { createAccess, shareOf } from '../../src/modules/access/index.ts'
import { type Gift, gift } from './gift.ts'
import { type GiverSetup, grant } from './givers.ts'
import { missing } from './route-case.ts'
import { settingGifts } from './setting-gifts.ts'
import {
  createApplication,
  createBoard,
  createReceiver,
  createVisit,
  type Naming,
  namings,
} from './things.ts'

const hourMs = 3_600_000

/** The rights that a person has over the machine. */
async function rightOf(site: TestPlatform, { machine }: GiverSetup, user: TestUser, now: number) {
  const { machineId } = machine
  const rights = await createAccess(site.db).list(user.userId, [machineId], now)
  const own = rights.get(machineId)
  if (!own || own.level === 0) return 'nothing'
  const { readOnly, alarms, until } = shareOf(own)
  const words = [readOnly ? 'ro' : 'rw', alarms ? 'alarms' : 'deaf', until ? 'for a while' : 'for ever']
  return [own.role, ...words].join(' ')
}

/** A visitor of the machine, and the id of the grant. */
async function createVisitor(
  site: TestPlatform,
  { machine }: GiverSetup,
  bits: Parameters<typeof grant>[4] = {},
) {
  const user = await createUser(site.db)
  return { user, id: await grant(site.db, user.userId, machine.machineId, 'visitor', bits) }
}

async function createApplicant(
  site: TestPlatform,
  setup: GiverSetup,
  kind: 'bind' | 'visit',
  bits?: Parameters<typeof grant>[4],
) {
  const { machineId } = setup.machine
  const { user } = bits ? await createVisitor(site, setup, bits) : { user: await createUser(site.db) }
  if (!bits) await listMachine(site.db, user.userId, machineId)
  const applyId = await createApplication(site.db, { kind, userId: user.userId, machineId })
  return { user, applyId }
}

/** The right of a person whom a key made Bkey; if the Akey's consent is needed, before it and after it. */
async function rightAfterConsent(
  site: TestPlatform,
  setup: GiverSetup,
  { user, applyId }: { user: TestUser; applyId: number | null },
  { state, now }: { state: number; now: number },
) {
  if (state !== applications.auditStates.waitsForAkey) return rightOf(site, setup, user, now)
  const before = await rightOf(site, setup, user, now)
  await site.as(setup.akey).call(applications.verifyBind, { applyId: applyId ?? 0, pass: true })
  return `${before}, then ${await rightOf(site, setup, user, now)}`
}

const stateOf = (answer: unknown): number => (answer as { auditState: number }).auditState

const bkey = 'bkey rw alarms for ever'
const visitor = 'visitor rw alarms for ever'
/** Calls that name their receiver, in one of the two ways. */
const namedGifts = (by: Naming): Gift[] => [
  gift(
    `a visit, read-write, for ever, ${by}`,
    access.addVisitor,
    {
      akey: visitor,
      admin: visitor,
      key: visitor,
      watches: 'GIVER_READ_ONLY',
      deaf: 'visitor rw deaf for ever',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user, named } = await createReceiver(site, setup, by)
      return {
        request: { machineID: setup.machine.machineId, ...named, validTime: -1, mode: 'rw' },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    `a visit, to watch, ${by}`,
    access.addVisitor,
    {
      akey: 'visitor ro alarms for ever',
      admin: 'visitor ro alarms for ever',
      key: 'visitor ro alarms for ever',
      watches: 'visitor ro alarms for ever',
      deaf: 'visitor ro deaf for ever',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user, named } = await createReceiver(site, setup, by)
      return {
        request: { machineID: setup.machine.machineId, ...named, validTime: -1, mode: 'ro' },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    `a Bkey, ${by}`,
    access.addBkey,
    {
      akey: bkey,
      admin: bkey,
      key: `nothing, then ${bkey}`,
      watches: `nothing, then ${bkey}`,
      deaf: `nothing, then ${bkey}`,
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user, named } = await createReceiver(site, setup, by)
      return {
        request: { machineID: setup.machine.machineId, ...named },
        seen: (answer) => {
          const { applyId } = answer as { applyId: number | null }
          return rightAfterConsent(site, setup, { user, applyId }, { state: stateOf(answer), now })
        },
      }
    },
  ),
]

/** Every call that gives a right to a machine or changes its settings, each with the largest possible request. */
export const gifts: readonly Gift[] = [
  ...namings.flatMap(namedGifts),
  gift(
    'a Bkey to a visitor whose bits are set',
    access.updateLevel,
    {
      akey: 'bkey ro deaf for ever',
      admin: 'bkey ro deaf for ever',
      key: 'visitor ro deaf for ever',
      watches: 'visitor ro deaf for ever',
      deaf: 'visitor ro deaf for ever',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user, id } = await createVisitor(site, setup, { readOnly: true, alarms: false })
      return { request: { id, limit: 2 }, seen: () => rightOf(site, setup, user, now) }
    },
  ),
  gift(
    'a longer visit time to who may change the machine',
    access.setVisitTime,
    {
      akey: visitor,
      admin: visitor,
      key: visitor,
      watches: 'GIVER_READ_ONLY',
      deaf: 'GIVER_WITHOUT_ALARMS',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user, id } = await createVisitor(site, setup, { until: new Date(now + hourMs) })
      return {
        request: { visitTimeId: id, visitTime: -1 },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    'a visit time again to who could change the machine',
    access.setVisitTime,
    {
      akey: visitor,
      admin: visitor,
      key: visitor,
      watches: 'GIVER_READ_ONLY',
      deaf: 'GIVER_WITHOUT_ALARMS',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user, id } = await createVisitor(site, setup, { until: new Date(now - hourMs) })
      return {
        request: { visitTimeId: id, visitTime: -1 },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    'a shorter visit time, which takes',
    access.setVisitTime,
    {
      akey: 'visitor rw alarms for a while',
      admin: 'visitor rw alarms for a while',
      key: 'visitor rw alarms for a while',
      watches: 'visitor rw alarms for a while',
      deaf: 'visitor rw alarms for a while',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user, id } = await createVisitor(site, setup)
      return {
        request: { visitTimeId: id, visitTime: now + hourMs },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    'the read-only bit lifted',
    access.setReadOnly,
    {
      akey: visitor,
      admin: visitor,
      key: visitor,
      watches: 'GIVER_READ_ONLY',
      deaf: visitor,
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user } = await createVisitor(site, setup, { readOnly: true })
      return {
        request: { machineID: setup.machine.machineId, userID: user.userId, limitRead: 0 },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    'alarms',
    access.setAlarmBit,
    {
      akey: visitor,
      admin: visitor,
      key: visitor,
      watches: 'GIVER_READ_ONLY',
      deaf: 'GIVER_WITHOUT_ALARMS',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user } = await createVisitor(site, setup, { alarms: false })
      return {
        request: { machineID: setup.machine.machineId, userID: user.userId, limitAlarm: 1 },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    'a way back in for who maintains the machine',
    access.removeFromBlacklist,
    {
      akey: 'visitor rw alarms for a while',
      admin: 'visitor rw alarms for a while',
      key: 'visitor rw alarms for a while',
      watches: 'GIVER_READ_ONLY',
      deaf: 'GIVER_WITHOUT_ALARMS',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { machineId } = setup.machine
      const { eid, owner } = await createEnterprise(site.db)
      await openWindow(site.db, { eid, machineId, start: now - hourMs, stop: now + hourMs })
      await blacklistUser(site.db, owner.userId, machineId)
      return {
        request: { deviceId: machineId, userId: owner.userId },
        seen: () => rightOf(site, setup, owner, now),
      }
    },
  ),
  gift(
    'a yes to a visit, read-write, for ever',
    applications.verifyVisit,
    {
      akey: visitor,
      admin: visitor,
      key: visitor,
      watches: 'visitor ro alarms for ever',
      deaf: 'visitor rw deaf for ever',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user, applyId } = await createApplicant(site, setup, 'visit')
      return {
        request: { applyId, pass: true, validTime: -1, mode: 'rw' },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    'a yes to a visit, in the older form',
    applications.replyToVisit,
    {
      akey: 'visitor ro alarms for ever',
      admin: 'visitor ro alarms for ever',
      key: 'visitor ro alarms for ever',
      watches: 'visitor ro alarms for ever',
      deaf: 'visitor ro deaf for ever',
      none: 'refused',
    },
    async (site, setup, now) => {
      const { user } = await createApplicant(site, setup, 'visit')
      const { machineId } = setup.machine
      return {
        request: {
          messageID: missing.id,
          machineID: machineId,
          userID: user.userId,
          state: 1,
          validTime: -1,
        },
        seen: () => rightOf(site, setup, user, now),
      }
    },
  ),
  gift(
    'a yes to a Bkey, lifting both bits',
    applications.verifyBind,
    {
      akey: bkey,
      admin: bkey,
      key: `visitor ro deaf for ever, then ${bkey}`,
      watches: 'visitor ro deaf for ever, then bkey ro deaf for ever',
      deaf: 'visitor ro deaf for ever, then bkey rw deaf for ever',
      none: 'refused',
    },
    async (site, setup, now) => {
      const applied = await createApplicant(site, setup, 'bind', { readOnly: true, alarms: false })
      return {
        request: { applyId: applied.applyId, pass: true, limitRead: 0, limitAlarm: 1 },
        seen: (answer) => rightAfterConsent(site, setup, applied, { state: stateOf(answer), now }),
      }
    },
  ),
  gift(
    'a yes to a Bkey, in the older form',
    applications.replyToBind,
    {
      akey: bkey,
      admin: bkey,
      key: `nothing, then ${bkey}`,
      // The Akey passes it too.
      watches: `nothing, then ${bkey}`,
      deaf: `nothing, then ${bkey}`,
      none: 'refused',
    },
    async (site, setup, now) => {
      const applied = await createApplicant(site, setup, 'bind')
      const { machineId } = setup.machine
      return {
        request: { messageID: missing.id, machineID: machineId, userID: applied.user.userId, state: 1 },
        seen: (answer) => rightAfterConsent(site, setup, applied, { state: stateOf(answer), now }),
      }
    },
  ),
  gift(
    'control of the machine',
    visits.controlVisit,
    {
      akey: 'controls',
      admin: 'controls',
      key: 'controls',
      watches: 'GIVER_READ_ONLY',
      deaf: 'controls',
      none: 'refused',
    },
    async (site, setup) => {
      const { user } = await createVisitor(site, setup)
      const sessionId = await createVisit(site.db, user, setup.machine.machineId)
      return {
        request: { sessionId, action: 'hand' },
        seen: async () => {
          const row = await site.db
            .selectFrom('controllers')
            .select('visit_id')
            .where('machine_id', '=', setup.machine.machineId)
            .executeTakeFirst()
          return row?.visit_id === sessionId ? 'controls' : 'watches'
        },
      }
    },
  ),
  // A board that names the machine gives no right to it.
  ...namings.map((by) =>
    gift(
      `a board, ${by}`,
      boards.shareBoard,
      {
        akey: 'nothing',
        admin: 'nothing',
        key: 'nothing',
        watches: 'nothing',
        deaf: 'nothing',
        none: 'nothing',
      },
      async (site, setup, now) => {
        const { user, named } = await createReceiver(site, setup, by)
        const id = await createBoard(site.db, setup.giver.userId, 'Line 1')
        return {
          request: { id, right: 'edit', ...named },
          seen: () => rightOf(site, setup, user, now),
        }
      },
    ),
  ),
  ...settingGifts,
]
