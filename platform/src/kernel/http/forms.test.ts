import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

const site = useSite()

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

async function post(url: string, token: string, type: string, payload: string) {
  const headers = { 'content-type': type, token }
  return (await site.platform.app.inject({ method: 'POST', url, headers, payload })).json<
    Record<string, unknown>
  >()
}

test('a remark is emptied by a form', async () => {
  const user = await site.createUser()
  const { machineId, code } = await site.createMachine({ owner: user.userId })
  const update = (remark: string) =>
    post(
      '/api/machine/update',
      user.token,
      form,
      `updateMachineID=${machineId}&updateMachineCode=${code}&updateMachineRemark=${remark}`,
    )
  await update('east')
  expect(await update('')).toMatchObject({ hwdata: { state: 10 } })
  const { remark } = await site.db
    .selectFrom('machine_list_entries')
    .select('remark')
    .where('machine_id', '=', machineId)
    .executeTakeFirstOrThrow()
  expect(remark).toBe('')
})

test.each(['', ' \r\n'])('a request that says nothing may say so as JSON: %j', async (body) => {
  const { token } = await site.createUser()
  expect(await post('/api/machine/select', token, json, body)).toMatchObject({ hwcode: 0 })
})

test('invalid JSON is still refused', async () => {
  const { token } = await site.createUser()
  expect(await post('/api/machine/select', token, json, '{')).toMatchObject({ error: { code: '400' } })
})

test('an owner’s page may send no visit time and all groups', async () => {
  const { eid, owner } = await site.createEnterprise()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  for (const visitAlidTimeID of [0, -1]) {
    const body = { machineID: machineId, terminalID: 't', visitAlidTimeID }
    const answer = await post('/api/v1/audit/checkCloudServiceState', owner.token, json, JSON.stringify(body))
    expect(answer).not.toMatchObject({ error: { code: '400' } })
    expect(answer).not.toMatchObject({ error: { code: 'WRONG_ROLE' } })
  }
  for (const groupId of ['', '0', 'ALL']) {
    const asked = `eid=${eid}&groupId=${groupId}`
    expect(await post('/api/enterprises/enterpriseDeviceList', owner.token, form, asked)).toMatchObject({
      hwcode: 0,
    })
  }
})

test('a list is written with brackets', async () => {
  const user = await site.createUser()
  const { machineId, code } = await site.createMachine({ owner: user.userId })
  const asked = `machineIDs[]=${machineId}`
  expect(await post('/api/machine/getMachineStates', user.token, form, asked)).toMatchObject({
    hwdata: [{ machineCode: code }],
  })
})
