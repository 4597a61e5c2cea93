import { access, brands, machines } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { pngHead } from '../../../test-support/uploads/png.ts'

const site = useSite()

let seed = 0
const upload = async (user: TestUser, purpose: brands.UploadPurpose = 'projectImage') => {
  const file = new File([pngHead(8, 8, ++seed)], 'pump.png')
  return (await site.as(user).call(brands.createUpload, { purpose, file })).url
}

async function listOf(user: TestUser, version?: string) {
  const answer = await site.as(user).call(machines.listMachines, version === undefined ? {} : { version })
  return 'notModified' in answer ? undefined : answer
}

describe('the picture of a machine', () => {
  test('set by its Bkey is in the lists, changes their version, and can be dropped again', async () => {
    const akey = await site.createUser()
    const bkey = await site.createUser()
    const { machineId, code } = await site.createMachine({ owner: akey.userId })
    await site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
    const before = await listOf(akey)

    const projectImage = await upload(bkey)
    await site.as(bkey).call(access.updateMachineInfo, { machineCode: code, projectImage })
    const after = await listOf(akey, before?.version)
    expect(after?.list[0]?.project_image).toBe(projectImage)

    await site.as(bkey).call(access.resetImage, { deviceId: machineId })
    expect((await listOf(akey, after?.version))?.list[0]?.project_image).toBe('')
  })

  test('must be an upload made for machines, not any address', async () => {
    const akey = await site.createUser()
    await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', akey.userId).execute()
    const { code } = await site.createMachine({ owner: akey.userId })
    const set = (projectImage: string) =>
      failureOf(site.as(akey), access.updateMachineInfo, { machineCode: code, projectImage })
    expect((await set(`/uploads/${'0'.repeat(32)}.png`)).code).toBe('PICTURE_UNKNOWN')
    expect((await set(await upload(akey, 'brand'))).code).toBe('PICTURE_UNKNOWN')
    expect((await set('https://evil.example/a.png')).http).toBe(400)
    expect((await set(`/uploads/${'0'.repeat(32)}.svg`)).http).toBe(400)
  })

  test('stays as it is for a key that may only watch, and for a visitor', async () => {
    const akey = await site.createUser()
    const { machineId } = await site.createMachine({ owner: akey.userId })
    const watcher = await site.createHolder(machineId, { role: 'bkey', readOnly: true })
    const visitor = await site.createHolder(machineId, { role: 'visitor' })
    const request = { deviceId: machineId }
    expect(await site.refusalOf(watcher, access.resetImage, request)).toBe('GIVER_READ_ONLY')
    expect((await failureOf(site.as(visitor), access.resetImage, request)).http).toBe(403)
  })
})
