import { access } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'

const site = useSite()

test('a machine’s connection ends with its secret, and the old one opens nothing any more', async () => {
  const owner = await site.createUser()
  const machine = await site.createMachine({ owner: owner.userId })
  const other = await site.createMachine({ owner: owner.userId })
  const client = await RawClient.login(site.mqttPort, machine, { version: 5 })
  const bystander = await RawClient.login(site.mqttPort, other, { version: 5 })
  await site.proveSession(owner.sessionId)
  const { secret } = await site.as(owner).call(access.resetSecret, { machineID: machine.machineId })
  expect((await client.next('disconnect')).reasonCode).toBe(0x87)
  await client.closed()

  const again = await RawClient.open(site.mqttPort)
  again.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: machine.code,
    keepalive: 0,
    username: machine.code,
    password: Buffer.from(machine.secret),
  })
  expect((await again.next('connack')).returnCode).toBe(4)
  const renewed = await RawClient.login(site.mqttPort, { code: machine.code, secret })
  expect(bystander.isClosed).toBe(false)
  for (const open of [renewed, bystander]) open.destroy()
})
