import { access, enterprises, machines, onboarding, type RequestOf } from '@busbar/contract'
import { createEnterprise, proveSession, type TestPlatform } from '@busbar/testkit'
import { createUpload } from '../../src/modules/uploads/uploads-service.ts'
import { pngHead } from '../uploads/png.ts'
import { type Gift, gift } from './gift.ts'
import type { GiverSetup } from './givers.ts'
import { createReceiver, createWindow, namings } from './things.ts'

/** A setting of the machine with the value that it gets. */
async function settingOf(
  site: TestPlatform,
  { machine }: GiverSetup,
  column:
    | 'name'
    | 'check_type'
    | 'adapter'
    | 'time_zone'
    | 'project_image'
    | 'cloud_service'
    | 'password_hash'
    | 'secret_hash',
): Promise<string> {
  const row = await site.db
    .selectFrom('machines')
    .select(column)
    .where('id', '=', machine.machineId)
    .executeTakeFirstOrThrow()
  return String((row as Record<string, unknown>)[column])
}

/** Keys that may change the displayed settings of the machine. */
const writingKeys = {
  akey: 'changed',
  admin: 'changed',
  key: 'changed',
  watches: 'GIVER_READ_ONLY',
  deaf: 'changed',
  none: 'refused',
} as const

const setting = (
  what: string,
  column: Parameters<typeof settingOf>[2],
  change: Partial<RequestOf<typeof access.updateMachineInfo>>,
): Gift =>
  gift(what, access.updateMachineInfo, writingKeys, async (site, setup) => {
    const before = await settingOf(site, setup, column)
    return {
      request: { machineCode: setup.machine.code, ...change },
      seen: async () => ((await settingOf(site, setup, column)) === before ? 'as before' : 'changed'),
    }
  })

const akeyOnly = { key: 'refused', watches: 'refused', deaf: 'refused', none: 'refused' } as const

/** Every call that changes a machine's settings, or gives it away. */
export const settingGifts: readonly Gift[] = [
  setting('another shared name', 'name', { machineName: 'Another' }),
  setting('another language', 'adapter', { adapter: 'vendor' }),
  setting('another time zone', 'time_zone', { timeZone: 'America/Lima' }),
  gift('a picture', access.updateMachineInfo, writingKeys, async (site, setup) => {
    const { userId } = setup.giver
    const bytes = pngHead(8, 8, setup.machine.machineId)
    const projectImage = await createUpload(site.db, { userId, purpose: 'projectImage', bytes })
    return {
      request: { machineCode: setup.machine.code, projectImage },
      seen: async () =>
        (await settingOf(site, setup, 'project_image')) === projectImage ? 'changed' : 'as before',
    }
  }),
  gift('no picture', access.resetImage, writingKeys, async (site, setup) => {
    const { machineId } = setup.machine
    await site.db
      .updateTable('machines')
      .set({ project_image: '/uploads/before.png' })
      .where('id', '=', machineId)
      .execute()
    return {
      request: { deviceId: machineId },
      seen: async () =>
        (await settingOf(site, setup, 'project_image')) === 'null' ? 'changed' : 'as before',
    }
  }),
  gift(
    'the cloud switch',
    access.setCloudService,
    { akey: 'false', admin: 'false', ...akeyOnly },
    async (site, setup) => ({
      request: { machineID: setup.machine.machineId, state: false },
      seen: () => settingOf(site, setup, 'cloud_service'),
    }),
  ),
  gift(
    'another machine password',
    access.setMachinePassword,
    { akey: 'changed', admin: 'changed', ...akeyOnly },
    async (site, setup, now) => {
      await proveSession(site.db, setup.giver.sessionId, new Date(now))
      const before = await settingOf(site, setup, 'password_hash')
      return {
        request: { machineID: setup.machine.machineId, password: 'another-label-2' },
        seen: async () =>
          (await settingOf(site, setup, 'password_hash')) === before ? 'as before' : 'changed',
      }
    },
  ),
  gift(
    'another secret',
    access.resetSecret,
    { akey: 'changed', admin: 'changed', ...akeyOnly },
    async (site, setup, now) => {
      await proveSession(site.db, setup.giver.sessionId, new Date(now))
      const before = await settingOf(site, setup, 'secret_hash')
      return {
        request: { machineID: setup.machine.machineId },
        seen: async () =>
          (await settingOf(site, setup, 'secret_hash')) === before ? 'as before' : 'changed',
      }
    },
  ),
  gift(
    'another secret, by a setup link',
    onboarding.createSetupLink,
    { akey: 'changed', admin: 'changed', ...akeyOnly },
    async (site, setup, now) => {
      await proveSession(site.db, setup.giver.sessionId, new Date(now))
      const before = await settingOf(site, setup, 'secret_hash')
      return {
        request: { machineId: setup.machine.machineId },
        seen: async () =>
          (await settingOf(site, setup, 'secret_hash')) === before ? 'as before' : 'changed',
      }
    },
  ),
  ...namings.map((by) =>
    gift(
      `the machine itself, ${by}`,
      machines.offerMachine,
      { akey: 'offered', owner: 'offered', admin: 'OWNER_ONLY', ...akeyOnly },
      async (site, setup, now) => {
        await proveSession(site.db, setup.giver.sessionId, new Date(now))
        const { named } = await createReceiver(site, setup, by)
        return {
          request: { machineID: setup.machine.machineId, ...named },
          seen: async () => 'offered',
        }
      },
    ),
  ),
  gift(
    'the machine itself, to an enterprise',
    machines.offerMachine,
    { akey: 'offered', owner: 'offered', admin: 'OWNER_ONLY', ...akeyOnly },
    async (site, setup, now) => {
      await proveSession(site.db, setup.giver.sessionId, new Date(now))
      const { eid } = await createEnterprise(site.db)
      return {
        request: { machineID: setup.machine.machineId, eid },
        seen: async () => 'offered',
      }
    },
  ),
  gift(
    'a maintenance window',
    enterprises.answerMaintenance,
    { akey: 'accepted', admin: 'accepted', ...akeyOnly },
    async (site, setup) => {
      const { eid, owner } = await createEnterprise(site.db)
      const { machineId } = setup.machine
      const window = { eid, machineId, requestedBy: owner.userId, reason: 'worn' }
      const id = await createWindow(site.db, window)
      return {
        request: { id, action: 'accept' },
        seen: async (answer) => (answer as { state: string }).state,
      }
    },
  ),
]
